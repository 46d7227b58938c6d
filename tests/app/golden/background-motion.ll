; gray+sound+scale+even+moving+clean
;
; in0: 64x48 u8
; even.out: 64x48 f32, leaves
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
;     even.out = (t1 * 0.003921627998352051) + (t1 * -5.9370901084321304e-08)
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
  %first_frame = load i64, ptr %v3, align 8
  %v4 = getelementptr i8, ptr %args, i64 24
  %last_frame = load i64, ptr %v4, align 8
  %v5 = getelementptr i8, ptr %args, i64 32
  %frames = load i64, ptr %v5, align 8
  %v6 = getelementptr i8, ptr %args, i64 40
  %is_first = load i64, ptr %v6, align 8
  %v7 = getelementptr i8, ptr %args, i64 48
  %images = load ptr, ptr %v7, align 8
  %v8 = getelementptr i8, ptr %args, i64 56
  %scratch = load ptr, ptr %v8, align 8
  %v9 = getelementptr i8, ptr %args, i64 64
  %state2 = load ptr, ptr %v9, align 8
  %v10 = getelementptr i8, ptr %args, i64 72
  %state3 = load ptr, ptr %v10, align 8
  %v11 = sub i64 %first_row, 2
  %v12 = add i64 %last_row, 2
  %low0 = call i64 @llvm.smax.i64(i64 %v11, i64 0)
  %high0 = call i64 @llvm.smin.i64(i64 %v12, i64 48)
  %v13 = sub i64 %first_row, 0
  %v14 = add i64 %last_row, 0
  %low1 = call i64 @llvm.smax.i64(i64 %v13, i64 0)
  %high1 = call i64 @llvm.smin.i64(i64 %v14, i64 48)
  %v15 = sub i64 %first_row, 2
  %v16 = add i64 %last_row, 2
  %low2 = call i64 @llvm.smax.i64(i64 %v15, i64 0)
  %high2 = call i64 @llvm.smin.i64(i64 %v16, i64 48)
  %v17 = sub i64 %first_row, 1
  %v18 = add i64 %last_row, 1
  %low3 = call i64 @llvm.smax.i64(i64 %v17, i64 0)
  %high3 = call i64 @llvm.smin.i64(i64 %v18, i64 48)
  %v19 = sub i64 %first_row, 1
  %v20 = add i64 %last_row, 1
  %low4 = call i64 @llvm.smax.i64(i64 %v19, i64 0)
  %high4 = call i64 @llvm.smin.i64(i64 %v20, i64 48)
  %v21 = sub i64 %first_row, 0
  %v22 = add i64 %last_row, 0
  %low5 = call i64 @llvm.smax.i64(i64 %v21, i64 0)
  %high5 = call i64 @llvm.smin.i64(i64 %v22, i64 48)
  %v23 = sub i64 %low0, 2
  %v24 = sub i64 %low1, 0
  %v25 = sub i64 %low2, 2
  %v26 = sub i64 %low3, 1
  %v27 = sub i64 %low4, 1
  %v28 = sub i64 %low5, 0
  %v29 = sub i64 %high0, 2
  %v30 = sub i64 %high1, 0
  %v31 = sub i64 %high2, 2
  %v32 = sub i64 %high3, 1
  %v33 = sub i64 %high4, 1
  %v34 = sub i64 %high5, 0
  %v35 = call i64 @llvm.smin.i64(i64 %v23, i64 %v24)
  %v36 = call i64 @llvm.smin.i64(i64 %v35, i64 %v25)
  %v37 = call i64 @llvm.smin.i64(i64 %v36, i64 %v26)
  %v38 = call i64 @llvm.smin.i64(i64 %v37, i64 %v27)
  %v39 = call i64 @llvm.smin.i64(i64 %v38, i64 %v28)
  %v40 = call i64 @llvm.smax.i64(i64 %v29, i64 %v30)
  %v41 = call i64 @llvm.smax.i64(i64 %v40, i64 %v31)
  %v42 = call i64 @llvm.smax.i64(i64 %v41, i64 %v32)
  %v43 = call i64 @llvm.smax.i64(i64 %v42, i64 %v33)
  %v44 = call i64 @llvm.smax.i64(i64 %v43, i64 %v34)
  %ring1 = getelementptr i8, ptr %scratch, i64 64
  %ring4 = getelementptr i8, ptr %scratch, i64 256
  %ring5 = getelementptr i8, ptr %scratch, i64 704
  %ring6 = getelementptr i8, ptr %scratch, i64 896
  %v82 = getelementptr i8, ptr %args, i64 80
  %param.83 = load float, ptr %v82, align 8
  %v84 = insertelement <16 x float> poison, float %param.83, i64 0
  %v85 = shufflevector <16 x float> %v84, <16 x float> poison, <16 x i32> zeroinitializer
  %v86 = fmul <16 x float> %v85, %v85
  %v89 = getelementptr i8, ptr %args, i64 88
  %param.90 = load float, ptr %v89, align 8
  %v91 = insertelement <16 x float> poison, float %param.90, i64 0
  %v92 = shufflevector <16 x float> %v91, <16 x float> poison, <16 x i32> zeroinitializer
  %v93 = fmul <16 x float> %v92, %v92
  %v96 = getelementptr i8, ptr %args, i64 96
  %param.97 = load float, ptr %v96, align 8
  %v98 = insertelement <16 x float> poison, float %param.97, i64 0
  %v99 = shufflevector <16 x float> %v98, <16 x float> poison, <16 x i32> zeroinitializer
  %v100 = getelementptr i8, ptr %args, i64 104
  %param.101 = load float, ptr %v100, align 8
  %v102 = insertelement <16 x float> poison, float %param.101, i64 0
  %v103 = shufflevector <16 x float> %v102, <16 x float> poison, <16 x i32> zeroinitializer
  %v104 = fmul <16 x float> %v99, %v103
  br label %t.45
