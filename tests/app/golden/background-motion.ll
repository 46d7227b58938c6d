; gray+scale+moving+clean
;
; in0: 64x48 u8
; scale.out: 64x48 f32, leaves
; clean.out: 64x48 bool, leaves
; moving.alpha: f32, an argument
; moving.k: f32, an argument
; moving.min_sigma: f32, an argument
; moving.learn: f32, an argument
; was(moving/mean) is (f32(in0[y, x]) * 0.003921627998352051) + (f32(in0[y, x]) * -5.9370901084321304e-08) in the first frame
; was(moving/variance) is moving.min_sigma * moving.min_sigma in the first frame
; pass 0, images of 64x48
;   ring1: bool, 1 row, replicate 1 px left and 1 px right
;   state2: f32, the strip's rows, kept
;   state3: f32, the strip's rows, kept
;   ring4: bool, 2 rows
;   ring5: bool, 1 row, replicate 1 px left and 1 px right
;   ring6: bool, 2 rows
;   row y+2, from 2 above the strip to 2 below, 16 pixels a vector:
;     t1 = f32(in0[y, x])
;     t2 = ((t1 * 0.003921627998352051) + (t1 * -5.9370901084321304e-08)) - was(moving/mean)
;     t3 = t2 * t2
;     ring1 = ((moving.k * moving.k) * max(was(moving/variance), moving.min_sigma * moving.min_sigma)) < t3
;     t5 = select(ring1, moving.alpha * moving.learn, moving.alpha)
;     state2 = was(moving/mean) + (t5 * t2)
;     state3 = was(moving/variance) + (t5 * (t3 - was(moving/variance)))
;   row y, 16 pixels a vector:
;     t1 = f32(in0[y, x])
;     scale.out = (t1 * 0.003921627998352051) + (t1 * -5.9370901084321304e-08)
;   row y+2, from 2 above the strip to 2 below, 64 pixels a vector:
;     ring4 = min(min(ring1[y, x-1], ring1[y, x]), ring1[y, x+1])
;   row y+1, from 1 above the strip to 1 below, 64 pixels a vector:
;     ring5 = min(min(ring4[y-1, x]{replicate}, ring4[y, x]), ring4[y+1, x]{replicate})
;   row y+1, from 1 above the strip to 1 below, 64 pixels a vector:
;     ring6 = max(max(ring5[y, x-1], ring5[y, x]), ring5[y, x+1])
;   row y, 64 pixels a vector:
;     clean.out = max(max(ring6[y-1, x]{replicate}, ring6[y, x]), ring6[y+1, x]{replicate})

