; gray+sound+scale+even+moving+clean
;
; in0: 64x48 u8
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
  %v13 = sub i64 %first_row, 2
  %v14 = add i64 %last_row, 2
  %low1 = call i64 @llvm.smax.i64(i64 %v13, i64 0)
  %high1 = call i64 @llvm.smin.i64(i64 %v14, i64 48)
  %v15 = sub i64 %first_row, 1
  %v16 = add i64 %last_row, 1
  %low2 = call i64 @llvm.smax.i64(i64 %v15, i64 0)
  %high2 = call i64 @llvm.smin.i64(i64 %v16, i64 48)
  %v17 = sub i64 %first_row, 1
  %v18 = add i64 %last_row, 1
  %low3 = call i64 @llvm.smax.i64(i64 %v17, i64 0)
  %high3 = call i64 @llvm.smin.i64(i64 %v18, i64 48)
  %v19 = sub i64 %first_row, 0
  %v20 = add i64 %last_row, 0
  %low4 = call i64 @llvm.smax.i64(i64 %v19, i64 0)
  %high4 = call i64 @llvm.smin.i64(i64 %v20, i64 48)
  %v21 = sub i64 %low0, 2
  %v22 = sub i64 %low1, 2
  %v23 = sub i64 %low2, 1
  %v24 = sub i64 %low3, 1
  %v25 = sub i64 %low4, 0
  %v26 = sub i64 %high0, 2
  %v27 = sub i64 %high1, 2
  %v28 = sub i64 %high2, 1
  %v29 = sub i64 %high3, 1
  %v30 = sub i64 %high4, 0
  %v31 = call i64 @llvm.smin.i64(i64 %v21, i64 %v22)
  %v32 = call i64 @llvm.smin.i64(i64 %v31, i64 %v23)
  %v33 = call i64 @llvm.smin.i64(i64 %v32, i64 %v24)
  %v34 = call i64 @llvm.smin.i64(i64 %v33, i64 %v25)
  %v35 = call i64 @llvm.smax.i64(i64 %v26, i64 %v27)
  %v36 = call i64 @llvm.smax.i64(i64 %v35, i64 %v28)
  %v37 = call i64 @llvm.smax.i64(i64 %v36, i64 %v29)
  %v38 = call i64 @llvm.smax.i64(i64 %v37, i64 %v30)
  %ring1 = getelementptr i8, ptr %scratch, i64 64
  %ring4 = getelementptr i8, ptr %scratch, i64 256
  %ring5 = getelementptr i8, ptr %scratch, i64 704
  %ring6 = getelementptr i8, ptr %scratch, i64 896
  %v76 = getelementptr i8, ptr %args, i64 80
  %param.77 = load float, ptr %v76, align 8
  %v78 = insertelement <16 x float> poison, float %param.77, i64 0
  %v79 = shufflevector <16 x float> %v78, <16 x float> poison, <16 x i32> zeroinitializer
  %v80 = fmul <16 x float> %v79, %v79
  %v83 = getelementptr i8, ptr %args, i64 88
  %param.84 = load float, ptr %v83, align 8
  %v85 = insertelement <16 x float> poison, float %param.84, i64 0
  %v86 = shufflevector <16 x float> %v85, <16 x float> poison, <16 x i32> zeroinitializer
  %v87 = fmul <16 x float> %v86, %v86
  %v90 = getelementptr i8, ptr %args, i64 96
  %param.91 = load float, ptr %v90, align 8
  %v92 = insertelement <16 x float> poison, float %param.91, i64 0
  %v93 = shufflevector <16 x float> %v92, <16 x float> poison, <16 x i32> zeroinitializer
  %v94 = getelementptr i8, ptr %args, i64 104
  %param.95 = load float, ptr %v94, align 8
  %v96 = insertelement <16 x float> poison, float %param.95, i64 0
  %v97 = shufflevector <16 x float> %v96, <16 x float> poison, <16 x i32> zeroinitializer
  %v98 = fmul <16 x float> %v93, %v97
  br label %t.39
t.39:
  %t.42 = phi i64 [ %first_frame, %entry ], [ %t.42.next, %t.next.43 ]
  %v44 = icmp slt i64 %t.42, %last_frame
  br i1 %v44, label %t.do.40, label %t.end.41
t.do.40:
  %v495 = mul i64 %frames, 0
  %v496 = add i64 %v495, %t.42
  %v497 = getelementptr ptr, ptr %images, i64 %v496
  %input0 = load ptr, ptr %v497, align 8
  %v498 = mul i64 %frames, 1
  %v499 = add i64 %v498, %t.42
  %v500 = getelementptr ptr, ptr %images, i64 %v499
  %output0 = load ptr, ptr %v500, align 8
  %v45 = icmp eq i64 %t.42, 0
  %v46 = icmp ne i64 %is_first, 0
  %v47 = and i1 %v45, %v46
  br label %step.48
step.48:
  %s.51 = phi i64 [ %v34, %t.do.40 ], [ %s.51.next, %step.next.52 ]
  %v53 = icmp slt i64 %s.51, %v38
  br i1 %v53, label %step.do.49, label %step.end.50