t.45:
  %t.48 = phi i64 [ %first_frame, %entry ], [ %t.48.next, %t.next.49 ]
  %v50 = icmp slt i64 %t.48, %last_frame
  br i1 %v50, label %t.do.46, label %t.end.47
t.do.46:
  %v534 = mul i64 %frames, 0
  %v535 = add i64 %v534, %t.48
  %v536 = getelementptr ptr, ptr %images, i64 %v535
  %input0 = load ptr, ptr %v536, align 8
  %v537 = mul i64 %frames, 1
  %v538 = add i64 %v537, %t.48
  %v539 = getelementptr ptr, ptr %images, i64 %v538
  %output0 = load ptr, ptr %v539, align 8
  %v540 = mul i64 %frames, 2
  %v541 = add i64 %v540, %t.48
  %v542 = getelementptr ptr, ptr %images, i64 %v541
  %output1 = load ptr, ptr %v542, align 8
  %v51 = icmp eq i64 %t.48, 0
  %v52 = icmp ne i64 %is_first, 0
  %v53 = and i1 %v51, %v52
  br label %step.54
step.54:
  %s.57 = phi i64 [ %v39, %t.do.46 ], [ %s.57.next, %step.next.58 ]
  %v59 = icmp slt i64 %s.57, %v44
  br i1 %v59, label %step.do.55, label %step.end.56
step.do.55:
  ; group 0: plane ring1, plane state2, plane state3; 2 rows ahead; 2 more above, 2 below
  %r.60 = add nsw i64 %s.57, 2
  %v61 = icmp sge i64 %r.60, %low0
  %v62 = icmp slt i64 %r.60, %high0
  %v63 = and i1 %v61, %v62
  br i1 %v63, label %group0.64, label %group0.end.65
group0.64:
  %v66 = icmp sge i64 %r.60, %first_row
  %v67 = icmp slt i64 %r.60, %last_row
  %v68 = and i1 %v66, %v67
  %v70 = mul nsw i64 %r.60, 64
  %in.row.71 = getelementptr i8, ptr %input0, i64 %v70
  %v113 = mul nsw i64 %r.60, 112
  %state2.row.114 = getelementptr float, ptr %state2, i64 %v113
  %v116 = mul nsw i64 %r.60, 112
  %state3.row.117 = getelementptr float, ptr %state3, i64 %v116
  br i1 %v53, label %first.200, label %then.201
first.200:
  br label %across.203
across.203:
  %x.69 = phi i64 [ 0, %first.200 ], [ %x.69.next, %across.203 ]
  %v72 = getelementptr i8, ptr %in.row.71, i64 %x.69
  %v73 = getelementptr i8, ptr %v72, i64 128
  call void @llvm.prefetch.p0(ptr %v73, i32 0, i32 3, i32 1)
  %v74 = load <16 x i8>, ptr %v72, align 1
  %v75 = zext <16 x i8> %v74 to <16 x i32>
  %v76 = sitofp <16 x i32> %v75 to <16 x float>
  %v77 = fmul <16 x float> %v76, splat (float 0xBE6FDFDFE0000000)
  %v78 = fmul <16 x float> %v76, splat (float 0x3F70102000000000)
  %v79 = fadd <16 x float> %v78, %v77
  %v80 = fsub <16 x float> %v79, %v79
  %v81 = fmul <16 x float> %v80, %v80
  %v87 = fcmp ogt <16 x float> %v86, %v86
  %v88 = select <16 x i1> %v87, <16 x float> %v86, <16 x float> %v86
  %v94 = fmul <16 x float> %v93, %v88
  %v95 = fcmp olt <16 x float> %v94, %v81
  %v105 = select <16 x i1> %v95, <16 x float> %v104, <16 x float> %v99
  %v106 = fmul <16 x float> %v105, %v80
  %v107 = fadd <16 x float> %v79, %v106
  %v108 = fsub <16 x float> %v81, %v86
  %v109 = fmul <16 x float> %v105, %v108
  %v110 = fadd <16 x float> %v86, %v109
  %v111 = getelementptr i8, ptr %ring1, i64 %x.69
  %v112 = zext <16 x i1> %v95 to <16 x i8>
  store <16 x i8> %v112, ptr %v111, align 16
  %v115 = getelementptr float, ptr %state2.row.114, i64 %x.69
  store <16 x float> %v107, ptr %v115, align 64
  %v118 = getelementptr float, ptr %state3.row.117, i64 %x.69
  store <16 x float> %v110, ptr %v118, align 64
  %v119 = add i64 %x.69, 16
  %v120 = getelementptr i8, ptr %in.row.71, i64 %v119
  %v121 = load <16 x i8>, ptr %v120, align 1
  %v122 = zext <16 x i8> %v121 to <16 x i32>
  %v123 = sitofp <16 x i32> %v122 to <16 x float>
  %v124 = fmul <16 x float> %v123, splat (float 0xBE6FDFDFE0000000)
  %v125 = fmul <16 x float> %v123, splat (float 0x3F70102000000000)
  %v126 = fadd <16 x float> %v125, %v124
  %v127 = fsub <16 x float> %v126, %v126
  %v128 = fmul <16 x float> %v127, %v127
  %v129 = fcmp ogt <16 x float> %v86, %v86
  %v130 = select <16 x i1> %v129, <16 x float> %v86, <16 x float> %v86
  %v131 = fmul <16 x float> %v93, %v130
  %v132 = fcmp olt <16 x float> %v131, %v128
  %v133 = select <16 x i1> %v132, <16 x float> %v104, <16 x float> %v99
  %v134 = fmul <16 x float> %v133, %v127
  %v135 = fadd <16 x float> %v126, %v134
  %v136 = fsub <16 x float> %v128, %v86
  %v137 = fmul <16 x float> %v133, %v136
  %v138 = fadd <16 x float> %v86, %v137
  %v139 = getelementptr i8, ptr %ring1, i64 %v119
  %v140 = zext <16 x i1> %v132 to <16 x i8>
  store <16 x i8> %v140, ptr %v139, align 16
  %v141 = getelementptr float, ptr %state2.row.114, i64 %v119
  store <16 x float> %v135, ptr %v141, align 64
  %v142 = getelementptr float, ptr %state3.row.117, i64 %v119
  store <16 x float> %v138, ptr %v142, align 64
  %x.69.next = add nuw nsw i64 %x.69, 32
  %x.69.more = icmp ult i64 %x.69.next, 64
  br i1 %x.69.more, label %across.203, label %across.end.204
