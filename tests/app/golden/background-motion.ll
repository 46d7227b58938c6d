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
; was(moving/votes) is select(0 <= wrap(x), 0.0, 1.0) in the first frame
; pass 0, images of 64x48
;   ring1: bool, 3 rows, replicate 1 px left and 1 px right
;   state2: f32, the strip's rows, kept
;   state3: f32, the strip's rows, kept
;   state4: f32, the strip's rows, kept
;   row y+1, from 1 above the strip to 1 below, 32 pixels a vector:
;     t1 = moving.min_sigma * moving.min_sigma
;     t2 = f32(in0[y, x])
;     t3 = ((t2 * 0.003921627998352051) + (t2 * -5.9370901084321304e-08)) - was(moving/mean)
;     t4 = t3 * t3
;     ring1 = ((moving.k * moving.k) * max(was(moving/variance), t1)) < t4
;     t6 = max(min(was(moving/votes) + select(ring1, -1.0, 1.0), 300.0), 0.0)
;     t7 = t6 <= 0.0
;     t8 = select(t7, 1.0, select(ring1, moving.alpha * moving.learn, moving.alpha))
;     state2 = was(moving/mean) + (t8 * t3)
;     state3 = was(moving/variance) + (t8 * (select(t7, t1, t4) - was(moving/variance)))
;     state4 = t6
;   row y, 64 pixels a vector:
;     t1 = min(ring1[y-1, x]{replicate}, ring1[y-1, x+1])
;     t2 = min(ring1[y, x], ring1[y, x+1])
;     t3 = min(ring1[y+1, x]{replicate}, ring1[y+1, x+1])
;     t4 = max(ring1[y-1, x-1], t1)
;     t5 = max(ring1[y-1, x]{replicate}, ring1[y-1, x+1])
;     t6 = max(ring1[y, x-1], t2)
;     t7 = max(ring1[y, x], ring1[y, x+1])
;     t8 = min(t6, t7)
;     t9 = max(ring1[y+1, x-1], t3)
;     t10 = max(ring1[y+1, x]{replicate}, ring1[y+1, x+1])
;     t11 = min(t9, t10)
;     t12 = min(max(min(t4, t5), min(t8, t11)), max(t8, t11))
;     t13 = min(max(t4, t5), min(max(t6, t7), max(t9, t10)))
;     t14 = max(max(max(min(ring1[y-1, x-1], t1), min(ring1[y, x-1], t2)), min(ring1[y+1, x-1], t3)), min(t12, t13))
;     clean.out = min(t14, max(t12, t13))

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
  %v11 = getelementptr i8, ptr %args, i64 80
  %state4 = load ptr, ptr %v11, align 8
  %v12 = sub i64 %first_row, 1
  %v13 = add i64 %last_row, 1
  %low0 = call i64 @llvm.smax.i64(i64 %v12, i64 0)
  %high0 = call i64 @llvm.smin.i64(i64 %v13, i64 48)
  %v14 = sub i64 %first_row, 0
  %v15 = add i64 %last_row, 0
  %low1 = call i64 @llvm.smax.i64(i64 %v14, i64 0)
  %high1 = call i64 @llvm.smin.i64(i64 %v15, i64 48)
  %v16 = sub i64 %low0, 1
  %v17 = sub i64 %low1, 0
  %v18 = sub i64 %high0, 1
  %v19 = sub i64 %high1, 0
  %v20 = call i64 @llvm.smin.i64(i64 %v16, i64 %v17)
  %v21 = call i64 @llvm.smax.i64(i64 %v18, i64 %v19)
  %ring1 = getelementptr i8, ptr %scratch, i64 64
  %v59 = getelementptr i8, ptr %args, i64 88
  %param.60 = load float, ptr %v59, align 8
  %v61 = insertelement <32 x float> poison, float %param.60, i64 0
  %v62 = shufflevector <32 x float> %v61, <32 x float> poison, <32 x i32> zeroinitializer
  %v63 = fmul <32 x float> %v62, %v62
  %v66 = getelementptr i8, ptr %args, i64 96
  %param.67 = load float, ptr %v66, align 8
  %v68 = insertelement <32 x float> poison, float %param.67, i64 0
  %v69 = shufflevector <32 x float> %v68, <32 x float> poison, <32 x i32> zeroinitializer
  %v70 = fmul <32 x float> %v69, %v69
  %v73 = getelementptr i8, ptr %args, i64 104
  %param.74 = load float, ptr %v73, align 8
  %v75 = insertelement <32 x float> poison, float %param.74, i64 0
  %v76 = shufflevector <32 x float> %v75, <32 x float> poison, <32 x i32> zeroinitializer
  %v77 = getelementptr i8, ptr %args, i64 112
  %param.78 = load float, ptr %v77, align 8
  %v79 = insertelement <32 x float> poison, float %param.78, i64 0
  %v80 = shufflevector <32 x float> %v79, <32 x float> poison, <32 x i32> zeroinitializer
  %v81 = fmul <32 x float> %v76, %v80
  br label %t.22