step.do.49:
  ; group 0: plane ring1, plane state2, plane state3; 2 rows ahead; 2 more above, 2 below
  %r.54 = add nsw i64 %s.51, 2
  %v55 = icmp sge i64 %r.54, %low0
  %v56 = icmp slt i64 %r.54, %high0
  %v57 = and i1 %v55, %v56
  br i1 %v57, label %group0.58, label %group0.end.59
group0.58:
  %v60 = icmp sge i64 %r.54, %first_row
  %v61 = icmp slt i64 %r.54, %last_row
  %v62 = and i1 %v60, %v61
  %v64 = mul nsw i64 %r.54, 64
  %in.row.65 = getelementptr i8, ptr %input0, i64 %v64
  %v107 = mul nsw i64 %r.54, 112
  %state2.row.108 = getelementptr float, ptr %state2, i64 %v107
  %v110 = mul nsw i64 %r.54, 112
  %state3.row.111 = getelementptr float, ptr %state3, i64 %v110
  br i1 %v47, label %first.194, label %then.195
first.194:
  br label %across.197
across.197:
  %x.63 = phi i64 [ 0, %first.194 ], [ %x.63.next, %across.197 ]
  %v66 = getelementptr i8, ptr %in.row.65, i64 %x.63
  %v67 = getelementptr i8, ptr %v66, i64 128
  call void @llvm.prefetch.p0(ptr %v67, i32 0, i32 3, i32 1)
  %v68 = load <16 x i8>, ptr %v66, align 1
  %v69 = zext <16 x i8> %v68 to <16 x i32>
  %v70 = sitofp <16 x i32> %v69 to <16 x float>
  %v71 = fmul <16 x float> %v70, splat (float 0xBE6FDFDFE0000000)
  %v72 = fmul <16 x float> %v70, splat (float 0x3F70102000000000)
  %v73 = fadd <16 x float> %v72, %v71
  %v74 = fsub <16 x float> %v73, %v73
  %v75 = fmul <16 x float> %v74, %v74
  %v81 = fcmp ogt <16 x float> %v80, %v80
  %v82 = select <16 x i1> %v81, <16 x float> %v80, <16 x float> %v80
  %v88 = fmul <16 x float> %v87, %v82
  %v89 = fcmp olt <16 x float> %v88, %v75
  %v99 = select <16 x i1> %v89, <16 x float> %v98, <16 x float> %v93
  %v100 = fmul <16 x float> %v99, %v74
  %v101 = fadd <16 x float> %v73, %v100
  %v102 = fsub <16 x float> %v75, %v80
  %v103 = fmul <16 x float> %v99, %v102
  %v104 = fadd <16 x float> %v80, %v103
  %v105 = getelementptr i8, ptr %ring1, i64 %x.63
  %v106 = zext <16 x i1> %v89 to <16 x i8>
  store <16 x i8> %v106, ptr %v105, align 16
  %v109 = getelementptr float, ptr %state2.row.108, i64 %x.63
  store <16 x float> %v101, ptr %v109, align 64
  %v112 = getelementptr float, ptr %state3.row.111, i64 %x.63
  store <16 x float> %v104, ptr %v112, align 64
  %v113 = add i64 %x.63, 16
  %v114 = getelementptr i8, ptr %in.row.65, i64 %v113
  %v115 = load <16 x i8>, ptr %v114, align 1
  %v116 = zext <16 x i8> %v115 to <16 x i32>
  %v117 = sitofp <16 x i32> %v116 to <16 x float>
  %v118 = fmul <16 x float> %v117, splat (float 0xBE6FDFDFE0000000)
  %v119 = fmul <16 x float> %v117, splat (float 0x3F70102000000000)
  %v120 = fadd <16 x float> %v119, %v118
  %v121 = fsub <16 x float> %v120, %v120
  %v122 = fmul <16 x float> %v121, %v121
  %v123 = fcmp ogt <16 x float> %v80, %v80
  %v124 = select <16 x i1> %v123, <16 x float> %v80, <16 x float> %v80
  %v125 = fmul <16 x float> %v87, %v124
  %v126 = fcmp olt <16 x float> %v125, %v122
  %v127 = select <16 x i1> %v126, <16 x float> %v98, <16 x float> %v93
  %v128 = fmul <16 x float> %v127, %v121
  %v129 = fadd <16 x float> %v120, %v128
  %v130 = fsub <16 x float> %v122, %v80
  %v131 = fmul <16 x float> %v127, %v130
  %v132 = fadd <16 x float> %v80, %v131
  %v133 = getelementptr i8, ptr %ring1, i64 %v113
  %v134 = zext <16 x i1> %v126 to <16 x i8>
  store <16 x i8> %v134, ptr %v133, align 16
  %v135 = getelementptr float, ptr %state2.row.108, i64 %v113
  store <16 x float> %v129, ptr %v135, align 64
  %v136 = getelementptr float, ptr %state3.row.111, i64 %v113
  store <16 x float> %v132, ptr %v136, align 64
  %x.63.next = add nuw nsw i64 %x.63, 32
  %x.63.more = icmp ult i64 %x.63.next, 64
  br i1 %x.63.more, label %across.197, label %across.end.198
across.end.198:
  br label %done.196
then.195:
  br label %across.199