across.end.204:
  br label %done.202
then.201:
  br label %across.205
across.205:
  %x.143 = phi i64 [ 0, %then.201 ], [ %x.143.next, %across.205 ]
  %v144 = getelementptr float, ptr %state2.row.114, i64 %x.143
  %v145 = load <16 x float>, ptr %v144, align 64
  %v146 = getelementptr i8, ptr %in.row.71, i64 %x.143
  %v147 = getelementptr i8, ptr %v146, i64 128
  call void @llvm.prefetch.p0(ptr %v147, i32 0, i32 3, i32 1)
  %v148 = load <16 x i8>, ptr %v146, align 1
  %v149 = zext <16 x i8> %v148 to <16 x i32>
  %v150 = sitofp <16 x i32> %v149 to <16 x float>
  %v151 = fmul <16 x float> %v150, splat (float 0xBE6FDFDFE0000000)
  %v152 = fmul <16 x float> %v150, splat (float 0x3F70102000000000)
  %v153 = fadd <16 x float> %v152, %v151
  %v154 = fsub <16 x float> %v153, %v145
  %v155 = fmul <16 x float> %v154, %v154
  %v156 = getelementptr float, ptr %state3.row.117, i64 %x.143
  %v157 = load <16 x float>, ptr %v156, align 64
  %v158 = fcmp ogt <16 x float> %v157, %v86
  %v159 = select <16 x i1> %v158, <16 x float> %v157, <16 x float> %v86
  %v160 = fmul <16 x float> %v93, %v159
  %v161 = fcmp olt <16 x float> %v160, %v155
  %v162 = select <16 x i1> %v161, <16 x float> %v104, <16 x float> %v99
  %v163 = fmul <16 x float> %v162, %v154
  %v164 = fadd <16 x float> %v145, %v163
  %v165 = fsub <16 x float> %v155, %v157
  %v166 = fmul <16 x float> %v162, %v165
  %v167 = fadd <16 x float> %v157, %v166
  %v168 = getelementptr i8, ptr %ring1, i64 %x.143
  %v169 = zext <16 x i1> %v161 to <16 x i8>
  store <16 x i8> %v169, ptr %v168, align 16
  %v170 = getelementptr float, ptr %state2.row.114, i64 %x.143
  store <16 x float> %v164, ptr %v170, align 64
  %v171 = getelementptr float, ptr %state3.row.117, i64 %x.143
  store <16 x float> %v167, ptr %v171, align 64
  %v172 = add i64 %x.143, 16
  %v173 = getelementptr float, ptr %state2.row.114, i64 %v172
  %v174 = load <16 x float>, ptr %v173, align 64
  %v175 = getelementptr i8, ptr %in.row.71, i64 %v172
  %v176 = load <16 x i8>, ptr %v175, align 1
  %v177 = zext <16 x i8> %v176 to <16 x i32>
  %v178 = sitofp <16 x i32> %v177 to <16 x float>
  %v179 = fmul <16 x float> %v178, splat (float 0xBE6FDFDFE0000000)
  %v180 = fmul <16 x float> %v178, splat (float 0x3F70102000000000)
  %v181 = fadd <16 x float> %v180, %v179
  %v182 = fsub <16 x float> %v181, %v174
  %v183 = fmul <16 x float> %v182, %v182
  %v184 = getelementptr float, ptr %state3.row.117, i64 %v172
  %v185 = load <16 x float>, ptr %v184, align 64
  %v186 = fcmp ogt <16 x float> %v185, %v86
  %v187 = select <16 x i1> %v186, <16 x float> %v185, <16 x float> %v86
  %v188 = fmul <16 x float> %v93, %v187
  %v189 = fcmp olt <16 x float> %v188, %v183
  %v190 = select <16 x i1> %v189, <16 x float> %v104, <16 x float> %v99
  %v191 = fmul <16 x float> %v190, %v182
  %v192 = fadd <16 x float> %v174, %v191
  %v193 = fsub <16 x float> %v183, %v185
  %v194 = fmul <16 x float> %v190, %v193
  %v195 = fadd <16 x float> %v185, %v194
  %v196 = getelementptr i8, ptr %ring1, i64 %v172
  %v197 = zext <16 x i1> %v189 to <16 x i8>
  store <16 x i8> %v197, ptr %v196, align 16
  %v198 = getelementptr float, ptr %state2.row.114, i64 %v172
  store <16 x float> %v192, ptr %v198, align 64
  %v199 = getelementptr float, ptr %state3.row.117, i64 %v172
  store <16 x float> %v195, ptr %v199, align 64
  %x.143.next = add nuw nsw i64 %x.143, 32
  %x.143.more = icmp ult i64 %x.143.next, 64
  br i1 %x.143.more, label %across.205, label %across.end.206
across.end.206:
  br label %done.202
done.202:
  %v207 = getelementptr i8, ptr %ring1, i64 0
  %v208 = load i8, ptr %v207
  %v209 = getelementptr i8, ptr %ring1, i64 -1
  store i8 %v208, ptr %v209
  %v210 = getelementptr i8, ptr %ring1, i64 63
  %v211 = load i8, ptr %v210
  %v212 = getelementptr i8, ptr %ring1, i64 64
  store i8 %v211, ptr %v212
  br label %group0.end.65