t.22:
  %t.25 = phi i64 [ %first_frame, %entry ], [ %t.25.next, %t.next.26 ]
  %v27 = icmp slt i64 %t.25, %last_frame
  br i1 %v27, label %t.do.23, label %t.end.24
t.do.23:
  %v380 = mul i64 %frames, 0
  %v381 = add i64 %v380, %t.25
  %v382 = getelementptr ptr, ptr %images, i64 %v381
  %input0 = load ptr, ptr %v382, align 8
  %v383 = mul i64 %frames, 1
  %v384 = add i64 %v383, %t.25
  %v385 = getelementptr ptr, ptr %images, i64 %v384
  %output0 = load ptr, ptr %v385, align 8
  %v28 = icmp eq i64 %t.25, 0
  %v29 = icmp ne i64 %is_first, 0
  %v30 = and i1 %v28, %v29
  br label %step.31
step.31:
  %s.34 = phi i64 [ %v20, %t.do.23 ], [ %s.34.next, %step.next.35 ]
  %v36 = icmp slt i64 %s.34, %v21
  br i1 %v36, label %step.do.32, label %step.end.33
step.do.32:
  ; group 0: plane ring1, plane state2, plane state3, plane state4; 1 rows ahead; 1 more above, 1 below
  %r.37 = add nsw i64 %s.34, 1
  %v38 = icmp sge i64 %r.37, %low0
  %v39 = icmp slt i64 %r.37, %high0
  %v40 = and i1 %v38, %v39
  br i1 %v40, label %group0.41, label %group0.end.42
group0.41:
  %v43 = icmp sge i64 %r.37, %first_row
  %v44 = icmp slt i64 %r.37, %last_row
  %v45 = and i1 %v43, %v44
  %v47 = mul nsw i64 %r.37, 64
  %in.row.48 = getelementptr i8, ptr %input0, i64 %v47
  %v104 = urem i64 %r.37, 3
  %v105 = mul nsw i64 %v104, 256
  %ring1.row.106 = getelementptr i8, ptr %ring1, i64 %v105
  %v109 = mul nsw i64 %r.37, 112
  %state2.row.110 = getelementptr float, ptr %state2, i64 %v109
  %v112 = mul nsw i64 %r.37, 112
  %state3.row.113 = getelementptr float, ptr %state3, i64 %v112
  %v115 = mul nsw i64 %r.37, 112
  %state4.row.116 = getelementptr float, ptr %state4, i64 %v115
  br i1 %v30, label %first.240, label %then.241
first.240:
  br label %across.243