across.199:
  %x.137 = phi i64 [ 0, %then.195 ], [ %x.137.next, %across.199 ]
  %v138 = getelementptr float, ptr %state2.row.108, i64 %x.137
  %v139 = load <16 x float>, ptr %v138, align 64
  %v140 = getelementptr i8, ptr %in.row.65, i64 %x.137
  %v141 = getelementptr i8, ptr %v140, i64 128
  call void @llvm.prefetch.p0(ptr %v141, i32 0, i32 3, i32 1)
  %v142 = load <16 x i8>, ptr %v140, align 1
  %v143 = zext <16 x i8> %v142 to <16 x i32>
  %v144 = sitofp <16 x i32> %v143 to <16 x float>
  %v145 = fmul <16 x float> %v144, splat (float 0xBE6FDFDFE0000000)
  %v146 = fmul <16 x float> %v144, splat (float 0x3F70102000000000)
  %v147 = fadd <16 x float> %v146, %v145
  %v148 = fsub <16 x float> %v147, %v139
  %v149 = fmul <16 x float> %v148, %v148
  %v150 = getelementptr float, ptr %state3.row.111, i64 %x.137
  %v151 = load <16 x float>, ptr %v150, align 64
  %v152 = fcmp ogt <16 x float> %v151, %v80
  %v153 = select <16 x i1> %v152, <16 x float> %v151, <16 x float> %v80
  %v154 = fmul <16 x float> %v87, %v153
  %v155 = fcmp olt <16 x float> %v154, %v149
  %v156 = select <16 x i1> %v155, <16 x float> %v98, <16 x float> %v93
  %v157 = fmul <16 x float> %v156, %v148
  %v158 = fadd <16 x float> %v139, %v157
  %v159 = fsub <16 x float> %v149, %v151
  %v160 = fmul <16 x float> %v156, %v159
  %v161 = fadd <16 x float> %v151, %v160
  %v162 = getelementptr i8, ptr %ring1, i64 %x.137
  %v163 = zext <16 x i1> %v155 to <16 x i8>
  store <16 x i8> %v163, ptr %v162, align 16
  %v164 = getelementptr float, ptr %state2.row.108, i64 %x.137
  store <16 x float> %v158, ptr %v164, align 64
  %v165 = getelementptr float, ptr %state3.row.111, i64 %x.137
  store <16 x float> %v161, ptr %v165, align 64
  %v166 = add i64 %x.137, 16
  %v167 = getelementptr float, ptr %state2.row.108, i64 %v166
  %v168 = load <16 x float>, ptr %v167, align 64
  %v169 = getelementptr i8, ptr %in.row.65, i64 %v166
  %v170 = load <16 x i8>, ptr %v169, align 1
  %v171 = zext <16 x i8> %v170 to <16 x i32>
  %v172 = sitofp <16 x i32> %v171 to <16 x float>
  %v173 = fmul <16 x float> %v172, splat (float 0xBE6FDFDFE0000000)
  %v174 = fmul <16 x float> %v172, splat (float 0x3F70102000000000)
  %v175 = fadd <16 x float> %v174, %v173
  %v176 = fsub <16 x float> %v175, %v168
  %v177 = fmul <16 x float> %v176, %v176
  %v178 = getelementptr float, ptr %state3.row.111, i64 %v166
  %v179 = load <16 x float>, ptr %v178, align 64
  %v180 = fcmp ogt <16 x float> %v179, %v80
  %v181 = select <16 x i1> %v180, <16 x float> %v179, <16 x float> %v80
  %v182 = fmul <16 x float> %v87, %v181
  %v183 = fcmp olt <16 x float> %v182, %v177
  %v184 = select <16 x i1> %v183, <16 x float> %v98, <16 x float> %v93
  %v185 = fmul <16 x float> %v184, %v176
  %v186 = fadd <16 x float> %v168, %v185
  %v187 = fsub <16 x float> %v177, %v179
  %v188 = fmul <16 x float> %v184, %v187
  %v189 = fadd <16 x float> %v179, %v188
  %v190 = getelementptr i8, ptr %ring1, i64 %v166
  %v191 = zext <16 x i1> %v183 to <16 x i8>
  store <16 x i8> %v191, ptr %v190, align 16
  %v192 = getelementptr float, ptr %state2.row.108, i64 %v166
  store <16 x float> %v186, ptr %v192, align 64
  %v193 = getelementptr float, ptr %state3.row.111, i64 %v166
  store <16 x float> %v189, ptr %v193, align 64
  %x.137.next = add nuw nsw i64 %x.137, 32
  %x.137.more = icmp ult i64 %x.137.next, 64
  br i1 %x.137.more, label %across.199, label %across.end.200
across.end.200:
  br label %done.196
done.196:
  %v201 = getelementptr i8, ptr %ring1, i64 0
  %v202 = load i8, ptr %v201
  %v203 = getelementptr i8, ptr %ring1, i64 -1
  store i8 %v202, ptr %v203
  %v204 = getelementptr i8, ptr %ring1, i64 63
  %v205 = load i8, ptr %v204
  %v206 = getelementptr i8, ptr %ring1, i64 64
  store i8 %v205, ptr %v206
  br label %group0.end.59