group0.end.65:
  ; group 1: output; 0 rows ahead; 0 more above, 0 below
  %r.213 = add nsw i64 %s.57, 0
  %v214 = icmp sge i64 %r.213, %low1
  %v215 = icmp slt i64 %r.213, %high1
  %v216 = and i1 %v214, %v215
  br i1 %v216, label %group1.217, label %group1.end.218
group1.217:
  %v220 = mul nsw i64 %r.213, 64
  %in.row.221 = getelementptr i8, ptr %input0, i64 %v220
  %v230 = mul nsw i64 %r.213, 64
  %out.row.231 = getelementptr float, ptr %output0, i64 %v230
  br label %across.244
across.244:
  %x.219 = phi i64 [ 0, %group1.217 ], [ %x.219.next, %across.244 ]
  %v222 = getelementptr i8, ptr %in.row.221, i64 %x.219
  %v223 = getelementptr i8, ptr %v222, i64 128
  call void @llvm.prefetch.p0(ptr %v223, i32 0, i32 3, i32 1)
  %v224 = load <16 x i8>, ptr %v222, align 1
  %v225 = zext <16 x i8> %v224 to <16 x i32>
  %v226 = sitofp <16 x i32> %v225 to <16 x float>
  %v227 = fmul <16 x float> %v226, splat (float 0xBE6FDFDFE0000000)
  %v228 = fmul <16 x float> %v226, splat (float 0x3F70102000000000)
  %v229 = fadd <16 x float> %v228, %v227
  %v232 = getelementptr float, ptr %out.row.231, i64 %x.219
  %v233 = getelementptr i8, ptr %v232, i64 512
  call void @llvm.prefetch.p0(ptr %v233, i32 1, i32 3, i32 1)
  store <16 x float> %v229, ptr %v232, align 4
  %v234 = add i64 %x.219, 16
  %v235 = getelementptr i8, ptr %in.row.221, i64 %v234
  %v236 = load <16 x i8>, ptr %v235, align 1
  %v237 = zext <16 x i8> %v236 to <16 x i32>
  %v238 = sitofp <16 x i32> %v237 to <16 x float>
  %v239 = fmul <16 x float> %v238, splat (float 0xBE6FDFDFE0000000)
  %v240 = fmul <16 x float> %v238, splat (float 0x3F70102000000000)
  %v241 = fadd <16 x float> %v240, %v239
  %v242 = getelementptr float, ptr %out.row.231, i64 %v234
  %v243 = getelementptr i8, ptr %v242, i64 512
  call void @llvm.prefetch.p0(ptr %v243, i32 1, i32 3, i32 1)
  store <16 x float> %v241, ptr %v242, align 4
  %x.219.next = add nuw nsw i64 %x.219, 32
  %x.219.more = icmp ult i64 %x.219.next, 64
  br i1 %x.219.more, label %across.244, label %across.end.245
across.end.245:
  br label %group1.end.218
group1.end.218:
  ; group 2: plane ring4; 2 rows ahead; 2 more above, 2 below
  %r.246 = add nsw i64 %s.57, 2
  %v247 = icmp sge i64 %r.246, %low2
  %v248 = icmp slt i64 %r.246, %high2
  %v249 = and i1 %v247, %v248
  ; group 3: plane ring5; 1 rows ahead; 1 more above, 1 below
  %r.250 = add nsw i64 %s.57, 1
  %v251 = icmp sge i64 %r.250, %low3
  %v252 = icmp slt i64 %r.250, %high3
  %v253 = and i1 %v251, %v252
  %v254 = icmp sge i64 %r.250, 1
  %v255 = and i1 %v249, %v253
  %v256 = and i1 %v254, %v255
  br i1 %v256, label %together.257, label %apart.258
together.257:
  %v260 = icmp sge i64 %r.246, %first_row
  %v261 = icmp slt i64 %r.246, %last_row
  %v262 = and i1 %v260, %v261
  %v272 = load <64 x i8>, ptr %ring1, align 64
  %v273 = shufflevector <64 x i8> %v272, <64 x i8> poison, <64 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %v274 = load <64 x i8>, ptr %ring1, align 64
  %v303 = urem i64 %r.246, 2
  %v304 = mul nsw i64 %v303, 192
  %ring4.row.305 = getelementptr i8, ptr %ring4, i64 %v304
  %v263 = icmp sge i64 %r.250, %first_row
  %v264 = icmp slt i64 %r.250, %last_row
  %v265 = and i1 %v263, %v264
  %v284 = urem i64 %r.250, 2
  %v285 = mul nsw i64 %v284, 192
  %ring4.row.286 = getelementptr i8, ptr %ring4, i64 %v285
  %v290 = add i64 %r.250, -1
  %v291 = call i64 @llvm.smax.i64(i64 %v290, i64 0)
  %v292 = call i64 @llvm.smin.i64(i64 %v291, i64 47)
  %v293 = urem i64 %v292, 2
  %v294 = mul nsw i64 %v293, 192
  %ring4.row.295 = getelementptr i8, ptr %ring4, i64 %v294
  br label %across.308