across.243:
  %x.46 = phi i64 [ 0, %first.240 ], [ %x.46.next, %across.243 ]
  %v49 = getelementptr i8, ptr %in.row.48, i64 %x.46
  %v50 = getelementptr i8, ptr %v49, i64 128
  call void @llvm.prefetch.p0(ptr %v50, i32 0, i32 3, i32 1)
  %v51 = load <32 x i8>, ptr %v49, align 1
  %v52 = zext <32 x i8> %v51 to <32 x i32>
  %v53 = sitofp <32 x i32> %v52 to <32 x float>
  %v54 = fmul <32 x float> %v53, splat (float 0xBE6FDFDFE0000000)
  %v55 = fmul <32 x float> %v53, splat (float 0x3F70102000000000)
  %v56 = fadd <32 x float> %v55, %v54
  %v57 = fsub <32 x float> %v56, %v56
  %v58 = fmul <32 x float> %v57, %v57
  %v64 = fcmp ogt <32 x float> %v63, %v63
  %v65 = select <32 x i1> %v64, <32 x float> %v63, <32 x float> %v63
  %v71 = fmul <32 x float> %v70, %v65
  %v72 = fcmp olt <32 x float> %v71, %v58
  %v82 = select <32 x i1> %v72, <32 x float> %v81, <32 x float> %v76
  %v83 = select <32 x i1> %v72, <32 x float> splat (float 0xBFF0000000000000), <32 x float> splat (float 0x3FF0000000000000)
  %v84 = trunc i64 %x.46 to i32
  %v85 = insertelement <32 x i32> poison, i32 %v84, i64 0
  %v86 = shufflevector <32 x i32> %v85, <32 x i32> poison, <32 x i32> zeroinitializer
  %v87 = add <32 x i32> %v86, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v88 = trunc nsw <32 x i32> %v87 to <32 x i16>
  %v89 = icmp sle <32 x i16> splat (i16 0), %v88
  %v90 = select <32 x i1> %v89, <32 x float> splat (float 0x0000000000000000), <32 x float> splat (float 0x3FF0000000000000)
  %v91 = fadd <32 x float> %v90, %v83
  %v92 = fcmp olt <32 x float> %v91, splat (float 0x4072C00000000000)
  %v93 = select <32 x i1> %v92, <32 x float> %v91, <32 x float> splat (float 0x4072C00000000000)
  %v94 = fcmp ogt <32 x float> %v93, splat (float 0x0000000000000000)
  %v95 = select <32 x i1> %v94, <32 x float> %v93, <32 x float> splat (float 0x0000000000000000)
  %v96 = fcmp ole <32 x float> %v95, splat (float 0x0000000000000000)
  %v97 = select <32 x i1> %v96, <32 x float> splat (float 0x3FF0000000000000), <32 x float> %v82
  %v98 = fmul <32 x float> %v97, %v57
  %v99 = fadd <32 x float> %v56, %v98
  %v100 = select <32 x i1> %v96, <32 x float> %v63, <32 x float> %v58
  %v101 = fsub <32 x float> %v100, %v63
  %v102 = fmul <32 x float> %v97, %v101
  %v103 = fadd <32 x float> %v63, %v102
  %v107 = getelementptr i8, ptr %ring1.row.106, i64 %x.46
  %v108 = zext <32 x i1> %v72 to <32 x i8>
  store <32 x i8> %v108, ptr %v107, align 32
  %v111 = getelementptr float, ptr %state2.row.110, i64 %x.46
  store <32 x float> %v99, ptr %v111, align 64
  %v114 = getelementptr float, ptr %state3.row.113, i64 %x.46
  store <32 x float> %v103, ptr %v114, align 64
  %v117 = getelementptr float, ptr %state4.row.116, i64 %x.46
  store <32 x float> %v95, ptr %v117, align 64
  %v118 = add i64 %x.46, 32
  %v119 = getelementptr i8, ptr %in.row.48, i64 %v118
  %v120 = load <32 x i8>, ptr %v119, align 1
  %v121 = zext <32 x i8> %v120 to <32 x i32>
  %v122 = sitofp <32 x i32> %v121 to <32 x float>
  %v123 = fmul <32 x float> %v122, splat (float 0xBE6FDFDFE0000000)
  %v124 = fmul <32 x float> %v122, splat (float 0x3F70102000000000)
  %v125 = fadd <32 x float> %v124, %v123
  %v126 = fsub <32 x float> %v125, %v125
  %v127 = fmul <32 x float> %v126, %v126
  %v128 = fcmp ogt <32 x float> %v63, %v63
  %v129 = select <32 x i1> %v128, <32 x float> %v63, <32 x float> %v63
  %v130 = fmul <32 x float> %v70, %v129
  %v131 = fcmp olt <32 x float> %v130, %v127
  %v132 = select <32 x i1> %v131, <32 x float> %v81, <32 x float> %v76
  %v133 = select <32 x i1> %v131, <32 x float> splat (float 0xBFF0000000000000), <32 x float> splat (float 0x3FF0000000000000)
  %v134 = trunc i64 %v118 to i32
  %v135 = insertelement <32 x i32> poison, i32 %v134, i64 0
  %v136 = shufflevector <32 x i32> %v135, <32 x i32> poison, <32 x i32> zeroinitializer
  %v137 = add <32 x i32> %v136, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v138 = trunc nsw <32 x i32> %v137 to <32 x i16>
  %v139 = icmp sle <32 x i16> splat (i16 0), %v138
  %v140 = select <32 x i1> %v139, <32 x float> splat (float 0x0000000000000000), <32 x float> splat (float 0x3FF0000000000000)
  %v141 = fadd <32 x float> %v140, %v133
  %v142 = fcmp olt <32 x float> %v141, splat (float 0x4072C00000000000)
  %v143 = select <32 x i1> %v142, <32 x float> %v141, <32 x float> splat (float 0x4072C00000000000)
  %v144 = fcmp ogt <32 x float> %v143, splat (float 0x0000000000000000)
  %v145 = select <32 x i1> %v144, <32 x float> %v143, <32 x float> splat (float 0x0000000000000000)
  %v146 = fcmp ole <32 x float> %v145, splat (float 0x0000000000000000)
  %v147 = select <32 x i1> %v146, <32 x float> splat (float 0x3FF0000000000000), <32 x float> %v132
  %v148 = fmul <32 x float> %v147, %v126
  %v149 = fadd <32 x float> %v125, %v148
  %v150 = select <32 x i1> %v146, <32 x float> %v63, <32 x float> %v127
  %v151 = fsub <32 x float> %v150, %v63
  %v152 = fmul <32 x float> %v147, %v151
  %v153 = fadd <32 x float> %v63, %v152
  %v154 = getelementptr i8, ptr %ring1.row.106, i64 %v118
  %v155 = zext <32 x i1> %v131 to <32 x i8>
  store <32 x i8> %v155, ptr %v154, align 32
  %v156 = getelementptr float, ptr %state2.row.110, i64 %v118
  store <32 x float> %v149, ptr %v156, align 64
  %v157 = getelementptr float, ptr %state3.row.113, i64 %v118
  store <32 x float> %v153, ptr %v157, align 64
  %v158 = getelementptr float, ptr %state4.row.116, i64 %v118
  store <32 x float> %v145, ptr %v158, align 64
  %x.46.next = add nuw nsw i64 %x.46, 64
  %x.46.more = icmp ult i64 %x.46.next, 64
  br i1 %x.46.more, label %across.243, label %across.end.244