group0.end.59:
  ; group 1: plane ring4; 2 rows ahead; 2 more above, 2 below
  %r.207 = add nsw i64 %s.51, 2
  %v208 = icmp sge i64 %r.207, %low1
  %v209 = icmp slt i64 %r.207, %high1
  %v210 = and i1 %v208, %v209
  ; group 2: plane ring5; 1 rows ahead; 1 more above, 1 below
  %r.211 = add nsw i64 %s.51, 1
  %v212 = icmp sge i64 %r.211, %low2
  %v213 = icmp slt i64 %r.211, %high2
  %v214 = and i1 %v212, %v213
  %v215 = icmp sge i64 %r.211, 1
  %v216 = and i1 %v210, %v214
  %v217 = and i1 %v215, %v216
  br i1 %v217, label %together.218, label %apart.219
together.218:
  %v221 = icmp sge i64 %r.207, %first_row
  %v222 = icmp slt i64 %r.207, %last_row
  %v223 = and i1 %v221, %v222
  %v233 = load <64 x i8>, ptr %ring1, align 64
  %v234 = shufflevector <64 x i8> %v233, <64 x i8> poison, <64 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %v235 = load <64 x i8>, ptr %ring1, align 64
  %v264 = urem i64 %r.207, 2
  %v265 = mul nsw i64 %v264, 192
  %ring4.row.266 = getelementptr i8, ptr %ring4, i64 %v265
  %v224 = icmp sge i64 %r.211, %first_row
  %v225 = icmp slt i64 %r.211, %last_row
  %v226 = and i1 %v224, %v225
  %v245 = urem i64 %r.211, 2
  %v246 = mul nsw i64 %v245, 192
  %ring4.row.247 = getelementptr i8, ptr %ring4, i64 %v246
  %v251 = add i64 %r.211, -1
  %v252 = call i64 @llvm.smax.i64(i64 %v251, i64 0)
  %v253 = call i64 @llvm.smin.i64(i64 %v252, i64 47)
  %v254 = urem i64 %v253, 2
  %v255 = mul nsw i64 %v254, 192
  %ring4.row.256 = getelementptr i8, ptr %ring4, i64 %v255
  br label %across.269
across.269:
  %x.227 = phi i64 [ 0, %together.218 ], [ %x.227.next, %across.269 ]
  %before.228 = phi <64 x i8> [ %v234, %together.218 ], [ %here.229, %across.269 ]
  %here.229 = phi <64 x i8> [ %v235, %together.218 ], [ %v232, %across.269 ]
  %v230 = getelementptr i8, ptr %ring1, i64 %x.227
  %v231 = getelementptr i8, ptr %v230, i64 64
  %v232 = load <64 x i8>, ptr %v231, align 64
  %v236 = shufflevector <64 x i8> %here.229, <64 x i8> %v232, <64 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31, i32 32, i32 33, i32 34, i32 35, i32 36, i32 37, i32 38, i32 39, i32 40, i32 41, i32 42, i32 43, i32 44, i32 45, i32 46, i32 47, i32 48, i32 49, i32 50, i32 51, i32 52, i32 53, i32 54, i32 55, i32 56, i32 57, i32 58, i32 59, i32 60, i32 61, i32 62, i32 63, i32 64>
  %v237 = icmp ne <64 x i8> %v236, zeroinitializer
  %v238 = icmp ne <64 x i8> %here.229, zeroinitializer
  %v239 = shufflevector <64 x i8> %before.228, <64 x i8> %here.229, <64 x i32> <i32 63, i32 64, i32 65, i32 66, i32 67, i32 68, i32 69, i32 70, i32 71, i32 72, i32 73, i32 74, i32 75, i32 76, i32 77, i32 78, i32 79, i32 80, i32 81, i32 82, i32 83, i32 84, i32 85, i32 86, i32 87, i32 88, i32 89, i32 90, i32 91, i32 92, i32 93, i32 94, i32 95, i32 96, i32 97, i32 98, i32 99, i32 100, i32 101, i32 102, i32 103, i32 104, i32 105, i32 106, i32 107, i32 108, i32 109, i32 110, i32 111, i32 112, i32 113, i32 114, i32 115, i32 116, i32 117, i32 118, i32 119, i32 120, i32 121, i32 122, i32 123, i32 124, i32 125, i32 126>
  %v240 = icmp ne <64 x i8> %v239, zeroinitializer
  %v241 = and <64 x i1> %v240, %v238
  %v242 = and <64 x i8> %v239, %here.229
  %v243 = and <64 x i1> %v241, %v237
  %v244 = and <64 x i8> %v242, %v236
  %v248 = getelementptr i8, ptr %ring4.row.247, i64 %x.227
  %v249 = load <64 x i8>, ptr %v248, align 64
  %v250 = icmp ne <64 x i8> %v249, zeroinitializer
  %v257 = getelementptr i8, ptr %ring4.row.256, i64 %x.227
  %v258 = load <64 x i8>, ptr %v257, align 64
  %v259 = icmp ne <64 x i8> %v258, zeroinitializer
  %v260 = and <64 x i1> %v259, %v250
  %v261 = and <64 x i8> %v258, %v249
  %v262 = and <64 x i1> %v260, %v243
  %v263 = and <64 x i8> %v261, %v244
  %v267 = getelementptr i8, ptr %ring4.row.266, i64 %x.227
  store <64 x i8> %v244, ptr %v267, align 64
  %v268 = getelementptr i8, ptr %ring5, i64 %x.227
  store <64 x i8> %v263, ptr %v268, align 64
  %x.227.next = add nuw nsw i64 %x.227, 64
  %x.227.more = icmp ult i64 %x.227.next, 64
  br i1 %x.227.more, label %across.269, label %across.end.270