across.308:
  %x.266 = phi i64 [ 0, %together.257 ], [ %x.266.next, %across.308 ]
  %before.267 = phi <64 x i8> [ %v273, %together.257 ], [ %here.268, %across.308 ]
  %here.268 = phi <64 x i8> [ %v274, %together.257 ], [ %v271, %across.308 ]
  %v269 = getelementptr i8, ptr %ring1, i64 %x.266
  %v270 = getelementptr i8, ptr %v269, i64 64
  %v271 = load <64 x i8>, ptr %v270, align 64
  %v275 = shufflevector <64 x i8> %here.268, <64 x i8> %v271, <64 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31, i32 32, i32 33, i32 34, i32 35, i32 36, i32 37, i32 38, i32 39, i32 40, i32 41, i32 42, i32 43, i32 44, i32 45, i32 46, i32 47, i32 48, i32 49, i32 50, i32 51, i32 52, i32 53, i32 54, i32 55, i32 56, i32 57, i32 58, i32 59, i32 60, i32 61, i32 62, i32 63, i32 64>
  %v276 = icmp ne <64 x i8> %v275, zeroinitializer
  %v277 = icmp ne <64 x i8> %here.268, zeroinitializer
  %v278 = shufflevector <64 x i8> %before.267, <64 x i8> %here.268, <64 x i32> <i32 63, i32 64, i32 65, i32 66, i32 67, i32 68, i32 69, i32 70, i32 71, i32 72, i32 73, i32 74, i32 75, i32 76, i32 77, i32 78, i32 79, i32 80, i32 81, i32 82, i32 83, i32 84, i32 85, i32 86, i32 87, i32 88, i32 89, i32 90, i32 91, i32 92, i32 93, i32 94, i32 95, i32 96, i32 97, i32 98, i32 99, i32 100, i32 101, i32 102, i32 103, i32 104, i32 105, i32 106, i32 107, i32 108, i32 109, i32 110, i32 111, i32 112, i32 113, i32 114, i32 115, i32 116, i32 117, i32 118, i32 119, i32 120, i32 121, i32 122, i32 123, i32 124, i32 125, i32 126>
  %v279 = icmp ne <64 x i8> %v278, zeroinitializer
  %v280 = and <64 x i1> %v279, %v277
  %v281 = and <64 x i8> %v278, %here.268
  %v282 = and <64 x i1> %v280, %v276
  %v283 = and <64 x i8> %v281, %v275
  %v287 = getelementptr i8, ptr %ring4.row.286, i64 %x.266
  %v288 = load <64 x i8>, ptr %v287, align 64
  %v289 = icmp ne <64 x i8> %v288, zeroinitializer
  %v296 = getelementptr i8, ptr %ring4.row.295, i64 %x.266
  %v297 = load <64 x i8>, ptr %v296, align 64
  %v298 = icmp ne <64 x i8> %v297, zeroinitializer
  %v299 = and <64 x i1> %v298, %v289
  %v300 = and <64 x i8> %v297, %v288
  %v301 = and <64 x i1> %v299, %v282
  %v302 = and <64 x i8> %v300, %v283
  %v306 = getelementptr i8, ptr %ring4.row.305, i64 %x.266
  store <64 x i8> %v283, ptr %v306, align 64
  %v307 = getelementptr i8, ptr %ring5, i64 %x.266
  store <64 x i8> %v302, ptr %v307, align 64
  %x.266.next = add nuw nsw i64 %x.266, 64
  %x.266.more = icmp ult i64 %x.266.next, 64
  br i1 %x.266.more, label %across.308, label %across.end.309
across.end.309:
  %v310 = getelementptr i8, ptr %ring5, i64 0
  %v311 = load i8, ptr %v310
  %v312 = getelementptr i8, ptr %ring5, i64 -1
  store i8 %v311, ptr %v312
  %v313 = getelementptr i8, ptr %ring5, i64 63
  %v314 = load i8, ptr %v313
  %v315 = getelementptr i8, ptr %ring5, i64 64
  store i8 %v314, ptr %v315
  br label %joined.259
apart.258:
  ; group 2: plane ring4; 2 rows ahead; 2 more above, 2 below
  %r.316 = add nsw i64 %s.57, 2
  %v317 = icmp sge i64 %r.316, %low2
  %v318 = icmp slt i64 %r.316, %high2
  %v319 = and i1 %v317, %v318
  br i1 %v319, label %group2.320, label %group2.end.321
group2.320:
  %v322 = icmp sge i64 %r.316, %first_row
  %v323 = icmp slt i64 %r.316, %last_row
  %v324 = and i1 %v322, %v323
  %v331 = load <64 x i8>, ptr %ring1, align 64
  %v332 = shufflevector <64 x i8> %v331, <64 x i8> poison, <64 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %v333 = load <64 x i8>, ptr %ring1, align 64
  %v343 = urem i64 %r.316, 2
  %v344 = mul nsw i64 %v343, 192
  %ring4.row.345 = getelementptr i8, ptr %ring4, i64 %v344
  br label %across.347
across.347:
  %x.325 = phi i64 [ 0, %group2.320 ], [ %x.325.next, %across.347 ]
  %before.326 = phi <64 x i8> [ %v332, %group2.320 ], [ %here.327, %across.347 ]
  %here.327 = phi <64 x i8> [ %v333, %group2.320 ], [ %v330, %across.347 ]
  %v328 = getelementptr i8, ptr %ring1, i64 %x.325
  %v329 = getelementptr i8, ptr %v328, i64 64
  %v330 = load <64 x i8>, ptr %v329, align 64
  %v334 = shufflevector <64 x i8> %here.327, <64 x i8> %v330, <64 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31, i32 32, i32 33, i32 34, i32 35, i32 36, i32 37, i32 38, i32 39, i32 40, i32 41, i32 42, i32 43, i32 44, i32 45, i32 46, i32 47, i32 48, i32 49, i32 50, i32 51, i32 52, i32 53, i32 54, i32 55, i32 56, i32 57, i32 58, i32 59, i32 60, i32 61, i32 62, i32 63, i32 64>
  %v335 = icmp ne <64 x i8> %v334, zeroinitializer
  %v336 = icmp ne <64 x i8> %here.327, zeroinitializer
  %v337 = shufflevector <64 x i8> %before.326, <64 x i8> %here.327, <64 x i32> <i32 63, i32 64, i32 65, i32 66, i32 67, i32 68, i32 69, i32 70, i32 71, i32 72, i32 73, i32 74, i32 75, i32 76, i32 77, i32 78, i32 79, i32 80, i32 81, i32 82, i32 83, i32 84, i32 85, i32 86, i32 87, i32 88, i32 89, i32 90, i32 91, i32 92, i32 93, i32 94, i32 95, i32 96, i32 97, i32 98, i32 99, i32 100, i32 101, i32 102, i32 103, i32 104, i32 105, i32 106, i32 107, i32 108, i32 109, i32 110, i32 111, i32 112, i32 113, i32 114, i32 115, i32 116, i32 117, i32 118, i32 119, i32 120, i32 121, i32 122, i32 123, i32 124, i32 125, i32 126>
  %v338 = icmp ne <64 x i8> %v337, zeroinitializer
  %v339 = and <64 x i1> %v338, %v336
  %v340 = and <64 x i8> %v337, %here.327
  %v341 = and <64 x i1> %v339, %v335
  %v342 = and <64 x i8> %v340, %v334
  %v346 = getelementptr i8, ptr %ring4.row.345, i64 %x.325
  store <64 x i8> %v342, ptr %v346, align 64
  %x.325.next = add nuw nsw i64 %x.325, 64
  %x.325.more = icmp ult i64 %x.325.next, 64
  br i1 %x.325.more, label %across.347, label %across.end.348