across.end.244:
  br label %done.242
then.241:
  br label %across.245
across.245:
  %x.159 = phi i64 [ 0, %then.241 ], [ %x.159.next, %across.245 ]
  %v160 = getelementptr float, ptr %state2.row.110, i64 %x.159
  %v161 = load <32 x float>, ptr %v160, align 64
  %v162 = getelementptr i8, ptr %in.row.48, i64 %x.159
  %v163 = getelementptr i8, ptr %v162, i64 128
  call void @llvm.prefetch.p0(ptr %v163, i32 0, i32 3, i32 1)
  %v164 = load <32 x i8>, ptr %v162, align 1
  %v165 = zext <32 x i8> %v164 to <32 x i32>
  %v166 = sitofp <32 x i32> %v165 to <32 x float>
  %v167 = fmul <32 x float> %v166, splat (float 0xBE6FDFDFE0000000)
  %v168 = fmul <32 x float> %v166, splat (float 0x3F70102000000000)
  %v169 = fadd <32 x float> %v168, %v167
  %v170 = fsub <32 x float> %v169, %v161
  %v171 = fmul <32 x float> %v170, %v170
  %v172 = getelementptr float, ptr %state3.row.113, i64 %x.159
  %v173 = load <32 x float>, ptr %v172, align 64
  %v174 = fcmp ogt <32 x float> %v173, %v63
  %v175 = select <32 x i1> %v174, <32 x float> %v173, <32 x float> %v63
  %v176 = fmul <32 x float> %v70, %v175
  %v177 = fcmp olt <32 x float> %v176, %v171
  %v178 = select <32 x i1> %v177, <32 x float> %v81, <32 x float> %v76
  %v179 = select <32 x i1> %v177, <32 x float> splat (float 0xBFF0000000000000), <32 x float> splat (float 0x3FF0000000000000)
  %v180 = getelementptr float, ptr %state4.row.116, i64 %x.159
  %v181 = load <32 x float>, ptr %v180, align 64
  %v182 = fadd <32 x float> %v181, %v179
  %v183 = fcmp olt <32 x float> %v182, splat (float 0x4072C00000000000)
  %v184 = select <32 x i1> %v183, <32 x float> %v182, <32 x float> splat (float 0x4072C00000000000)
  %v185 = fcmp ogt <32 x float> %v184, splat (float 0x0000000000000000)
  %v186 = select <32 x i1> %v185, <32 x float> %v184, <32 x float> splat (float 0x0000000000000000)
  %v187 = fcmp ole <32 x float> %v186, splat (float 0x0000000000000000)
  %v188 = select <32 x i1> %v187, <32 x float> splat (float 0x3FF0000000000000), <32 x float> %v178
  %v189 = fmul <32 x float> %v188, %v170
  %v190 = fadd <32 x float> %v161, %v189
  %v191 = select <32 x i1> %v187, <32 x float> %v63, <32 x float> %v171
  %v192 = fsub <32 x float> %v191, %v173
  %v193 = fmul <32 x float> %v188, %v192
  %v194 = fadd <32 x float> %v173, %v193
  %v195 = getelementptr i8, ptr %ring1.row.106, i64 %x.159
  %v196 = zext <32 x i1> %v177 to <32 x i8>
  store <32 x i8> %v196, ptr %v195, align 32
  %v197 = getelementptr float, ptr %state2.row.110, i64 %x.159
  store <32 x float> %v190, ptr %v197, align 64
  %v198 = getelementptr float, ptr %state3.row.113, i64 %x.159
  store <32 x float> %v194, ptr %v198, align 64
  %v199 = getelementptr float, ptr %state4.row.116, i64 %x.159
  store <32 x float> %v186, ptr %v199, align 64
  %v200 = add i64 %x.159, 32
  %v201 = getelementptr float, ptr %state2.row.110, i64 %v200
  %v202 = load <32 x float>, ptr %v201, align 64
  %v203 = getelementptr i8, ptr %in.row.48, i64 %v200
  %v204 = load <32 x i8>, ptr %v203, align 1
  %v205 = zext <32 x i8> %v204 to <32 x i32>
  %v206 = sitofp <32 x i32> %v205 to <32 x float>
  %v207 = fmul <32 x float> %v206, splat (float 0xBE6FDFDFE0000000)
  %v208 = fmul <32 x float> %v206, splat (float 0x3F70102000000000)
  %v209 = fadd <32 x float> %v208, %v207
  %v210 = fsub <32 x float> %v209, %v202
  %v211 = fmul <32 x float> %v210, %v210
  %v212 = getelementptr float, ptr %state3.row.113, i64 %v200
  %v213 = load <32 x float>, ptr %v212, align 64
  %v214 = fcmp ogt <32 x float> %v213, %v63
  %v215 = select <32 x i1> %v214, <32 x float> %v213, <32 x float> %v63
  %v216 = fmul <32 x float> %v70, %v215
  %v217 = fcmp olt <32 x float> %v216, %v211
  %v218 = select <32 x i1> %v217, <32 x float> %v81, <32 x float> %v76
  %v219 = select <32 x i1> %v217, <32 x float> splat (float 0xBFF0000000000000), <32 x float> splat (float 0x3FF0000000000000)
  %v220 = getelementptr float, ptr %state4.row.116, i64 %v200
  %v221 = load <32 x float>, ptr %v220, align 64
  %v222 = fadd <32 x float> %v221, %v219
  %v223 = fcmp olt <32 x float> %v222, splat (float 0x4072C00000000000)
  %v224 = select <32 x i1> %v223, <32 x float> %v222, <32 x float> splat (float 0x4072C00000000000)
  %v225 = fcmp ogt <32 x float> %v224, splat (float 0x0000000000000000)
  %v226 = select <32 x i1> %v225, <32 x float> %v224, <32 x float> splat (float 0x0000000000000000)
  %v227 = fcmp ole <32 x float> %v226, splat (float 0x0000000000000000)
  %v228 = select <32 x i1> %v227, <32 x float> splat (float 0x3FF0000000000000), <32 x float> %v218
  %v229 = fmul <32 x float> %v228, %v210
  %v230 = fadd <32 x float> %v202, %v229
  %v231 = select <32 x i1> %v227, <32 x float> %v63, <32 x float> %v211
  %v232 = fsub <32 x float> %v231, %v213
  %v233 = fmul <32 x float> %v228, %v232
  %v234 = fadd <32 x float> %v213, %v233
  %v235 = getelementptr i8, ptr %ring1.row.106, i64 %v200
  %v236 = zext <32 x i1> %v217 to <32 x i8>
  store <32 x i8> %v236, ptr %v235, align 32
  %v237 = getelementptr float, ptr %state2.row.110, i64 %v200
  store <32 x float> %v230, ptr %v237, align 64
  %v238 = getelementptr float, ptr %state3.row.113, i64 %v200
  store <32 x float> %v234, ptr %v238, align 64
  %v239 = getelementptr float, ptr %state4.row.116, i64 %v200
  store <32 x float> %v226, ptr %v239, align 64
  %x.159.next = add nuw nsw i64 %x.159, 64
  %x.159.more = icmp ult i64 %x.159.next, 64
  br i1 %x.159.more, label %across.245, label %across.end.246