across.end.270:
  %v271 = getelementptr i8, ptr %ring5, i64 0
  %v272 = load i8, ptr %v271
  %v273 = getelementptr i8, ptr %ring5, i64 -1
  store i8 %v272, ptr %v273
  %v274 = getelementptr i8, ptr %ring5, i64 63
  %v275 = load i8, ptr %v274
  %v276 = getelementptr i8, ptr %ring5, i64 64
  store i8 %v275, ptr %v276
  br label %joined.220
apart.219:
  ; group 1: plane ring4; 2 rows ahead; 2 more above, 2 below
  %r.277 = add nsw i64 %s.51, 2
  %v278 = icmp sge i64 %r.277, %low1
  %v279 = icmp slt i64 %r.277, %high1
  %v280 = and i1 %v278, %v279
  br i1 %v280, label %group1.281, label %group1.end.282
group1.281:
  %v283 = icmp sge i64 %r.277, %first_row
  %v284 = icmp slt i64 %r.277, %last_row
  %v285 = and i1 %v283, %v284
  %v292 = load <64 x i8>, ptr %ring1, align 64
  %v293 = shufflevector <64 x i8> %v292, <64 x i8> poison, <64 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %v294 = load <64 x i8>, ptr %ring1, align 64
  %v304 = urem i64 %r.277, 2
  %v305 = mul nsw i64 %v304, 192
  %ring4.row.306 = getelementptr i8, ptr %ring4, i64 %v305
  br label %across.308
across.308:
  %x.286 = phi i64 [ 0, %group1.281 ], [ %x.286.next, %across.308 ]
  %before.287 = phi <64 x i8> [ %v293, %group1.281 ], [ %here.288, %across.308 ]
  %here.288 = phi <64 x i8> [ %v294, %group1.281 ], [ %v291, %across.308 ]
  %v289 = getelementptr i8, ptr %ring1, i64 %x.286
  %v290 = getelementptr i8, ptr %v289, i64 64
  %v291 = load <64 x i8>, ptr %v290, align 64
  %v295 = shufflevector <64 x i8> %here.288, <64 x i8> %v291, <64 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31, i32 32, i32 33, i32 34, i32 35, i32 36, i32 37, i32 38, i32 39, i32 40, i32 41, i32 42, i32 43, i32 44, i32 45, i32 46, i32 47, i32 48, i32 49, i32 50, i32 51, i32 52, i32 53, i32 54, i32 55, i32 56, i32 57, i32 58, i32 59, i32 60, i32 61, i32 62, i32 63, i32 64>
  %v296 = icmp ne <64 x i8> %v295, zeroinitializer
  %v297 = icmp ne <64 x i8> %here.288, zeroinitializer
  %v298 = shufflevector <64 x i8> %before.287, <64 x i8> %here.288, <64 x i32> <i32 63, i32 64, i32 65, i32 66, i32 67, i32 68, i32 69, i32 70, i32 71, i32 72, i32 73, i32 74, i32 75, i32 76, i32 77, i32 78, i32 79, i32 80, i32 81, i32 82, i32 83, i32 84, i32 85, i32 86, i32 87, i32 88, i32 89, i32 90, i32 91, i32 92, i32 93, i32 94, i32 95, i32 96, i32 97, i32 98, i32 99, i32 100, i32 101, i32 102, i32 103, i32 104, i32 105, i32 106, i32 107, i32 108, i32 109, i32 110, i32 111, i32 112, i32 113, i32 114, i32 115, i32 116, i32 117, i32 118, i32 119, i32 120, i32 121, i32 122, i32 123, i32 124, i32 125, i32 126>
  %v299 = icmp ne <64 x i8> %v298, zeroinitializer
  %v300 = and <64 x i1> %v299, %v297
  %v301 = and <64 x i8> %v298, %here.288
  %v302 = and <64 x i1> %v300, %v296
  %v303 = and <64 x i8> %v301, %v295
  %v307 = getelementptr i8, ptr %ring4.row.306, i64 %x.286
  store <64 x i8> %v303, ptr %v307, align 64
  %x.286.next = add nuw nsw i64 %x.286, 64
  %x.286.more = icmp ult i64 %x.286.next, 64
  br i1 %x.286.more, label %across.308, label %across.end.309
across.end.309:
  br label %group1.end.282
group1.end.282:
  ; group 2: plane ring5; 1 rows ahead; 1 more above, 1 below
  %r.310 = add nsw i64 %s.51, 1
  %v311 = icmp sge i64 %r.310, %low2
  %v312 = icmp slt i64 %r.310, %high2
  %v313 = and i1 %v311, %v312
  br i1 %v313, label %group2.314, label %group2.end.315