across.end.348:
  br label %group2.end.321
group2.end.321:
  ; group 3: plane ring5; 1 rows ahead; 1 more above, 1 below
  %r.349 = add nsw i64 %s.57, 1
  %v350 = icmp sge i64 %r.349, %low3
  %v351 = icmp slt i64 %r.349, %high3
  %v352 = and i1 %v350, %v351
  br i1 %v352, label %group3.353, label %group3.end.354
group3.353:
  %v355 = icmp sge i64 %r.349, %first_row
  %v356 = icmp slt i64 %r.349, %last_row
  %v357 = and i1 %v355, %v356
  %v359 = add i64 %r.349, 1
  %v360 = call i64 @llvm.smax.i64(i64 %v359, i64 0)
  %v361 = call i64 @llvm.smin.i64(i64 %v360, i64 47)
  %v362 = urem i64 %v361, 2
  %v363 = mul nsw i64 %v362, 192
  %ring4.row.364 = getelementptr i8, ptr %ring4, i64 %v363
  %v368 = urem i64 %r.349, 2
  %v369 = mul nsw i64 %v368, 192
  %ring4.row.370 = getelementptr i8, ptr %ring4, i64 %v369
  %v374 = add i64 %r.349, -1
  %v375 = call i64 @llvm.smax.i64(i64 %v374, i64 0)
  %v376 = call i64 @llvm.smin.i64(i64 %v375, i64 47)
  %v377 = urem i64 %v376, 2
  %v378 = mul nsw i64 %v377, 192
  %ring4.row.379 = getelementptr i8, ptr %ring4, i64 %v378
  br label %across.388
across.388:
  %x.358 = phi i64 [ 0, %group3.353 ], [ %x.358.next, %across.388 ]
  %v365 = getelementptr i8, ptr %ring4.row.364, i64 %x.358
  %v366 = load <64 x i8>, ptr %v365, align 64
  %v367 = icmp ne <64 x i8> %v366, zeroinitializer
  %v371 = getelementptr i8, ptr %ring4.row.370, i64 %x.358
  %v372 = load <64 x i8>, ptr %v371, align 64
  %v373 = icmp ne <64 x i8> %v372, zeroinitializer
  %v380 = getelementptr i8, ptr %ring4.row.379, i64 %x.358
  %v381 = load <64 x i8>, ptr %v380, align 64
  %v382 = icmp ne <64 x i8> %v381, zeroinitializer
  %v383 = and <64 x i1> %v382, %v373
  %v384 = and <64 x i8> %v381, %v372
  %v385 = and <64 x i1> %v383, %v367
  %v386 = and <64 x i8> %v384, %v366
  %v387 = getelementptr i8, ptr %ring5, i64 %x.358
  store <64 x i8> %v386, ptr %v387, align 64
  %x.358.next = add nuw nsw i64 %x.358, 64
  %x.358.more = icmp ult i64 %x.358.next, 64
  br i1 %x.358.more, label %across.388, label %across.end.389
across.end.389:
  %v390 = getelementptr i8, ptr %ring5, i64 0
  %v391 = load i8, ptr %v390
  %v392 = getelementptr i8, ptr %ring5, i64 -1
  store i8 %v391, ptr %v392
  %v393 = getelementptr i8, ptr %ring5, i64 63
  %v394 = load i8, ptr %v393
  %v395 = getelementptr i8, ptr %ring5, i64 64
  store i8 %v394, ptr %v395
  br label %group3.end.354
group3.end.354:
  br label %joined.259
joined.259:
  ; group 4: plane ring6; 1 rows ahead; 1 more above, 1 below
  %r.396 = add nsw i64 %s.57, 1
  %v397 = icmp sge i64 %r.396, %low4
  %v398 = icmp slt i64 %r.396, %high4
  %v399 = and i1 %v397, %v398
  ; group 5: output; 0 rows ahead; 0 more above, 0 below
  %r.400 = add nsw i64 %s.57, 0
  %v401 = icmp sge i64 %r.400, %low5
  %v402 = icmp slt i64 %r.400, %high5
  %v403 = and i1 %v401, %v402
  %v404 = icmp sge i64 %r.400, 1
  %v405 = and i1 %v399, %v403
  %v406 = and i1 %v404, %v405
  br i1 %v406, label %together.407, label %apart.408