across.end.246:
  br label %done.242
done.242:
  %v247 = getelementptr i8, ptr %ring1.row.106, i64 0
  %v248 = load i8, ptr %v247
  %v249 = getelementptr i8, ptr %ring1.row.106, i64 -1
  store i8 %v248, ptr %v249
  %v250 = getelementptr i8, ptr %ring1.row.106, i64 63
  %v251 = load i8, ptr %v250
  %v252 = getelementptr i8, ptr %ring1.row.106, i64 64
  store i8 %v251, ptr %v252
  br label %group0.end.42
group0.end.42:
  ; group 1: output; 0 rows ahead; 0 more above, 0 below
  %r.253 = add nsw i64 %s.34, 0
  %v254 = icmp sge i64 %r.253, %low1
  %v255 = icmp slt i64 %r.253, %high1
  %v256 = and i1 %v254, %v255
  br i1 %v256, label %group1.257, label %group1.end.258
group1.257:
  %v260 = add i64 %r.253, 1
  %v261 = call i64 @llvm.smax.i64(i64 %v260, i64 0)
  %v262 = call i64 @llvm.smin.i64(i64 %v261, i64 47)
  %v263 = urem i64 %v262, 3
  %v264 = mul nsw i64 %v263, 256
  %ring1.row.265 = getelementptr i8, ptr %ring1, i64 %v264
  %v271 = load <64 x i8>, ptr %ring1.row.265, align 64
  %v272 = shufflevector <64 x i8> %v271, <64 x i8> poison, <64 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %v273 = load <64 x i8>, ptr %ring1.row.265, align 64
  %v287 = urem i64 %r.253, 3
  %v288 = mul nsw i64 %v287, 256
  %ring1.row.289 = getelementptr i8, ptr %ring1, i64 %v288
  %v295 = load <64 x i8>, ptr %ring1.row.289, align 64
  %v296 = shufflevector <64 x i8> %v295, <64 x i8> poison, <64 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %v297 = load <64 x i8>, ptr %ring1.row.289, align 64
  %v313 = add i64 %r.253, -1
  %v314 = call i64 @llvm.smax.i64(i64 %v313, i64 0)
  %v315 = call i64 @llvm.smin.i64(i64 %v314, i64 47)
  %v316 = urem i64 %v315, 3
  %v317 = mul nsw i64 %v316, 256
  %ring1.row.318 = getelementptr i8, ptr %ring1, i64 %v317
  %v324 = load <64 x i8>, ptr %ring1.row.318, align 64
  %v325 = shufflevector <64 x i8> %v324, <64 x i8> poison, <64 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %v326 = load <64 x i8>, ptr %ring1.row.318, align 64
  %v374 = mul nsw i64 %r.253, 64
  %out.row.375 = getelementptr i8, ptr %output0, i64 %v374
  br label %across.378