group2.314:
  %v316 = icmp sge i64 %r.310, %first_row
  %v317 = icmp slt i64 %r.310, %last_row
  %v318 = and i1 %v316, %v317
  %v320 = add i64 %r.310, 1
  %v321 = call i64 @llvm.smax.i64(i64 %v320, i64 0)
  %v322 = call i64 @llvm.smin.i64(i64 %v321, i64 47)
  %v323 = urem i64 %v322, 2
  %v324 = mul nsw i64 %v323, 192
  %ring4.row.325 = getelementptr i8, ptr %ring4, i64 %v324
  %v329 = urem i64 %r.310, 2
  %v330 = mul nsw i64 %v329, 192
  %ring4.row.331 = getelementptr i8, ptr %ring4, i64 %v330
  %v335 = add i64 %r.310, -1
  %v336 = call i64 @llvm.smax.i64(i64 %v335, i64 0)
  %v337 = call i64 @llvm.smin.i64(i64 %v336, i64 47)
  %v338 = urem i64 %v337, 2
  %v339 = mul nsw i64 %v338, 192
  %ring4.row.340 = getelementptr i8, ptr %ring4, i64 %v339
  br label %across.349
across.349:
  %x.319 = phi i64 [ 0, %group2.314 ], [ %x.319.next, %across.349 ]
  %v326 = getelementptr i8, ptr %ring4.row.325, i64 %x.319
  %v327 = load <64 x i8>, ptr %v326, align 64
  %v328 = icmp ne <64 x i8> %v327, zeroinitializer
  %v332 = getelementptr i8, ptr %ring4.row.331, i64 %x.319
  %v333 = load <64 x i8>, ptr %v332, align 64
  %v334 = icmp ne <64 x i8> %v333, zeroinitializer
  %v341 = getelementptr i8, ptr %ring4.row.340, i64 %x.319
  %v342 = load <64 x i8>, ptr %v341, align 64
  %v343 = icmp ne <64 x i8> %v342, zeroinitializer
  %v344 = and <64 x i1> %v343, %v334
  %v345 = and <64 x i8> %v342, %v333
  %v346 = and <64 x i1> %v344, %v328
  %v347 = and <64 x i8> %v345, %v327
  %v348 = getelementptr i8, ptr %ring5, i64 %x.319
  store <64 x i8> %v347, ptr %v348, align 64
  %x.319.next = add nuw nsw i64 %x.319, 64
  %x.319.more = icmp ult i64 %x.319.next, 64
  br i1 %x.319.more, label %across.349, label %across.end.350
across.end.350:
  %v351 = getelementptr i8, ptr %ring5, i64 0
  %v352 = load i8, ptr %v351
  %v353 = getelementptr i8, ptr %ring5, i64 -1
  store i8 %v352, ptr %v353
  %v354 = getelementptr i8, ptr %ring5, i64 63
  %v355 = load i8, ptr %v354
  %v356 = getelementptr i8, ptr %ring5, i64 64
  store i8 %v355, ptr %v356
  br label %group2.end.315
group2.end.315:
  br label %joined.220
joined.220:
  ; group 3: plane ring6; 1 rows ahead; 1 more above, 1 below
  %r.357 = add nsw i64 %s.51, 1
  %v358 = icmp sge i64 %r.357, %low3
  %v359 = icmp slt i64 %r.357, %high3
  %v360 = and i1 %v358, %v359
  ; group 4: output; 0 rows ahead; 0 more above, 0 below
  %r.361 = add nsw i64 %s.51, 0
  %v362 = icmp sge i64 %r.361, %low4
  %v363 = icmp slt i64 %r.361, %high4
  %v364 = and i1 %v362, %v363
  %v365 = icmp sge i64 %r.361, 1
  %v366 = and i1 %v360, %v364
  %v367 = and i1 %v365, %v366
  br i1 %v367, label %together.368, label %apart.369
together.368:
  %v371 = icmp sge i64 %r.357, %first_row
  %v372 = icmp slt i64 %r.357, %last_row
  %v373 = and i1 %v371, %v372
  %v380 = load <64 x i8>, ptr %ring5, align 64
  %v381 = shufflevector <64 x i8> %v380, <64 x i8> poison, <64 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %v382 = load <64 x i8>, ptr %ring5, align 64
  %v411 = urem i64 %r.357, 2
  %v412 = mul nsw i64 %v411, 192
  %ring6.row.413 = getelementptr i8, ptr %ring6, i64 %v412
  %v392 = urem i64 %r.361, 2
  %v393 = mul nsw i64 %v392, 192
  %ring6.row.394 = getelementptr i8, ptr %ring6, i64 %v393
  %v398 = add i64 %r.361, -1
  %v399 = call i64 @llvm.smax.i64(i64 %v398, i64 0)
  %v400 = call i64 @llvm.smin.i64(i64 %v399, i64 47)
  %v401 = urem i64 %v400, 2
  %v402 = mul nsw i64 %v401, 192
  %ring6.row.403 = getelementptr i8, ptr %ring6, i64 %v402
  %v415 = mul nsw i64 %r.361, 64
  %out.row.416 = getelementptr i8, ptr %output0, i64 %v415
  br label %across.419