define void @pass0(ptr noalias %args) nounwind {
entry:
  %v1 = getelementptr i8, ptr %args, i64 0
  %first_row = load i64, ptr %v1, align 8
  %v2 = getelementptr i8, ptr %args, i64 8
  %last_row = load i64, ptr %v2, align 8
  %v3 = getelementptr i8, ptr %args, i64 16
  %frames = load i64, ptr %v3, align 8
  %v4 = getelementptr i8, ptr %args, i64 24
  %is_first = load i64, ptr %v4, align 8
  %v5 = getelementptr i8, ptr %args, i64 32
  %images = load ptr, ptr %v5, align 8
  %v6 = getelementptr i8, ptr %args, i64 40
  %scratch = load ptr, ptr %v6, align 8
  %v7 = getelementptr i8, ptr %args, i64 48
  %state2 = load ptr, ptr %v7, align 8
  %v8 = getelementptr i8, ptr %args, i64 56
  %state3 = load ptr, ptr %v8, align 8
  %v9 = sub i64 %first_row, 2
  %v10 = add i64 %last_row, 2
  %low0 = call i64 @llvm.smax.i64(i64 %v9, i64 0)
  %high0 = call i64 @llvm.smin.i64(i64 %v10, i64 48)
  %v11 = sub i64 %first_row, 0
  %v12 = add i64 %last_row, 0
  %low1 = call i64 @llvm.smax.i64(i64 %v11, i64 0)
  %high1 = call i64 @llvm.smin.i64(i64 %v12, i64 48)
  %v13 = sub i64 %first_row, 2
  %v14 = add i64 %last_row, 2
  %low2 = call i64 @llvm.smax.i64(i64 %v13, i64 0)
  %high2 = call i64 @llvm.smin.i64(i64 %v14, i64 48)
  %v15 = sub i64 %first_row, 1
  %v16 = add i64 %last_row, 1
  %low3 = call i64 @llvm.smax.i64(i64 %v15, i64 0)
  %high3 = call i64 @llvm.smin.i64(i64 %v16, i64 48)
  %v17 = sub i64 %first_row, 1
  %v18 = add i64 %last_row, 1
  %low4 = call i64 @llvm.smax.i64(i64 %v17, i64 0)
  %high4 = call i64 @llvm.smin.i64(i64 %v18, i64 48)
  %v19 = sub i64 %first_row, 0
  %v20 = add i64 %last_row, 0
  %low5 = call i64 @llvm.smax.i64(i64 %v19, i64 0)
  %high5 = call i64 @llvm.smin.i64(i64 %v20, i64 48)
  %v21 = sub i64 %low0, 2
  %v22 = sub i64 %low1, 0
  %v23 = sub i64 %low2, 2
  %v24 = sub i64 %low3, 1
  %v25 = sub i64 %low4, 1
  %v26 = sub i64 %low5, 0
  %v27 = sub i64 %high0, 2
  %v28 = sub i64 %high1, 0
  %v29 = sub i64 %high2, 2
  %v30 = sub i64 %high3, 1
  %v31 = sub i64 %high4, 1
  %v32 = sub i64 %high5, 0
  %v33 = call i64 @llvm.smin.i64(i64 %v21, i64 %v22)
  %v34 = call i64 @llvm.smin.i64(i64 %v33, i64 %v23)
  %v35 = call i64 @llvm.smin.i64(i64 %v34, i64 %v24)
  %v36 = call i64 @llvm.smin.i64(i64 %v35, i64 %v25)
  %v37 = call i64 @llvm.smin.i64(i64 %v36, i64 %v26)
  %v38 = call i64 @llvm.smax.i64(i64 %v27, i64 %v28)
  %v39 = call i64 @llvm.smax.i64(i64 %v38, i64 %v29)
  %v40 = call i64 @llvm.smax.i64(i64 %v39, i64 %v30)
  %v41 = call i64 @llvm.smax.i64(i64 %v40, i64 %v31)
  %v42 = call i64 @llvm.smax.i64(i64 %v41, i64 %v32)
  %ring1 = getelementptr i8, ptr %scratch, i64 64
  %ring4 = getelementptr i8, ptr %scratch, i64 256
  %ring5 = getelementptr i8, ptr %scratch, i64 704
  %ring6 = getelementptr i8, ptr %scratch, i64 896
  %v80 = getelementptr i8, ptr %args, i64 64
  %param.81 = load float, ptr %v80, align 8
  %v82 = insertelement <16 x float> poison, float %param.81, i64 0
  %v83 = shufflevector <16 x float> %v82, <16 x float> poison, <16 x i32> zeroinitializer
  %v84 = fmul <16 x float> %v83, %v83
  %v87 = getelementptr i8, ptr %args, i64 72
  %param.88 = load float, ptr %v87, align 8
  %v89 = insertelement <16 x float> poison, float %param.88, i64 0
  %v90 = shufflevector <16 x float> %v89, <16 x float> poison, <16 x i32> zeroinitializer
  %v91 = fmul <16 x float> %v90, %v90
  %v94 = getelementptr i8, ptr %args, i64 80
  %param.95 = load float, ptr %v94, align 8
  %v96 = insertelement <16 x float> poison, float %param.95, i64 0
  %v97 = shufflevector <16 x float> %v96, <16 x float> poison, <16 x i32> zeroinitializer
  %v98 = getelementptr i8, ptr %args, i64 88
  %param.99 = load float, ptr %v98, align 8
  %v100 = insertelement <16 x float> poison, float %param.99, i64 0
  %v101 = shufflevector <16 x float> %v100, <16 x float> poison, <16 x i32> zeroinitializer
  %v102 = fmul <16 x float> %v97, %v101
  br label %t.43
t.43:
  %t.46 = phi i64 [ 0, %entry ], [ %t.46.next, %t.next.47 ]
  %v48 = icmp slt i64 %t.46, %frames
  br i1 %v48, label %t.do.44, label %t.end.45
t.do.44:
  %v532 = mul i64 %frames, 0
  %v533 = add i64 %v532, %t.46
  %v534 = getelementptr ptr, ptr %images, i64 %v533
  %input0 = load ptr, ptr %v534, align 8
  %v535 = mul i64 %frames, 1
  %v536 = add i64 %v535, %t.46
  %v537 = getelementptr ptr, ptr %images, i64 %v536
  %output0 = load ptr, ptr %v537, align 8
  %v538 = mul i64 %frames, 2
  %v539 = add i64 %v538, %t.46
  %v540 = getelementptr ptr, ptr %images, i64 %v539
  %output1 = load ptr, ptr %v540, align 8
  %v49 = icmp eq i64 %t.46, 0
  %v50 = icmp ne i64 %is_first, 0
  %v51 = and i1 %v49, %v50
  br label %step.52
step.52:
  %s.55 = phi i64 [ %v37, %t.do.44 ], [ %s.55.next, %step.next.56 ]
  %v57 = icmp slt i64 %s.55, %v42
  br i1 %v57, label %step.do.53, label %step.end.54
step.do.53:
  ; group 0: plane ring1, plane state2, plane state3; 2 rows ahead; 2 more above, 2 below
  %r.58 = add nsw i64 %s.55, 2
  %v59 = icmp sge i64 %r.58, %low0
  %v60 = icmp slt i64 %r.58, %high0
  %v61 = and i1 %v59, %v60
  br i1 %v61, label %group0.62, label %group0.end.63
group0.62:
  %v64 = icmp sge i64 %r.58, %first_row
  %v65 = icmp slt i64 %r.58, %last_row
  %v66 = and i1 %v64, %v65
  %v68 = mul nsw i64 %r.58, 64
  %in.row.69 = getelementptr i8, ptr %input0, i64 %v68
  %v111 = mul nsw i64 %r.58, 112
  %state2.row.112 = getelementptr float, ptr %state2, i64 %v111
  %v114 = mul nsw i64 %r.58, 112
  %state3.row.115 = getelementptr float, ptr %state3, i64 %v114
  br i1 %v51, label %first.198, label %then.199
first.198:
  br label %across.201
across.201:
  %x.67 = phi i64 [ 0, %first.198 ], [ %x.67.next, %across.201 ]
  %v70 = getelementptr i8, ptr %in.row.69, i64 %x.67
  %v71 = getelementptr i8, ptr %v70, i64 128
  call void @llvm.prefetch.p0(ptr %v71, i32 0, i32 3, i32 1)
  %v72 = load <16 x i8>, ptr %v70, align 1
  %v73 = zext <16 x i8> %v72 to <16 x i32>
  %v74 = sitofp <16 x i32> %v73 to <16 x float>
  %v75 = fmul <16 x float> %v74, splat (float 0xBE6FDFDFE0000000)
  %v76 = fmul <16 x float> %v74, splat (float 0x3F70102000000000)
  %v77 = fadd <16 x float> %v76, %v75
  %v78 = fsub <16 x float> %v77, %v77
  %v79 = fmul <16 x float> %v78, %v78
  %v85 = fcmp ogt <16 x float> %v84, %v84
  %v86 = select <16 x i1> %v85, <16 x float> %v84, <16 x float> %v84
  %v92 = fmul <16 x float> %v91, %v86
  %v93 = fcmp olt <16 x float> %v92, %v79
  %v103 = select <16 x i1> %v93, <16 x float> %v102, <16 x float> %v97
  %v104 = fmul <16 x float> %v103, %v78
  %v105 = fadd <16 x float> %v77, %v104
  %v106 = fsub <16 x float> %v79, %v84
  %v107 = fmul <16 x float> %v103, %v106
  %v108 = fadd <16 x float> %v84, %v107
  %v109 = getelementptr i8, ptr %ring1, i64 %x.67
  %v110 = zext <16 x i1> %v93 to <16 x i8>
  store <16 x i8> %v110, ptr %v109, align 16
  %v113 = getelementptr float, ptr %state2.row.112, i64 %x.67
  store <16 x float> %v105, ptr %v113, align 64
  %v116 = getelementptr float, ptr %state3.row.115, i64 %x.67
  store <16 x float> %v108, ptr %v116, align 64
  %v117 = add i64 %x.67, 16
  %v118 = getelementptr i8, ptr %in.row.69, i64 %v117
  %v119 = load <16 x i8>, ptr %v118, align 1
  %v120 = zext <16 x i8> %v119 to <16 x i32>
  %v121 = sitofp <16 x i32> %v120 to <16 x float>
  %v122 = fmul <16 x float> %v121, splat (float 0xBE6FDFDFE0000000)
  %v123 = fmul <16 x float> %v121, splat (float 0x3F70102000000000)
  %v124 = fadd <16 x float> %v123, %v122
  %v125 = fsub <16 x float> %v124, %v124
  %v126 = fmul <16 x float> %v125, %v125
  %v127 = fcmp ogt <16 x float> %v84, %v84
  %v128 = select <16 x i1> %v127, <16 x float> %v84, <16 x float> %v84
  %v129 = fmul <16 x float> %v91, %v128
  %v130 = fcmp olt <16 x float> %v129, %v126
  %v131 = select <16 x i1> %v130, <16 x float> %v102, <16 x float> %v97
  %v132 = fmul <16 x float> %v131, %v125
  %v133 = fadd <16 x float> %v124, %v132
  %v134 = fsub <16 x float> %v126, %v84
  %v135 = fmul <16 x float> %v131, %v134
  %v136 = fadd <16 x float> %v84, %v135
  %v137 = getelementptr i8, ptr %ring1, i64 %v117
  %v138 = zext <16 x i1> %v130 to <16 x i8>
  store <16 x i8> %v138, ptr %v137, align 16
  %v139 = getelementptr float, ptr %state2.row.112, i64 %v117
  store <16 x float> %v133, ptr %v139, align 64
  %v140 = getelementptr float, ptr %state3.row.115, i64 %v117
  store <16 x float> %v136, ptr %v140, align 64
  %x.67.next = add nuw nsw i64 %x.67, 32
  %x.67.more = icmp ult i64 %x.67.next, 64
  br i1 %x.67.more, label %across.201, label %across.end.202
across.end.202:
  br label %done.200
then.199:
  br label %across.203
across.203:
  %x.141 = phi i64 [ 0, %then.199 ], [ %x.141.next, %across.203 ]
  %v142 = getelementptr float, ptr %state2.row.112, i64 %x.141
  %v143 = load <16 x float>, ptr %v142, align 64
  %v144 = getelementptr i8, ptr %in.row.69, i64 %x.141
  %v145 = getelementptr i8, ptr %v144, i64 128
  call void @llvm.prefetch.p0(ptr %v145, i32 0, i32 3, i32 1)
  %v146 = load <16 x i8>, ptr %v144, align 1
  %v147 = zext <16 x i8> %v146 to <16 x i32>
  %v148 = sitofp <16 x i32> %v147 to <16 x float>
  %v149 = fmul <16 x float> %v148, splat (float 0xBE6FDFDFE0000000)
  %v150 = fmul <16 x float> %v148, splat (float 0x3F70102000000000)
  %v151 = fadd <16 x float> %v150, %v149
  %v152 = fsub <16 x float> %v151, %v143
  %v153 = fmul <16 x float> %v152, %v152
  %v154 = getelementptr float, ptr %state3.row.115, i64 %x.141
  %v155 = load <16 x float>, ptr %v154, align 64
  %v156 = fcmp ogt <16 x float> %v155, %v84
  %v157 = select <16 x i1> %v156, <16 x float> %v155, <16 x float> %v84
  %v158 = fmul <16 x float> %v91, %v157
  %v159 = fcmp olt <16 x float> %v158, %v153
  %v160 = select <16 x i1> %v159, <16 x float> %v102, <16 x float> %v97
  %v161 = fmul <16 x float> %v160, %v152
  %v162 = fadd <16 x float> %v143, %v161
  %v163 = fsub <16 x float> %v153, %v155
  %v164 = fmul <16 x float> %v160, %v163
  %v165 = fadd <16 x float> %v155, %v164
  %v166 = getelementptr i8, ptr %ring1, i64 %x.141
  %v167 = zext <16 x i1> %v159 to <16 x i8>
  store <16 x i8> %v167, ptr %v166, align 16
  %v168 = getelementptr float, ptr %state2.row.112, i64 %x.141
  store <16 x float> %v162, ptr %v168, align 64
  %v169 = getelementptr float, ptr %state3.row.115, i64 %x.141
  store <16 x float> %v165, ptr %v169, align 64
  %v170 = add i64 %x.141, 16
  %v171 = getelementptr float, ptr %state2.row.112, i64 %v170
  %v172 = load <16 x float>, ptr %v171, align 64
  %v173 = getelementptr i8, ptr %in.row.69, i64 %v170
  %v174 = load <16 x i8>, ptr %v173, align 1
  %v175 = zext <16 x i8> %v174 to <16 x i32>
  %v176 = sitofp <16 x i32> %v175 to <16 x float>
  %v177 = fmul <16 x float> %v176, splat (float 0xBE6FDFDFE0000000)
  %v178 = fmul <16 x float> %v176, splat (float 0x3F70102000000000)
  %v179 = fadd <16 x float> %v178, %v177
  %v180 = fsub <16 x float> %v179, %v172
  %v181 = fmul <16 x float> %v180, %v180
  %v182 = getelementptr float, ptr %state3.row.115, i64 %v170
  %v183 = load <16 x float>, ptr %v182, align 64
  %v184 = fcmp ogt <16 x float> %v183, %v84
  %v185 = select <16 x i1> %v184, <16 x float> %v183, <16 x float> %v84
  %v186 = fmul <16 x float> %v91, %v185
  %v187 = fcmp olt <16 x float> %v186, %v181
  %v188 = select <16 x i1> %v187, <16 x float> %v102, <16 x float> %v97
  %v189 = fmul <16 x float> %v188, %v180
  %v190 = fadd <16 x float> %v172, %v189
  %v191 = fsub <16 x float> %v181, %v183
  %v192 = fmul <16 x float> %v188, %v191
  %v193 = fadd <16 x float> %v183, %v192
  %v194 = getelementptr i8, ptr %ring1, i64 %v170
  %v195 = zext <16 x i1> %v187 to <16 x i8>
  store <16 x i8> %v195, ptr %v194, align 16
  %v196 = getelementptr float, ptr %state2.row.112, i64 %v170
  store <16 x float> %v190, ptr %v196, align 64
  %v197 = getelementptr float, ptr %state3.row.115, i64 %v170
  store <16 x float> %v193, ptr %v197, align 64
  %x.141.next = add nuw nsw i64 %x.141, 32
  %x.141.more = icmp ult i64 %x.141.next, 64
  br i1 %x.141.more, label %across.203, label %across.end.204
across.end.204:
  br label %done.200
done.200:
  %v205 = getelementptr i8, ptr %ring1, i64 0
  %v206 = load i8, ptr %v205
  %v207 = getelementptr i8, ptr %ring1, i64 -1
  store i8 %v206, ptr %v207
  %v208 = getelementptr i8, ptr %ring1, i64 63
  %v209 = load i8, ptr %v208
  %v210 = getelementptr i8, ptr %ring1, i64 64
  store i8 %v209, ptr %v210
  br label %group0.end.63
group0.end.63:
  ; group 1: output; 0 rows ahead; 0 more above, 0 below
  %r.211 = add nsw i64 %s.55, 0
  %v212 = icmp sge i64 %r.211, %low1
  %v213 = icmp slt i64 %r.211, %high1
  %v214 = and i1 %v212, %v213
  br i1 %v214, label %group1.215, label %group1.end.216
group1.215:
  %v218 = mul nsw i64 %r.211, 64
  %in.row.219 = getelementptr i8, ptr %input0, i64 %v218
  %v228 = mul nsw i64 %r.211, 64
  %out.row.229 = getelementptr float, ptr %output0, i64 %v228
  br label %across.242
across.242:
  %x.217 = phi i64 [ 0, %group1.215 ], [ %x.217.next, %across.242 ]
  %v220 = getelementptr i8, ptr %in.row.219, i64 %x.217
  %v221 = getelementptr i8, ptr %v220, i64 128
  call void @llvm.prefetch.p0(ptr %v221, i32 0, i32 3, i32 1)
  %v222 = load <16 x i8>, ptr %v220, align 1
  %v223 = zext <16 x i8> %v222 to <16 x i32>
  %v224 = sitofp <16 x i32> %v223 to <16 x float>
  %v225 = fmul <16 x float> %v224, splat (float 0xBE6FDFDFE0000000)
  %v226 = fmul <16 x float> %v224, splat (float 0x3F70102000000000)
  %v227 = fadd <16 x float> %v226, %v225
  %v230 = getelementptr float, ptr %out.row.229, i64 %x.217
  %v231 = getelementptr i8, ptr %v230, i64 512
  call void @llvm.prefetch.p0(ptr %v231, i32 1, i32 3, i32 1)
  store <16 x float> %v227, ptr %v230, align 4
  %v232 = add i64 %x.217, 16
  %v233 = getelementptr i8, ptr %in.row.219, i64 %v232
  %v234 = load <16 x i8>, ptr %v233, align 1
  %v235 = zext <16 x i8> %v234 to <16 x i32>
  %v236 = sitofp <16 x i32> %v235 to <16 x float>
  %v237 = fmul <16 x float> %v236, splat (float 0xBE6FDFDFE0000000)
  %v238 = fmul <16 x float> %v236, splat (float 0x3F70102000000000)
  %v239 = fadd <16 x float> %v238, %v237
  %v240 = getelementptr float, ptr %out.row.229, i64 %v232
  %v241 = getelementptr i8, ptr %v240, i64 512
  call void @llvm.prefetch.p0(ptr %v241, i32 1, i32 3, i32 1)
  store <16 x float> %v239, ptr %v240, align 4
  %x.217.next = add nuw nsw i64 %x.217, 32
  %x.217.more = icmp ult i64 %x.217.next, 64
  br i1 %x.217.more, label %across.242, label %across.end.243
across.end.243:
  br label %group1.end.216
group1.end.216:
  ; group 2: plane ring4; 2 rows ahead; 2 more above, 2 below
  %r.244 = add nsw i64 %s.55, 2
  %v245 = icmp sge i64 %r.244, %low2
  %v246 = icmp slt i64 %r.244, %high2
  %v247 = and i1 %v245, %v246
  ; group 3: plane ring5; 1 rows ahead; 1 more above, 1 below
  %r.248 = add nsw i64 %s.55, 1
  %v249 = icmp sge i64 %r.248, %low3
  %v250 = icmp slt i64 %r.248, %high3
  %v251 = and i1 %v249, %v250
  %v252 = icmp sge i64 %r.248, 1
  %v253 = and i1 %v247, %v251
  %v254 = and i1 %v252, %v253
  br i1 %v254, label %together.255, label %apart.256
together.255:
  %v258 = icmp sge i64 %r.244, %first_row
  %v259 = icmp slt i64 %r.244, %last_row
  %v260 = and i1 %v258, %v259
  %v270 = load <64 x i8>, ptr %ring1, align 64
  %v271 = shufflevector <64 x i8> %v270, <64 x i8> poison, <64 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %v272 = load <64 x i8>, ptr %ring1, align 64
  %v301 = urem i64 %r.244, 2
  %v302 = mul nsw i64 %v301, 192
  %ring4.row.303 = getelementptr i8, ptr %ring4, i64 %v302
  %v261 = icmp sge i64 %r.248, %first_row
  %v262 = icmp slt i64 %r.248, %last_row
  %v263 = and i1 %v261, %v262
  %v282 = urem i64 %r.248, 2
  %v283 = mul nsw i64 %v282, 192
  %ring4.row.284 = getelementptr i8, ptr %ring4, i64 %v283
  %v288 = add i64 %r.248, -1
  %v289 = call i64 @llvm.smax.i64(i64 %v288, i64 0)
  %v290 = call i64 @llvm.smin.i64(i64 %v289, i64 47)
  %v291 = urem i64 %v290, 2
  %v292 = mul nsw i64 %v291, 192
  %ring4.row.293 = getelementptr i8, ptr %ring4, i64 %v292
  br label %across.306
across.306:
  %x.264 = phi i64 [ 0, %together.255 ], [ %x.264.next, %across.306 ]
  %before.265 = phi <64 x i8> [ %v271, %together.255 ], [ %here.266, %across.306 ]
  %here.266 = phi <64 x i8> [ %v272, %together.255 ], [ %v269, %across.306 ]
  %v267 = getelementptr i8, ptr %ring1, i64 %x.264
  %v268 = getelementptr i8, ptr %v267, i64 64
  %v269 = load <64 x i8>, ptr %v268, align 64
  %v273 = shufflevector <64 x i8> %here.266, <64 x i8> %v269, <64 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31, i32 32, i32 33, i32 34, i32 35, i32 36, i32 37, i32 38, i32 39, i32 40, i32 41, i32 42, i32 43, i32 44, i32 45, i32 46, i32 47, i32 48, i32 49, i32 50, i32 51, i32 52, i32 53, i32 54, i32 55, i32 56, i32 57, i32 58, i32 59, i32 60, i32 61, i32 62, i32 63, i32 64>
  %v274 = icmp ne <64 x i8> %v273, zeroinitializer
  %v275 = icmp ne <64 x i8> %here.266, zeroinitializer
  %v276 = shufflevector <64 x i8> %before.265, <64 x i8> %here.266, <64 x i32> <i32 63, i32 64, i32 65, i32 66, i32 67, i32 68, i32 69, i32 70, i32 71, i32 72, i32 73, i32 74, i32 75, i32 76, i32 77, i32 78, i32 79, i32 80, i32 81, i32 82, i32 83, i32 84, i32 85, i32 86, i32 87, i32 88, i32 89, i32 90, i32 91, i32 92, i32 93, i32 94, i32 95, i32 96, i32 97, i32 98, i32 99, i32 100, i32 101, i32 102, i32 103, i32 104, i32 105, i32 106, i32 107, i32 108, i32 109, i32 110, i32 111, i32 112, i32 113, i32 114, i32 115, i32 116, i32 117, i32 118, i32 119, i32 120, i32 121, i32 122, i32 123, i32 124, i32 125, i32 126>
  %v277 = icmp ne <64 x i8> %v276, zeroinitializer
  %v278 = and <64 x i1> %v277, %v275
  %v279 = and <64 x i8> %v276, %here.266
  %v280 = and <64 x i1> %v278, %v274
  %v281 = and <64 x i8> %v279, %v273
  %v285 = getelementptr i8, ptr %ring4.row.284, i64 %x.264
  %v286 = load <64 x i8>, ptr %v285, align 64
  %v287 = icmp ne <64 x i8> %v286, zeroinitializer
  %v294 = getelementptr i8, ptr %ring4.row.293, i64 %x.264
  %v295 = load <64 x i8>, ptr %v294, align 64
  %v296 = icmp ne <64 x i8> %v295, zeroinitializer
  %v297 = and <64 x i1> %v296, %v287
  %v298 = and <64 x i8> %v295, %v286
  %v299 = and <64 x i1> %v297, %v280
  %v300 = and <64 x i8> %v298, %v281
  %v304 = getelementptr i8, ptr %ring4.row.303, i64 %x.264
  store <64 x i8> %v281, ptr %v304, align 64
  %v305 = getelementptr i8, ptr %ring5, i64 %x.264
  store <64 x i8> %v300, ptr %v305, align 64
  %x.264.next = add nuw nsw i64 %x.264, 64
  %x.264.more = icmp ult i64 %x.264.next, 64
  br i1 %x.264.more, label %across.306, label %across.end.307
across.end.307:
  %v308 = getelementptr i8, ptr %ring5, i64 0
  %v309 = load i8, ptr %v308
  %v310 = getelementptr i8, ptr %ring5, i64 -1
  store i8 %v309, ptr %v310
  %v311 = getelementptr i8, ptr %ring5, i64 63
  %v312 = load i8, ptr %v311
  %v313 = getelementptr i8, ptr %ring5, i64 64
  store i8 %v312, ptr %v313
  br label %joined.257
apart.256:
  ; group 2: plane ring4; 2 rows ahead; 2 more above, 2 below
  %r.314 = add nsw i64 %s.55, 2
  %v315 = icmp sge i64 %r.314, %low2
  %v316 = icmp slt i64 %r.314, %high2
  %v317 = and i1 %v315, %v316
  br i1 %v317, label %group2.318, label %group2.end.319
group2.318:
  %v320 = icmp sge i64 %r.314, %first_row
  %v321 = icmp slt i64 %r.314, %last_row
  %v322 = and i1 %v320, %v321
  %v329 = load <64 x i8>, ptr %ring1, align 64
  %v330 = shufflevector <64 x i8> %v329, <64 x i8> poison, <64 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %v331 = load <64 x i8>, ptr %ring1, align 64
  %v341 = urem i64 %r.314, 2
  %v342 = mul nsw i64 %v341, 192
  %ring4.row.343 = getelementptr i8, ptr %ring4, i64 %v342
  br label %across.345
across.345:
  %x.323 = phi i64 [ 0, %group2.318 ], [ %x.323.next, %across.345 ]
  %before.324 = phi <64 x i8> [ %v330, %group2.318 ], [ %here.325, %across.345 ]
  %here.325 = phi <64 x i8> [ %v331, %group2.318 ], [ %v328, %across.345 ]
  %v326 = getelementptr i8, ptr %ring1, i64 %x.323
  %v327 = getelementptr i8, ptr %v326, i64 64
  %v328 = load <64 x i8>, ptr %v327, align 64
  %v332 = shufflevector <64 x i8> %here.325, <64 x i8> %v328, <64 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31, i32 32, i32 33, i32 34, i32 35, i32 36, i32 37, i32 38, i32 39, i32 40, i32 41, i32 42, i32 43, i32 44, i32 45, i32 46, i32 47, i32 48, i32 49, i32 50, i32 51, i32 52, i32 53, i32 54, i32 55, i32 56, i32 57, i32 58, i32 59, i32 60, i32 61, i32 62, i32 63, i32 64>
  %v333 = icmp ne <64 x i8> %v332, zeroinitializer
  %v334 = icmp ne <64 x i8> %here.325, zeroinitializer
  %v335 = shufflevector <64 x i8> %before.324, <64 x i8> %here.325, <64 x i32> <i32 63, i32 64, i32 65, i32 66, i32 67, i32 68, i32 69, i32 70, i32 71, i32 72, i32 73, i32 74, i32 75, i32 76, i32 77, i32 78, i32 79, i32 80, i32 81, i32 82, i32 83, i32 84, i32 85, i32 86, i32 87, i32 88, i32 89, i32 90, i32 91, i32 92, i32 93, i32 94, i32 95, i32 96, i32 97, i32 98, i32 99, i32 100, i32 101, i32 102, i32 103, i32 104, i32 105, i32 106, i32 107, i32 108, i32 109, i32 110, i32 111, i32 112, i32 113, i32 114, i32 115, i32 116, i32 117, i32 118, i32 119, i32 120, i32 121, i32 122, i32 123, i32 124, i32 125, i32 126>
  %v336 = icmp ne <64 x i8> %v335, zeroinitializer
  %v337 = and <64 x i1> %v336, %v334
  %v338 = and <64 x i8> %v335, %here.325
  %v339 = and <64 x i1> %v337, %v333
  %v340 = and <64 x i8> %v338, %v332
  %v344 = getelementptr i8, ptr %ring4.row.343, i64 %x.323
  store <64 x i8> %v340, ptr %v344, align 64
  %x.323.next = add nuw nsw i64 %x.323, 64
  %x.323.more = icmp ult i64 %x.323.next, 64
  br i1 %x.323.more, label %across.345, label %across.end.346
across.end.346:
  br label %group2.end.319
group2.end.319:
  ; group 3: plane ring5; 1 rows ahead; 1 more above, 1 below
  %r.347 = add nsw i64 %s.55, 1
  %v348 = icmp sge i64 %r.347, %low3
  %v349 = icmp slt i64 %r.347, %high3
  %v350 = and i1 %v348, %v349
  br i1 %v350, label %group3.351, label %group3.end.352
group3.351:
  %v353 = icmp sge i64 %r.347, %first_row
  %v354 = icmp slt i64 %r.347, %last_row
  %v355 = and i1 %v353, %v354
  %v357 = add i64 %r.347, 1
  %v358 = call i64 @llvm.smax.i64(i64 %v357, i64 0)
  %v359 = call i64 @llvm.smin.i64(i64 %v358, i64 47)
  %v360 = urem i64 %v359, 2
  %v361 = mul nsw i64 %v360, 192
  %ring4.row.362 = getelementptr i8, ptr %ring4, i64 %v361
  %v366 = urem i64 %r.347, 2
  %v367 = mul nsw i64 %v366, 192
  %ring4.row.368 = getelementptr i8, ptr %ring4, i64 %v367
  %v372 = add i64 %r.347, -1
  %v373 = call i64 @llvm.smax.i64(i64 %v372, i64 0)
  %v374 = call i64 @llvm.smin.i64(i64 %v373, i64 47)
  %v375 = urem i64 %v374, 2
  %v376 = mul nsw i64 %v375, 192
  %ring4.row.377 = getelementptr i8, ptr %ring4, i64 %v376
  br label %across.386
across.386:
  %x.356 = phi i64 [ 0, %group3.351 ], [ %x.356.next, %across.386 ]
  %v363 = getelementptr i8, ptr %ring4.row.362, i64 %x.356
  %v364 = load <64 x i8>, ptr %v363, align 64
  %v365 = icmp ne <64 x i8> %v364, zeroinitializer
  %v369 = getelementptr i8, ptr %ring4.row.368, i64 %x.356
  %v370 = load <64 x i8>, ptr %v369, align 64
  %v371 = icmp ne <64 x i8> %v370, zeroinitializer
  %v378 = getelementptr i8, ptr %ring4.row.377, i64 %x.356
  %v379 = load <64 x i8>, ptr %v378, align 64
  %v380 = icmp ne <64 x i8> %v379, zeroinitializer
  %v381 = and <64 x i1> %v380, %v371
  %v382 = and <64 x i8> %v379, %v370
  %v383 = and <64 x i1> %v381, %v365
  %v384 = and <64 x i8> %v382, %v364
  %v385 = getelementptr i8, ptr %ring5, i64 %x.356
  store <64 x i8> %v384, ptr %v385, align 64
  %x.356.next = add nuw nsw i64 %x.356, 64
  %x.356.more = icmp ult i64 %x.356.next, 64
  br i1 %x.356.more, label %across.386, label %across.end.387
across.end.387:
  %v388 = getelementptr i8, ptr %ring5, i64 0
  %v389 = load i8, ptr %v388
  %v390 = getelementptr i8, ptr %ring5, i64 -1
  store i8 %v389, ptr %v390
  %v391 = getelementptr i8, ptr %ring5, i64 63
  %v392 = load i8, ptr %v391
  %v393 = getelementptr i8, ptr %ring5, i64 64
  store i8 %v392, ptr %v393
  br label %group3.end.352
group3.end.352:
  br label %joined.257
joined.257:
  ; group 4: plane ring6; 1 rows ahead; 1 more above, 1 below
  %r.394 = add nsw i64 %s.55, 1
  %v395 = icmp sge i64 %r.394, %low4
  %v396 = icmp slt i64 %r.394, %high4
  %v397 = and i1 %v395, %v396
  ; group 5: output; 0 rows ahead; 0 more above, 0 below
  %r.398 = add nsw i64 %s.55, 0
  %v399 = icmp sge i64 %r.398, %low5
  %v400 = icmp slt i64 %r.398, %high5
  %v401 = and i1 %v399, %v400
  %v402 = icmp sge i64 %r.398, 1
  %v403 = and i1 %v397, %v401
  %v404 = and i1 %v402, %v403
  br i1 %v404, label %together.405, label %apart.406
together.405:
  %v408 = icmp sge i64 %r.394, %first_row
  %v409 = icmp slt i64 %r.394, %last_row
  %v410 = and i1 %v408, %v409
  %v417 = load <64 x i8>, ptr %ring5, align 64
  %v418 = shufflevector <64 x i8> %v417, <64 x i8> poison, <64 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %v419 = load <64 x i8>, ptr %ring5, align 64
  %v448 = urem i64 %r.394, 2
  %v449 = mul nsw i64 %v448, 192
  %ring6.row.450 = getelementptr i8, ptr %ring6, i64 %v449
  %v429 = urem i64 %r.398, 2
  %v430 = mul nsw i64 %v429, 192
  %ring6.row.431 = getelementptr i8, ptr %ring6, i64 %v430
  %v435 = add i64 %r.398, -1
  %v436 = call i64 @llvm.smax.i64(i64 %v435, i64 0)
  %v437 = call i64 @llvm.smin.i64(i64 %v436, i64 47)
  %v438 = urem i64 %v437, 2
  %v439 = mul nsw i64 %v438, 192
  %ring6.row.440 = getelementptr i8, ptr %ring6, i64 %v439
  %v452 = mul nsw i64 %r.398, 64
  %out.row.453 = getelementptr i8, ptr %output1, i64 %v452
  br label %across.456
across.456:
  %x.411 = phi i64 [ 0, %together.405 ], [ %x.411.next, %across.456 ]
  %before.412 = phi <64 x i8> [ %v418, %together.405 ], [ %here.413, %across.456 ]
  %here.413 = phi <64 x i8> [ %v419, %together.405 ], [ %v416, %across.456 ]
  %v414 = getelementptr i8, ptr %ring5, i64 %x.411
  %v415 = getelementptr i8, ptr %v414, i64 64
  %v416 = load <64 x i8>, ptr %v415, align 64
  %v420 = shufflevector <64 x i8> %here.413, <64 x i8> %v416, <64 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31, i32 32, i32 33, i32 34, i32 35, i32 36, i32 37, i32 38, i32 39, i32 40, i32 41, i32 42, i32 43, i32 44, i32 45, i32 46, i32 47, i32 48, i32 49, i32 50, i32 51, i32 52, i32 53, i32 54, i32 55, i32 56, i32 57, i32 58, i32 59, i32 60, i32 61, i32 62, i32 63, i32 64>
  %v421 = icmp ne <64 x i8> %v420, zeroinitializer
  %v422 = icmp ne <64 x i8> %here.413, zeroinitializer
  %v423 = shufflevector <64 x i8> %before.412, <64 x i8> %here.413, <64 x i32> <i32 63, i32 64, i32 65, i32 66, i32 67, i32 68, i32 69, i32 70, i32 71, i32 72, i32 73, i32 74, i32 75, i32 76, i32 77, i32 78, i32 79, i32 80, i32 81, i32 82, i32 83, i32 84, i32 85, i32 86, i32 87, i32 88, i32 89, i32 90, i32 91, i32 92, i32 93, i32 94, i32 95, i32 96, i32 97, i32 98, i32 99, i32 100, i32 101, i32 102, i32 103, i32 104, i32 105, i32 106, i32 107, i32 108, i32 109, i32 110, i32 111, i32 112, i32 113, i32 114, i32 115, i32 116, i32 117, i32 118, i32 119, i32 120, i32 121, i32 122, i32 123, i32 124, i32 125, i32 126>
  %v424 = icmp ne <64 x i8> %v423, zeroinitializer
  %v425 = or <64 x i1> %v424, %v422
  %v426 = or <64 x i8> %v423, %here.413
  %v427 = or <64 x i1> %v425, %v421
  %v428 = or <64 x i8> %v426, %v420
  %v432 = getelementptr i8, ptr %ring6.row.431, i64 %x.411
  %v433 = load <64 x i8>, ptr %v432, align 64
  %v434 = icmp ne <64 x i8> %v433, zeroinitializer
  %v441 = getelementptr i8, ptr %ring6.row.440, i64 %x.411
  %v442 = load <64 x i8>, ptr %v441, align 64
  %v443 = icmp ne <64 x i8> %v442, zeroinitializer
  %v444 = or <64 x i1> %v443, %v434
  %v445 = or <64 x i8> %v442, %v433
  %v446 = or <64 x i1> %v444, %v427
  %v447 = or <64 x i8> %v445, %v428
  %v451 = getelementptr i8, ptr %ring6.row.450, i64 %x.411
  store <64 x i8> %v428, ptr %v451, align 64
  %v454 = getelementptr i8, ptr %out.row.453, i64 %x.411
  %v455 = getelementptr i8, ptr %v454, i64 128
  call void @llvm.prefetch.p0(ptr %v455, i32 1, i32 3, i32 1)
  store <64 x i8> %v447, ptr %v454, align 1
  %x.411.next = add nuw nsw i64 %x.411, 64
  %x.411.more = icmp ult i64 %x.411.next, 64
  br i1 %x.411.more, label %across.456, label %across.end.457
across.end.457:
  br label %joined.407
apart.406:
  ; group 4: plane ring6; 1 rows ahead; 1 more above, 1 below
  %r.458 = add nsw i64 %s.55, 1
  %v459 = icmp sge i64 %r.458, %low4
  %v460 = icmp slt i64 %r.458, %high4
  %v461 = and i1 %v459, %v460
  br i1 %v461, label %group4.462, label %group4.end.463
group4.462:
  %v464 = icmp sge i64 %r.458, %first_row
  %v465 = icmp slt i64 %r.458, %last_row
  %v466 = and i1 %v464, %v465
  %v473 = load <64 x i8>, ptr %ring5, align 64
  %v474 = shufflevector <64 x i8> %v473, <64 x i8> poison, <64 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %v475 = load <64 x i8>, ptr %ring5, align 64
  %v485 = urem i64 %r.458, 2
  %v486 = mul nsw i64 %v485, 192
  %ring6.row.487 = getelementptr i8, ptr %ring6, i64 %v486
  br label %across.489
across.489:
  %x.467 = phi i64 [ 0, %group4.462 ], [ %x.467.next, %across.489 ]
  %before.468 = phi <64 x i8> [ %v474, %group4.462 ], [ %here.469, %across.489 ]
  %here.469 = phi <64 x i8> [ %v475, %group4.462 ], [ %v472, %across.489 ]
  %v470 = getelementptr i8, ptr %ring5, i64 %x.467
  %v471 = getelementptr i8, ptr %v470, i64 64
  %v472 = load <64 x i8>, ptr %v471, align 64
  %v476 = shufflevector <64 x i8> %here.469, <64 x i8> %v472, <64 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31, i32 32, i32 33, i32 34, i32 35, i32 36, i32 37, i32 38, i32 39, i32 40, i32 41, i32 42, i32 43, i32 44, i32 45, i32 46, i32 47, i32 48, i32 49, i32 50, i32 51, i32 52, i32 53, i32 54, i32 55, i32 56, i32 57, i32 58, i32 59, i32 60, i32 61, i32 62, i32 63, i32 64>
  %v477 = icmp ne <64 x i8> %v476, zeroinitializer
  %v478 = icmp ne <64 x i8> %here.469, zeroinitializer
  %v479 = shufflevector <64 x i8> %before.468, <64 x i8> %here.469, <64 x i32> <i32 63, i32 64, i32 65, i32 66, i32 67, i32 68, i32 69, i32 70, i32 71, i32 72, i32 73, i32 74, i32 75, i32 76, i32 77, i32 78, i32 79, i32 80, i32 81, i32 82, i32 83, i32 84, i32 85, i32 86, i32 87, i32 88, i32 89, i32 90, i32 91, i32 92, i32 93, i32 94, i32 95, i32 96, i32 97, i32 98, i32 99, i32 100, i32 101, i32 102, i32 103, i32 104, i32 105, i32 106, i32 107, i32 108, i32 109, i32 110, i32 111, i32 112, i32 113, i32 114, i32 115, i32 116, i32 117, i32 118, i32 119, i32 120, i32 121, i32 122, i32 123, i32 124, i32 125, i32 126>
  %v480 = icmp ne <64 x i8> %v479, zeroinitializer
  %v481 = or <64 x i1> %v480, %v478
  %v482 = or <64 x i8> %v479, %here.469
  %v483 = or <64 x i1> %v481, %v477
  %v484 = or <64 x i8> %v482, %v476
  %v488 = getelementptr i8, ptr %ring6.row.487, i64 %x.467
  store <64 x i8> %v484, ptr %v488, align 64
  %x.467.next = add nuw nsw i64 %x.467, 64
  %x.467.more = icmp ult i64 %x.467.next, 64
  br i1 %x.467.more, label %across.489, label %across.end.490
across.end.490:
  br label %group4.end.463
group4.end.463:
  ; group 5: output; 0 rows ahead; 0 more above, 0 below
  %r.491 = add nsw i64 %s.55, 0
  %v492 = icmp sge i64 %r.491, %low5
  %v493 = icmp slt i64 %r.491, %high5
  %v494 = and i1 %v492, %v493
  br i1 %v494, label %group5.495, label %group5.end.496
group5.495:
  %v498 = add i64 %r.491, 1
  %v499 = call i64 @llvm.smax.i64(i64 %v498, i64 0)
  %v500 = call i64 @llvm.smin.i64(i64 %v499, i64 47)
  %v501 = urem i64 %v500, 2
  %v502 = mul nsw i64 %v501, 192
  %ring6.row.503 = getelementptr i8, ptr %ring6, i64 %v502
  %v507 = urem i64 %r.491, 2
  %v508 = mul nsw i64 %v507, 192
  %ring6.row.509 = getelementptr i8, ptr %ring6, i64 %v508
  %v513 = add i64 %r.491, -1
  %v514 = call i64 @llvm.smax.i64(i64 %v513, i64 0)
  %v515 = call i64 @llvm.smin.i64(i64 %v514, i64 47)
  %v516 = urem i64 %v515, 2
  %v517 = mul nsw i64 %v516, 192
  %ring6.row.518 = getelementptr i8, ptr %ring6, i64 %v517
  %v526 = mul nsw i64 %r.491, 64
  %out.row.527 = getelementptr i8, ptr %output1, i64 %v526
  br label %across.530
across.530:
  %x.497 = phi i64 [ 0, %group5.495 ], [ %x.497.next, %across.530 ]
  %v504 = getelementptr i8, ptr %ring6.row.503, i64 %x.497
  %v505 = load <64 x i8>, ptr %v504, align 64
  %v506 = icmp ne <64 x i8> %v505, zeroinitializer
  %v510 = getelementptr i8, ptr %ring6.row.509, i64 %x.497
  %v511 = load <64 x i8>, ptr %v510, align 64
  %v512 = icmp ne <64 x i8> %v511, zeroinitializer
  %v519 = getelementptr i8, ptr %ring6.row.518, i64 %x.497
  %v520 = load <64 x i8>, ptr %v519, align 64
  %v521 = icmp ne <64 x i8> %v520, zeroinitializer
  %v522 = or <64 x i1> %v521, %v512
  %v523 = or <64 x i8> %v520, %v511
  %v524 = or <64 x i1> %v522, %v506
  %v525 = or <64 x i8> %v523, %v505
  %v528 = getelementptr i8, ptr %out.row.527, i64 %x.497
  %v529 = getelementptr i8, ptr %v528, i64 128
  call void @llvm.prefetch.p0(ptr %v529, i32 1, i32 3, i32 1)
  store <64 x i8> %v525, ptr %v528, align 1
  %x.497.next = add nuw nsw i64 %x.497, 64
  %x.497.more = icmp ult i64 %x.497.next, 64
  br i1 %x.497.more, label %across.530, label %across.end.531
across.end.531:
  br label %group5.end.496
group5.end.496:
  br label %joined.407
joined.407:
  br label %step.next.56
step.next.56:
  %s.55.next = add nsw i64 %s.55, 1
  br label %step.52
step.end.54:
  br label %t.next.47
t.next.47:
  %t.46.next = add nsw i64 %t.46, 1
  br label %t.43
t.end.45:
  ret void
}

declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.smin.i64(i64, i64)
declare void @llvm.prefetch.p0(ptr, i32, i32, i32)

; bodies: a host function, nothing is generated