together.407:
  %v410 = icmp sge i64 %r.396, %first_row
  %v411 = icmp slt i64 %r.396, %last_row
  %v412 = and i1 %v410, %v411
  %v419 = load <64 x i8>, ptr %ring5, align 64
  %v420 = shufflevector <64 x i8> %v419, <64 x i8> poison, <64 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %v421 = load <64 x i8>, ptr %ring5, align 64
  %v450 = urem i64 %r.396, 2
  %v451 = mul nsw i64 %v450, 192
  %ring6.row.452 = getelementptr i8, ptr %ring6, i64 %v451
  %v431 = urem i64 %r.400, 2
  %v432 = mul nsw i64 %v431, 192
  %ring6.row.433 = getelementptr i8, ptr %ring6, i64 %v432
  %v437 = add i64 %r.400, -1
  %v438 = call i64 @llvm.smax.i64(i64 %v437, i64 0)
  %v439 = call i64 @llvm.smin.i64(i64 %v438, i64 47)
  %v440 = urem i64 %v439, 2
  %v441 = mul nsw i64 %v440, 192
  %ring6.row.442 = getelementptr i8, ptr %ring6, i64 %v441
  %v454 = mul nsw i64 %r.400, 64
  %out.row.455 = getelementptr i8, ptr %output1, i64 %v454
  br label %across.458
across.458:
  %x.413 = phi i64 [ 0, %together.407 ], [ %x.413.next, %across.458 ]
  %before.414 = phi <64 x i8> [ %v420, %together.407 ], [ %here.415, %across.458 ]
  %here.415 = phi <64 x i8> [ %v421, %together.407 ], [ %v418, %across.458 ]
  %v416 = getelementptr i8, ptr %ring5, i64 %x.413
  %v417 = getelementptr i8, ptr %v416, i64 64
  %v418 = load <64 x i8>, ptr %v417, align 64
  %v422 = shufflevector <64 x i8> %here.415, <64 x i8> %v418, <64 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31, i32 32, i32 33, i32 34, i32 35, i32 36, i32 37, i32 38, i32 39, i32 40, i32 41, i32 42, i32 43, i32 44, i32 45, i32 46, i32 47, i32 48, i32 49, i32 50, i32 51, i32 52, i32 53, i32 54, i32 55, i32 56, i32 57, i32 58, i32 59, i32 60, i32 61, i32 62, i32 63, i32 64>
  %v423 = icmp ne <64 x i8> %v422, zeroinitializer
  %v424 = icmp ne <64 x i8> %here.415, zeroinitializer
  %v425 = shufflevector <64 x i8> %before.414, <64 x i8> %here.415, <64 x i32> <i32 63, i32 64, i32 65, i32 66, i32 67, i32 68, i32 69, i32 70, i32 71, i32 72, i32 73, i32 74, i32 75, i32 76, i32 77, i32 78, i32 79, i32 80, i32 81, i32 82, i32 83, i32 84, i32 85, i32 86, i32 87, i32 88, i32 89, i32 90, i32 91, i32 92, i32 93, i32 94, i32 95, i32 96, i32 97, i32 98, i32 99, i32 100, i32 101, i32 102, i32 103, i32 104, i32 105, i32 106, i32 107, i32 108, i32 109, i32 110, i32 111, i32 112, i32 113, i32 114, i32 115, i32 116, i32 117, i32 118, i32 119, i32 120, i32 121, i32 122, i32 123, i32 124, i32 125, i32 126>
  %v426 = icmp ne <64 x i8> %v425, zeroinitializer
  %v427 = or <64 x i1> %v426, %v424
  %v428 = or <64 x i8> %v425, %here.415
  %v429 = or <64 x i1> %v427, %v423
  %v430 = or <64 x i8> %v428, %v422
  %v434 = getelementptr i8, ptr %ring6.row.433, i64 %x.413
  %v435 = load <64 x i8>, ptr %v434, align 64
  %v436 = icmp ne <64 x i8> %v435, zeroinitializer
  %v443 = getelementptr i8, ptr %ring6.row.442, i64 %x.413
  %v444 = load <64 x i8>, ptr %v443, align 64
  %v445 = icmp ne <64 x i8> %v444, zeroinitializer
  %v446 = or <64 x i1> %v445, %v436
  %v447 = or <64 x i8> %v444, %v435
  %v448 = or <64 x i1> %v446, %v429
  %v449 = or <64 x i8> %v447, %v430
  %v453 = getelementptr i8, ptr %ring6.row.452, i64 %x.413
  store <64 x i8> %v430, ptr %v453, align 64
  %v456 = getelementptr i8, ptr %out.row.455, i64 %x.413
  %v457 = getelementptr i8, ptr %v456, i64 128
  call void @llvm.prefetch.p0(ptr %v457, i32 1, i32 3, i32 1)
  store <64 x i8> %v449, ptr %v456, align 1
  %x.413.next = add nuw nsw i64 %x.413, 64
  %x.413.more = icmp ult i64 %x.413.next, 64
  br i1 %x.413.more, label %across.458, label %across.end.459
across.end.459:
  br label %joined.409
apart.408:
  ; group 4: plane ring6; 1 rows ahead; 1 more above, 1 below
  %r.460 = add nsw i64 %s.57, 1
  %v461 = icmp sge i64 %r.460, %low4
  %v462 = icmp slt i64 %r.460, %high4
  %v463 = and i1 %v461, %v462
  br i1 %v463, label %group4.464, label %group4.end.465
group4.464:
  %v466 = icmp sge i64 %r.460, %first_row
  %v467 = icmp slt i64 %r.460, %last_row
  %v468 = and i1 %v466, %v467
  %v475 = load <64 x i8>, ptr %ring5, align 64
  %v476 = shufflevector <64 x i8> %v475, <64 x i8> poison, <64 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %v477 = load <64 x i8>, ptr %ring5, align 64
  %v487 = urem i64 %r.460, 2
  %v488 = mul nsw i64 %v487, 192
  %ring6.row.489 = getelementptr i8, ptr %ring6, i64 %v488
  br label %across.491