across.419:
  %x.374 = phi i64 [ 0, %together.368 ], [ %x.374.next, %across.419 ]
  %before.375 = phi <64 x i8> [ %v381, %together.368 ], [ %here.376, %across.419 ]
  %here.376 = phi <64 x i8> [ %v382, %together.368 ], [ %v379, %across.419 ]
  %v377 = getelementptr i8, ptr %ring5, i64 %x.374
  %v378 = getelementptr i8, ptr %v377, i64 64
  %v379 = load <64 x i8>, ptr %v378, align 64
  %v383 = shufflevector <64 x i8> %here.376, <64 x i8> %v379, <64 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31, i32 32, i32 33, i32 34, i32 35, i32 36, i32 37, i32 38, i32 39, i32 40, i32 41, i32 42, i32 43, i32 44, i32 45, i32 46, i32 47, i32 48, i32 49, i32 50, i32 51, i32 52, i32 53, i32 54, i32 55, i32 56, i32 57, i32 58, i32 59, i32 60, i32 61, i32 62, i32 63, i32 64>
  %v384 = icmp ne <64 x i8> %v383, zeroinitializer
  %v385 = icmp ne <64 x i8> %here.376, zeroinitializer
  %v386 = shufflevector <64 x i8> %before.375, <64 x i8> %here.376, <64 x i32> <i32 63, i32 64, i32 65, i32 66, i32 67, i32 68, i32 69, i32 70, i32 71, i32 72, i32 73, i32 74, i32 75, i32 76, i32 77, i32 78, i32 79, i32 80, i32 81, i32 82, i32 83, i32 84, i32 85, i32 86, i32 87, i32 88, i32 89, i32 90, i32 91, i32 92, i32 93, i32 94, i32 95, i32 96, i32 97, i32 98, i32 99, i32 100, i32 101, i32 102, i32 103, i32 104, i32 105, i32 106, i32 107, i32 108, i32 109, i32 110, i32 111, i32 112, i32 113, i32 114, i32 115, i32 116, i32 117, i32 118, i32 119, i32 120, i32 121, i32 122, i32 123, i32 124, i32 125, i32 126>
  %v387 = icmp ne <64 x i8> %v386, zeroinitializer
  %v388 = or <64 x i1> %v387, %v385
  %v389 = or <64 x i8> %v386, %here.376
  %v390 = or <64 x i1> %v388, %v384
  %v391 = or <64 x i8> %v389, %v383
  %v395 = getelementptr i8, ptr %ring6.row.394, i64 %x.374
  %v396 = load <64 x i8>, ptr %v395, align 64
  %v397 = icmp ne <64 x i8> %v396, zeroinitializer
  %v404 = getelementptr i8, ptr %ring6.row.403, i64 %x.374
  %v405 = load <64 x i8>, ptr %v404, align 64
  %v406 = icmp ne <64 x i8> %v405, zeroinitializer
  %v407 = or <64 x i1> %v406, %v397
  %v408 = or <64 x i8> %v405, %v396
  %v409 = or <64 x i1> %v407, %v390
  %v410 = or <64 x i8> %v408, %v391
  %v414 = getelementptr i8, ptr %ring6.row.413, i64 %x.374
  store <64 x i8> %v391, ptr %v414, align 64
  %v417 = getelementptr i8, ptr %out.row.416, i64 %x.374
  %v418 = getelementptr i8, ptr %v417, i64 128
  call void @llvm.prefetch.p0(ptr %v418, i32 1, i32 3, i32 1)
  store <64 x i8> %v410, ptr %v417, align 1
  %x.374.next = add nuw nsw i64 %x.374, 64
  %x.374.more = icmp ult i64 %x.374.next, 64
  br i1 %x.374.more, label %across.419, label %across.end.420
across.end.420:
  br label %joined.370
apart.369:
  ; group 3: plane ring6; 1 rows ahead; 1 more above, 1 below
  %r.421 = add nsw i64 %s.51, 1
  %v422 = icmp sge i64 %r.421, %low3
  %v423 = icmp slt i64 %r.421, %high3
  %v424 = and i1 %v422, %v423
  br i1 %v424, label %group3.425, label %group3.end.426
group3.425:
  %v427 = icmp sge i64 %r.421, %first_row
  %v428 = icmp slt i64 %r.421, %last_row
  %v429 = and i1 %v427, %v428
  %v436 = load <64 x i8>, ptr %ring5, align 64
  %v437 = shufflevector <64 x i8> %v436, <64 x i8> poison, <64 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %v438 = load <64 x i8>, ptr %ring5, align 64
  %v448 = urem i64 %r.421, 2
  %v449 = mul nsw i64 %v448, 192
  %ring6.row.450 = getelementptr i8, ptr %ring6, i64 %v449
  br label %across.452