across.378:
  %x.259 = phi i64 [ 0, %group1.257 ], [ %x.259.next, %across.378 ]
  %before.266 = phi <64 x i8> [ %v272, %group1.257 ], [ %here.267, %across.378 ]
  %here.267 = phi <64 x i8> [ %v273, %group1.257 ], [ %v270, %across.378 ]
  %before.290 = phi <64 x i8> [ %v296, %group1.257 ], [ %here.291, %across.378 ]
  %here.291 = phi <64 x i8> [ %v297, %group1.257 ], [ %v294, %across.378 ]
  %before.319 = phi <64 x i8> [ %v325, %group1.257 ], [ %here.320, %across.378 ]
  %here.320 = phi <64 x i8> [ %v326, %group1.257 ], [ %v323, %across.378 ]
  %v268 = getelementptr i8, ptr %ring1.row.265, i64 %x.259
  %v269 = getelementptr i8, ptr %v268, i64 64
  %v270 = load <64 x i8>, ptr %v269, align 64
  %v274 = shufflevector <64 x i8> %here.267, <64 x i8> %v270, <64 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31, i32 32, i32 33, i32 34, i32 35, i32 36, i32 37, i32 38, i32 39, i32 40, i32 41, i32 42, i32 43, i32 44, i32 45, i32 46, i32 47, i32 48, i32 49, i32 50, i32 51, i32 52, i32 53, i32 54, i32 55, i32 56, i32 57, i32 58, i32 59, i32 60, i32 61, i32 62, i32 63, i32 64>
  %v275 = icmp ne <64 x i8> %v274, zeroinitializer
  %v276 = icmp ne <64 x i8> %here.267, zeroinitializer
  %v277 = or <64 x i1> %v276, %v275
  %v278 = or <64 x i8> %here.267, %v274
  %v279 = and <64 x i1> %v276, %v275
  %v280 = and <64 x i8> %here.267, %v274
  %v281 = shufflevector <64 x i8> %before.266, <64 x i8> %here.267, <64 x i32> <i32 63, i32 64, i32 65, i32 66, i32 67, i32 68, i32 69, i32 70, i32 71, i32 72, i32 73, i32 74, i32 75, i32 76, i32 77, i32 78, i32 79, i32 80, i32 81, i32 82, i32 83, i32 84, i32 85, i32 86, i32 87, i32 88, i32 89, i32 90, i32 91, i32 92, i32 93, i32 94, i32 95, i32 96, i32 97, i32 98, i32 99, i32 100, i32 101, i32 102, i32 103, i32 104, i32 105, i32 106, i32 107, i32 108, i32 109, i32 110, i32 111, i32 112, i32 113, i32 114, i32 115, i32 116, i32 117, i32 118, i32 119, i32 120, i32 121, i32 122, i32 123, i32 124, i32 125, i32 126>
  %v282 = icmp ne <64 x i8> %v281, zeroinitializer
  %v283 = or <64 x i1> %v282, %v279
  %v284 = or <64 x i8> %v281, %v280
  %v285 = or <64 x i1> %v283, %v277
  %v286 = or <64 x i8> %v284, %v278
  %v292 = getelementptr i8, ptr %ring1.row.289, i64 %x.259
  %v293 = getelementptr i8, ptr %v292, i64 64
  %v294 = load <64 x i8>, ptr %v293, align 64
  %v298 = shufflevector <64 x i8> %here.291, <64 x i8> %v294, <64 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31, i32 32, i32 33, i32 34, i32 35, i32 36, i32 37, i32 38, i32 39, i32 40, i32 41, i32 42, i32 43, i32 44, i32 45, i32 46, i32 47, i32 48, i32 49, i32 50, i32 51, i32 52, i32 53, i32 54, i32 55, i32 56, i32 57, i32 58, i32 59, i32 60, i32 61, i32 62, i32 63, i32 64>
  %v299 = icmp ne <64 x i8> %v298, zeroinitializer
  %v300 = icmp ne <64 x i8> %here.291, zeroinitializer
  %v301 = or <64 x i1> %v300, %v299
  %v302 = or <64 x i8> %here.291, %v298
  %v303 = and <64 x i1> %v300, %v299
  %v304 = and <64 x i8> %here.291, %v298
  %v305 = shufflevector <64 x i8> %before.290, <64 x i8> %here.291, <64 x i32> <i32 63, i32 64, i32 65, i32 66, i32 67, i32 68, i32 69, i32 70, i32 71, i32 72, i32 73, i32 74, i32 75, i32 76, i32 77, i32 78, i32 79, i32 80, i32 81, i32 82, i32 83, i32 84, i32 85, i32 86, i32 87, i32 88, i32 89, i32 90, i32 91, i32 92, i32 93, i32 94, i32 95, i32 96, i32 97, i32 98, i32 99, i32 100, i32 101, i32 102, i32 103, i32 104, i32 105, i32 106, i32 107, i32 108, i32 109, i32 110, i32 111, i32 112, i32 113, i32 114, i32 115, i32 116, i32 117, i32 118, i32 119, i32 120, i32 121, i32 122, i32 123, i32 124, i32 125, i32 126>
  %v306 = icmp ne <64 x i8> %v305, zeroinitializer
  %v307 = or <64 x i1> %v306, %v303
  %v308 = or <64 x i8> %v305, %v304
  %v309 = or <64 x i1> %v307, %v301
  %v310 = or <64 x i8> %v308, %v302
  %v311 = and <64 x i1> %v309, %v285
  %v312 = and <64 x i8> %v310, %v286
  %v321 = getelementptr i8, ptr %ring1.row.318, i64 %x.259
  %v322 = getelementptr i8, ptr %v321, i64 64
  %v323 = load <64 x i8>, ptr %v322, align 64
  %v327 = shufflevector <64 x i8> %here.320, <64 x i8> %v323, <64 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31, i32 32, i32 33, i32 34, i32 35, i32 36, i32 37, i32 38, i32 39, i32 40, i32 41, i32 42, i32 43, i32 44, i32 45, i32 46, i32 47, i32 48, i32 49, i32 50, i32 51, i32 52, i32 53, i32 54, i32 55, i32 56, i32 57, i32 58, i32 59, i32 60, i32 61, i32 62, i32 63, i32 64>
  %v328 = icmp ne <64 x i8> %v327, zeroinitializer
  %v329 = icmp ne <64 x i8> %here.320, zeroinitializer
  %v330 = or <64 x i1> %v329, %v328
  %v331 = or <64 x i8> %here.320, %v327
  %v332 = and <64 x i1> %v329, %v328
  %v333 = and <64 x i8> %here.320, %v327
  %v334 = shufflevector <64 x i8> %before.319, <64 x i8> %here.320, <64 x i32> <i32 63, i32 64, i32 65, i32 66, i32 67, i32 68, i32 69, i32 70, i32 71, i32 72, i32 73, i32 74, i32 75, i32 76, i32 77, i32 78, i32 79, i32 80, i32 81, i32 82, i32 83, i32 84, i32 85, i32 86, i32 87, i32 88, i32 89, i32 90, i32 91, i32 92, i32 93, i32 94, i32 95, i32 96, i32 97, i32 98, i32 99, i32 100, i32 101, i32 102, i32 103, i32 104, i32 105, i32 106, i32 107, i32 108, i32 109, i32 110, i32 111, i32 112, i32 113, i32 114, i32 115, i32 116, i32 117, i32 118, i32 119, i32 120, i32 121, i32 122, i32 123, i32 124, i32 125, i32 126>
  %v335 = icmp ne <64 x i8> %v334, zeroinitializer
  %v336 = or <64 x i1> %v335, %v332
  %v337 = or <64 x i8> %v334, %v333
  %v338 = or <64 x i1> %v336, %v330
  %v339 = or <64 x i8> %v337, %v331
  %v340 = and <64 x i1> %v338, %v311
  %v341 = and <64 x i8> %v339, %v312
  %v342 = and <64 x i1> %v283, %v277
  %v343 = and <64 x i8> %v284, %v278
  %v344 = and <64 x i1> %v307, %v301
  %v345 = and <64 x i8> %v308, %v302
  %v346 = or <64 x i1> %v344, %v342
  %v347 = or <64 x i8> %v345, %v343
  %v348 = and <64 x i1> %v344, %v342
  %v349 = and <64 x i8> %v345, %v343
  %v350 = and <64 x i1> %v336, %v330
  %v351 = and <64 x i8> %v337, %v331
  %v352 = or <64 x i1> %v350, %v348
  %v353 = or <64 x i8> %v351, %v349
  %v354 = and <64 x i1> %v352, %v346
  %v355 = and <64 x i8> %v353, %v347
  %v356 = or <64 x i1> %v354, %v340
  %v357 = or <64 x i8> %v355, %v341
  %v358 = and <64 x i1> %v354, %v340
  %v359 = and <64 x i8> %v355, %v341
  %v360 = and <64 x i1> %v282, %v279
  %v361 = and <64 x i8> %v281, %v280
  %v362 = and <64 x i1> %v306, %v303
  %v363 = and <64 x i8> %v305, %v304
  %v364 = and <64 x i1> %v335, %v332
  %v365 = and <64 x i8> %v334, %v333
  %v366 = or <64 x i1> %v364, %v362
  %v367 = or <64 x i8> %v365, %v363
  %v368 = or <64 x i1> %v366, %v360
  %v369 = or <64 x i8> %v367, %v361
  %v370 = or <64 x i1> %v368, %v358
  %v371 = or <64 x i8> %v369, %v359
  %v372 = and <64 x i1> %v370, %v356
  %v373 = and <64 x i8> %v371, %v357
  %v376 = getelementptr i8, ptr %out.row.375, i64 %x.259
  %v377 = getelementptr i8, ptr %v376, i64 128
  call void @llvm.prefetch.p0(ptr %v377, i32 1, i32 3, i32 1)
  store <64 x i8> %v373, ptr %v376, align 1
  %x.259.next = add nuw nsw i64 %x.259, 64
  %x.259.more = icmp ult i64 %x.259.next, 64
  br i1 %x.259.more, label %across.378, label %across.end.379
across.end.379:
  br label %group1.end.258
group1.end.258:
  br label %step.next.35
step.next.35:
  %s.34.next = add nsw i64 %s.34, 1
  br label %step.31
step.end.33:
  br label %t.next.26
t.next.26:
  %t.25.next = add nsw i64 %t.25, 1
  br label %t.22
t.end.24:
  ret void
}

declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.smin.i64(i64, i64)
declare void @llvm.prefetch.p0(ptr, i32, i32, i32)

; whole: a host function, nothing is generated

; bodies: a host function, nothing is generated