across.491:
  %x.469 = phi i64 [ 0, %group4.464 ], [ %x.469.next, %across.491 ]
  %before.470 = phi <64 x i8> [ %v476, %group4.464 ], [ %here.471, %across.491 ]
  %here.471 = phi <64 x i8> [ %v477, %group4.464 ], [ %v474, %across.491 ]
  %v472 = getelementptr i8, ptr %ring5, i64 %x.469
  %v473 = getelementptr i8, ptr %v472, i64 64
  %v474 = load <64 x i8>, ptr %v473, align 64
  %v478 = shufflevector <64 x i8> %here.471, <64 x i8> %v474, <64 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31, i32 32, i32 33, i32 34, i32 35, i32 36, i32 37, i32 38, i32 39, i32 40, i32 41, i32 42, i32 43, i32 44, i32 45, i32 46, i32 47, i32 48, i32 49, i32 50, i32 51, i32 52, i32 53, i32 54, i32 55, i32 56, i32 57, i32 58, i32 59, i32 60, i32 61, i32 62, i32 63, i32 64>
  %v479 = icmp ne <64 x i8> %v478, zeroinitializer
  %v480 = icmp ne <64 x i8> %here.471, zeroinitializer
  %v481 = shufflevector <64 x i8> %before.470, <64 x i8> %here.471, <64 x i32> <i32 63, i32 64, i32 65, i32 66, i32 67, i32 68, i32 69, i32 70, i32 71, i32 72, i32 73, i32 74, i32 75, i32 76, i32 77, i32 78, i32 79, i32 80, i32 81, i32 82, i32 83, i32 84, i32 85, i32 86, i32 87, i32 88, i32 89, i32 90, i32 91, i32 92, i32 93, i32 94, i32 95, i32 96, i32 97, i32 98, i32 99, i32 100, i32 101, i32 102, i32 103, i32 104, i32 105, i32 106, i32 107, i32 108, i32 109, i32 110, i32 111, i32 112, i32 113, i32 114, i32 115, i32 116, i32 117, i32 118, i32 119, i32 120, i32 121, i32 122, i32 123, i32 124, i32 125, i32 126>
  %v482 = icmp ne <64 x i8> %v481, zeroinitializer
  %v483 = or <64 x i1> %v482, %v480
  %v484 = or <64 x i8> %v481, %here.471
  %v485 = or <64 x i1> %v483, %v479
  %v486 = or <64 x i8> %v484, %v478
  %v490 = getelementptr i8, ptr %ring6.row.489, i64 %x.469
  store <64 x i8> %v486, ptr %v490, align 64
  %x.469.next = add nuw nsw i64 %x.469, 64
  %x.469.more = icmp ult i64 %x.469.next, 64
  br i1 %x.469.more, label %across.491, label %across.end.492
across.end.492:
  br label %group4.end.465
group4.end.465:
  ; group 5: output; 0 rows ahead; 0 more above, 0 below
  %r.493 = add nsw i64 %s.57, 0
  %v494 = icmp sge i64 %r.493, %low5
  %v495 = icmp slt i64 %r.493, %high5
  %v496 = and i1 %v494, %v495
  br i1 %v496, label %group5.497, label %group5.end.498
group5.497:
  %v500 = add i64 %r.493, 1
  %v501 = call i64 @llvm.smax.i64(i64 %v500, i64 0)
  %v502 = call i64 @llvm.smin.i64(i64 %v501, i64 47)
  %v503 = urem i64 %v502, 2
  %v504 = mul nsw i64 %v503, 192
  %ring6.row.505 = getelementptr i8, ptr %ring6, i64 %v504
  %v509 = urem i64 %r.493, 2
  %v510 = mul nsw i64 %v509, 192
  %ring6.row.511 = getelementptr i8, ptr %ring6, i64 %v510
  %v515 = add i64 %r.493, -1
  %v516 = call i64 @llvm.smax.i64(i64 %v515, i64 0)
  %v517 = call i64 @llvm.smin.i64(i64 %v516, i64 47)
  %v518 = urem i64 %v517, 2
  %v519 = mul nsw i64 %v518, 192
  %ring6.row.520 = getelementptr i8, ptr %ring6, i64 %v519
  %v528 = mul nsw i64 %r.493, 64
  %out.row.529 = getelementptr i8, ptr %output1, i64 %v528
  br label %across.532
across.532:
  %x.499 = phi i64 [ 0, %group5.497 ], [ %x.499.next, %across.532 ]
  %v506 = getelementptr i8, ptr %ring6.row.505, i64 %x.499
  %v507 = load <64 x i8>, ptr %v506, align 64
  %v508 = icmp ne <64 x i8> %v507, zeroinitializer
  %v512 = getelementptr i8, ptr %ring6.row.511, i64 %x.499
  %v513 = load <64 x i8>, ptr %v512, align 64
  %v514 = icmp ne <64 x i8> %v513, zeroinitializer
  %v521 = getelementptr i8, ptr %ring6.row.520, i64 %x.499
  %v522 = load <64 x i8>, ptr %v521, align 64
  %v523 = icmp ne <64 x i8> %v522, zeroinitializer
  %v524 = or <64 x i1> %v523, %v514
  %v525 = or <64 x i8> %v522, %v513
  %v526 = or <64 x i1> %v524, %v508
  %v527 = or <64 x i8> %v525, %v507
  %v530 = getelementptr i8, ptr %out.row.529, i64 %x.499
  %v531 = getelementptr i8, ptr %v530, i64 128
  call void @llvm.prefetch.p0(ptr %v531, i32 1, i32 3, i32 1)
  store <64 x i8> %v527, ptr %v530, align 1
  %x.499.next = add nuw nsw i64 %x.499, 64
  %x.499.more = icmp ult i64 %x.499.next, 64
  br i1 %x.499.more, label %across.532, label %across.end.533
across.end.533:
  br label %group5.end.498
group5.end.498:
  br label %joined.409
joined.409:
  br label %step.next.58
step.next.58:
  %s.57.next = add nsw i64 %s.57, 1
  br label %step.54
step.end.56:
  br label %t.next.49
t.next.49:
  %t.48.next = add nsw i64 %t.48, 1
  br label %t.45
t.end.47:
  ret void
}

declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.smin.i64(i64, i64)
declare void @llvm.prefetch.p0(ptr, i32, i32, i32)

; bodies: a host function, nothing is generated