across.452:
  %x.430 = phi i64 [ 0, %group3.425 ], [ %x.430.next, %across.452 ]
  %before.431 = phi <64 x i8> [ %v437, %group3.425 ], [ %here.432, %across.452 ]
  %here.432 = phi <64 x i8> [ %v438, %group3.425 ], [ %v435, %across.452 ]
  %v433 = getelementptr i8, ptr %ring5, i64 %x.430
  %v434 = getelementptr i8, ptr %v433, i64 64
  %v435 = load <64 x i8>, ptr %v434, align 64
  %v439 = shufflevector <64 x i8> %here.432, <64 x i8> %v435, <64 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31, i32 32, i32 33, i32 34, i32 35, i32 36, i32 37, i32 38, i32 39, i32 40, i32 41, i32 42, i32 43, i32 44, i32 45, i32 46, i32 47, i32 48, i32 49, i32 50, i32 51, i32 52, i32 53, i32 54, i32 55, i32 56, i32 57, i32 58, i32 59, i32 60, i32 61, i32 62, i32 63, i32 64>
  %v440 = icmp ne <64 x i8> %v439, zeroinitializer
  %v441 = icmp ne <64 x i8> %here.432, zeroinitializer
  %v442 = shufflevector <64 x i8> %before.431, <64 x i8> %here.432, <64 x i32> <i32 63, i32 64, i32 65, i32 66, i32 67, i32 68, i32 69, i32 70, i32 71, i32 72, i32 73, i32 74, i32 75, i32 76, i32 77, i32 78, i32 79, i32 80, i32 81, i32 82, i32 83, i32 84, i32 85, i32 86, i32 87, i32 88, i32 89, i32 90, i32 91, i32 92, i32 93, i32 94, i32 95, i32 96, i32 97, i32 98, i32 99, i32 100, i32 101, i32 102, i32 103, i32 104, i32 105, i32 106, i32 107, i32 108, i32 109, i32 110, i32 111, i32 112, i32 113, i32 114, i32 115, i32 116, i32 117, i32 118, i32 119, i32 120, i32 121, i32 122, i32 123, i32 124, i32 125, i32 126>
  %v443 = icmp ne <64 x i8> %v442, zeroinitializer
  %v444 = or <64 x i1> %v443, %v441
  %v445 = or <64 x i8> %v442, %here.432
  %v446 = or <64 x i1> %v444, %v440
  %v447 = or <64 x i8> %v445, %v439
  %v451 = getelementptr i8, ptr %ring6.row.450, i64 %x.430
  store <64 x i8> %v447, ptr %v451, align 64
  %x.430.next = add nuw nsw i64 %x.430, 64
  %x.430.more = icmp ult i64 %x.430.next, 64
  br i1 %x.430.more, label %across.452, label %across.end.453
across.end.453:
  br label %group3.end.426
group3.end.426:
  ; group 4: output; 0 rows ahead; 0 more above, 0 below
  %r.454 = add nsw i64 %s.51, 0
  %v455 = icmp sge i64 %r.454, %low4
  %v456 = icmp slt i64 %r.454, %high4
  %v457 = and i1 %v455, %v456
  br i1 %v457, label %group4.458, label %group4.end.459
group4.458:
  %v461 = add i64 %r.454, 1
  %v462 = call i64 @llvm.smax.i64(i64 %v461, i64 0)
  %v463 = call i64 @llvm.smin.i64(i64 %v462, i64 47)
  %v464 = urem i64 %v463, 2
  %v465 = mul nsw i64 %v464, 192
  %ring6.row.466 = getelementptr i8, ptr %ring6, i64 %v465
  %v470 = urem i64 %r.454, 2
  %v471 = mul nsw i64 %v470, 192
  %ring6.row.472 = getelementptr i8, ptr %ring6, i64 %v471
  %v476 = add i64 %r.454, -1
  %v477 = call i64 @llvm.smax.i64(i64 %v476, i64 0)
  %v478 = call i64 @llvm.smin.i64(i64 %v477, i64 47)
  %v479 = urem i64 %v478, 2
  %v480 = mul nsw i64 %v479, 192
  %ring6.row.481 = getelementptr i8, ptr %ring6, i64 %v480
  %v489 = mul nsw i64 %r.454, 64
  %out.row.490 = getelementptr i8, ptr %output0, i64 %v489
  br label %across.493
across.493:
  %x.460 = phi i64 [ 0, %group4.458 ], [ %x.460.next, %across.493 ]
  %v467 = getelementptr i8, ptr %ring6.row.466, i64 %x.460
  %v468 = load <64 x i8>, ptr %v467, align 64
  %v469 = icmp ne <64 x i8> %v468, zeroinitializer
  %v473 = getelementptr i8, ptr %ring6.row.472, i64 %x.460
  %v474 = load <64 x i8>, ptr %v473, align 64
  %v475 = icmp ne <64 x i8> %v474, zeroinitializer
  %v482 = getelementptr i8, ptr %ring6.row.481, i64 %x.460
  %v483 = load <64 x i8>, ptr %v482, align 64
  %v484 = icmp ne <64 x i8> %v483, zeroinitializer
  %v485 = or <64 x i1> %v484, %v475
  %v486 = or <64 x i8> %v483, %v474
  %v487 = or <64 x i1> %v485, %v469
  %v488 = or <64 x i8> %v486, %v468
  %v491 = getelementptr i8, ptr %out.row.490, i64 %x.460
  %v492 = getelementptr i8, ptr %v491, i64 128
  call void @llvm.prefetch.p0(ptr %v492, i32 1, i32 3, i32 1)
  store <64 x i8> %v488, ptr %v491, align 1
  %x.460.next = add nuw nsw i64 %x.460, 64
  %x.460.more = icmp ult i64 %x.460.next, 64
  br i1 %x.460.more, label %across.493, label %across.end.494
across.end.494:
  br label %group4.end.459
group4.end.459:
  br label %joined.370
joined.370:
  br label %step.next.52
step.next.52:
  %s.51.next = add nsw i64 %s.51, 1
  br label %step.48
step.end.50:
  br label %t.next.43
t.next.43:
  %t.42.next = add nsw i64 %t.42, 1
  br label %t.39
t.end.41:
  ret void
}

declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.smin.i64(i64, i64)
declare void @llvm.prefetch.p0(ptr, i32, i32, i32)

; bodies: a host function, nothing is generated
