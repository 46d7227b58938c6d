; gray+sound+scale+even+moving+ground+clean
;
; in0: 64x48 u8
; ground.weight: 64x48 f32, leaves
; clean.out: 64x48 bool, leaves
; moving.alpha: f32, an argument
; moving.k: f32, an argument
; moving.min_sigma: f32, an argument
; moving.learn: f32, an argument
; ground.alpha: f32, an argument
; ground.k: f32, an argument
; ground.min_sigma: f32, an argument
; ground.learn: f32, an argument
; was(ground/mean) is (f32(in0[y, x]) * 0.003921627998352051) + (f32(in0[y, x]) * -5.9370901084321304e-08) in the first frame
; was(moving/mean) is (f32(in0[y, x]) * 0.003921627998352051) + (f32(in0[y, x]) * -5.9370901084321304e-08) in the first frame
; was(moving/variance) is moving.min_sigma * moving.min_sigma in the first frame
; was(ground/variance) is ground.min_sigma * ground.min_sigma in the first frame
; pass 0, images of 64x48
;   ring1: bool, 3 rows, replicate 1 px left and 1 px right
;   state2: f32, the strip's rows, kept
;   state3: f32, the strip's rows, kept
;   state4: f32, the strip's rows, kept
;   state5: f32, the strip's rows, kept
;   row y+1, from 1 above the strip to 1 below, 16 pixels a vector:
;     t1 = f32(in0[y, x])
;     t2 = ((t1 * 0.003921627998352051) + (t1 * -5.9370901084321304e-08)) - was(moving/mean)
;     t3 = t2 * t2
;     ring1 = ((moving.k * moving.k) * max(was(moving/variance), moving.min_sigma * moving.min_sigma)) < t3
;     t5 = select(ring1, moving.alpha * moving.learn, moving.alpha)
;     state2 = was(moving/mean) + (t5 * t2)
;     state3 = was(moving/variance) + (t5 * (t3 - was(moving/variance)))
;   row y, 16 pixels a vector:
;     t1 = f32(in0[y, x])
;     t2 = (t1 * 0.003921627998352051) + (t1 * -5.9370901084321304e-08)
;     t3 = t2 - was(ground/mean)
;     t4 = t3 * t3
;     t5 = ((ground.k * ground.k) * max(was(ground/variance), ground.min_sigma * ground.min_sigma)) < t4
;     t6 = select(t5, ground.alpha * ground.learn, ground.alpha)
;     state4 = was(ground/mean) + (t6 * t3)
;     state5 = was(ground/variance) + (t6 * (t4 - was(ground/variance)))
;     ground.weight = t3 / max(max(t2, was(ground/mean)), max(ground.min_sigma, 9.999999974752427e-07))
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
  %v12 = getelementptr i8, ptr %args, i64 88
  %state5 = load ptr, ptr %v12, align 8
  %v13 = sub i64 %first_row, 1
  %v14 = add i64 %last_row, 1
  %low0 = call i64 @llvm.smax.i64(i64 %v13, i64 0)
  %high0 = call i64 @llvm.smin.i64(i64 %v14, i64 48)
  %v15 = sub i64 %first_row, 0
  %v16 = add i64 %last_row, 0
  %low1 = call i64 @llvm.smax.i64(i64 %v15, i64 0)
  %high1 = call i64 @llvm.smin.i64(i64 %v16, i64 48)
  %v17 = sub i64 %first_row, 0
  %v18 = add i64 %last_row, 0
  %low2 = call i64 @llvm.smax.i64(i64 %v17, i64 0)
  %high2 = call i64 @llvm.smin.i64(i64 %v18, i64 48)
  %v19 = sub i64 %low0, 1
  %v20 = sub i64 %low1, 0
  %v21 = sub i64 %low2, 0
  %v22 = sub i64 %high0, 1
  %v23 = sub i64 %high1, 0
  %v24 = sub i64 %high2, 0
  %v25 = call i64 @llvm.smin.i64(i64 %v19, i64 %v20)
  %v26 = call i64 @llvm.smin.i64(i64 %v25, i64 %v21)
  %v27 = call i64 @llvm.smax.i64(i64 %v22, i64 %v23)
  %v28 = call i64 @llvm.smax.i64(i64 %v27, i64 %v24)
  %ring1 = getelementptr i8, ptr %scratch, i64 64
  %v66 = getelementptr i8, ptr %args, i64 96
  %param.67 = load float, ptr %v66, align 8
  %v68 = insertelement <16 x float> poison, float %param.67, i64 0
  %v69 = shufflevector <16 x float> %v68, <16 x float> poison, <16 x i32> zeroinitializer
  %v70 = fmul <16 x float> %v69, %v69
  %v73 = getelementptr i8, ptr %args, i64 104
  %param.74 = load float, ptr %v73, align 8
  %v75 = insertelement <16 x float> poison, float %param.74, i64 0
  %v76 = shufflevector <16 x float> %v75, <16 x float> poison, <16 x i32> zeroinitializer
  %v77 = fmul <16 x float> %v76, %v76
  %v80 = getelementptr i8, ptr %args, i64 112
  %param.81 = load float, ptr %v80, align 8
  %v82 = insertelement <16 x float> poison, float %param.81, i64 0
  %v83 = shufflevector <16 x float> %v82, <16 x float> poison, <16 x i32> zeroinitializer
  %v84 = getelementptr i8, ptr %args, i64 120
  %param.85 = load float, ptr %v84, align 8
  %v86 = insertelement <16 x float> poison, float %param.85, i64 0
  %v87 = shufflevector <16 x float> %v86, <16 x float> poison, <16 x i32> zeroinitializer
  %v88 = fmul <16 x float> %v83, %v87
  %v218 = getelementptr i8, ptr %args, i64 128
  %param.219 = load float, ptr %v218, align 8
  %v220 = insertelement <16 x float> poison, float %param.219, i64 0
  %v221 = shufflevector <16 x float> %v220, <16 x float> poison, <16 x i32> zeroinitializer
  %v222 = getelementptr i8, ptr %args, i64 136
  %param.223 = load float, ptr %v222, align 8
  %v224 = insertelement <16 x float> poison, float %param.223, i64 0
  %v225 = shufflevector <16 x float> %v224, <16 x float> poison, <16 x i32> zeroinitializer
  %v226 = fmul <16 x float> %v221, %v225
  %v228 = getelementptr i8, ptr %args, i64 144
  %param.229 = load float, ptr %v228, align 8
  %v230 = insertelement <16 x float> poison, float %param.229, i64 0
  %v231 = shufflevector <16 x float> %v230, <16 x float> poison, <16 x i32> zeroinitializer
  %v232 = fmul <16 x float> %v231, %v231
  %v235 = getelementptr i8, ptr %args, i64 152
  %param.236 = load float, ptr %v235, align 8
  %v237 = insertelement <16 x float> poison, float %param.236, i64 0
  %v238 = shufflevector <16 x float> %v237, <16 x float> poison, <16 x i32> zeroinitializer
  %v239 = fmul <16 x float> %v238, %v238
  %v248 = fcmp ogt <16 x float> %v231, splat (float 0x3EB0C6F7A0000000)
  %v249 = select <16 x i1> %v248, <16 x float> %v231, <16 x float> splat (float 0x3EB0C6F7A0000000)
  br label %t.29
t.29:
  %t.32 = phi i64 [ %first_frame, %entry ], [ %t.32.next, %t.next.33 ]
  %v34 = icmp slt i64 %t.32, %last_frame
  br i1 %v34, label %t.do.30, label %t.end.31
t.do.30:
  %v495 = mul i64 %frames, 0
  %v496 = add i64 %v495, %t.32
  %v497 = getelementptr ptr, ptr %images, i64 %v496
  %input0 = load ptr, ptr %v497, align 8
  %v498 = mul i64 %frames, 1
  %v499 = add i64 %v498, %t.32
  %v500 = getelementptr ptr, ptr %images, i64 %v499
  %output0 = load ptr, ptr %v500, align 8
  %v501 = mul i64 %frames, 2
  %v502 = add i64 %v501, %t.32
  %v503 = getelementptr ptr, ptr %images, i64 %v502
  %output1 = load ptr, ptr %v503, align 8
  %v35 = icmp eq i64 %t.32, 0
  %v36 = icmp ne i64 %is_first, 0
  %v37 = and i1 %v35, %v36
  br label %step.38
step.38:
  %s.41 = phi i64 [ %v26, %t.do.30 ], [ %s.41.next, %step.next.42 ]
  %v43 = icmp slt i64 %s.41, %v28
  br i1 %v43, label %step.do.39, label %step.end.40
step.do.39:
  ; group 0: plane ring1, plane state2, plane state3; 1 rows ahead; 1 more above, 1 below
  %r.44 = add nsw i64 %s.41, 1
  %v45 = icmp sge i64 %r.44, %low0
  %v46 = icmp slt i64 %r.44, %high0
  %v47 = and i1 %v45, %v46
  br i1 %v47, label %group0.48, label %group0.end.49
group0.48:
  %v50 = icmp sge i64 %r.44, %first_row
  %v51 = icmp slt i64 %r.44, %last_row
  %v52 = and i1 %v50, %v51
  %v54 = mul nsw i64 %r.44, 64
  %in.row.55 = getelementptr i8, ptr %input0, i64 %v54
  %v95 = urem i64 %r.44, 3
  %v96 = mul nsw i64 %v95, 256
  %ring1.row.97 = getelementptr i8, ptr %ring1, i64 %v96
  %v100 = mul nsw i64 %r.44, 112
  %state2.row.101 = getelementptr float, ptr %state2, i64 %v100
  %v103 = mul nsw i64 %r.44, 112
  %state3.row.104 = getelementptr float, ptr %state3, i64 %v103
  br i1 %v37, label %first.187, label %then.188
first.187:
  br label %across.190
across.190:
  %x.53 = phi i64 [ 0, %first.187 ], [ %x.53.next, %across.190 ]
  %v56 = getelementptr i8, ptr %in.row.55, i64 %x.53
  %v57 = getelementptr i8, ptr %v56, i64 128
  call void @llvm.prefetch.p0(ptr %v57, i32 0, i32 3, i32 1)
  %v58 = load <16 x i8>, ptr %v56, align 1
  %v59 = zext <16 x i8> %v58 to <16 x i32>
  %v60 = sitofp <16 x i32> %v59 to <16 x float>
  %v61 = fmul <16 x float> %v60, splat (float 0xBE6FDFDFE0000000)
  %v62 = fmul <16 x float> %v60, splat (float 0x3F70102000000000)
  %v63 = fadd <16 x float> %v62, %v61
  %v64 = fsub <16 x float> %v63, %v63
  %v65 = fmul <16 x float> %v64, %v64
  %v71 = fcmp ogt <16 x float> %v70, %v70
  %v72 = select <16 x i1> %v71, <16 x float> %v70, <16 x float> %v70
  %v78 = fmul <16 x float> %v77, %v72
  %v79 = fcmp olt <16 x float> %v78, %v65
  %v89 = select <16 x i1> %v79, <16 x float> %v88, <16 x float> %v83
  %v90 = fmul <16 x float> %v89, %v64
  %v91 = fadd <16 x float> %v63, %v90
  %v92 = fsub <16 x float> %v65, %v70
  %v93 = fmul <16 x float> %v89, %v92
  %v94 = fadd <16 x float> %v70, %v93
  %v98 = getelementptr i8, ptr %ring1.row.97, i64 %x.53
  %v99 = zext <16 x i1> %v79 to <16 x i8>
  store <16 x i8> %v99, ptr %v98, align 16
  %v102 = getelementptr float, ptr %state2.row.101, i64 %x.53
  store <16 x float> %v91, ptr %v102, align 64
  %v105 = getelementptr float, ptr %state3.row.104, i64 %x.53
  store <16 x float> %v94, ptr %v105, align 64
  %v106 = add i64 %x.53, 16
  %v107 = getelementptr i8, ptr %in.row.55, i64 %v106
  %v108 = load <16 x i8>, ptr %v107, align 1
  %v109 = zext <16 x i8> %v108 to <16 x i32>
  %v110 = sitofp <16 x i32> %v109 to <16 x float>
  %v111 = fmul <16 x float> %v110, splat (float 0xBE6FDFDFE0000000)
  %v112 = fmul <16 x float> %v110, splat (float 0x3F70102000000000)
  %v113 = fadd <16 x float> %v112, %v111
  %v114 = fsub <16 x float> %v113, %v113
  %v115 = fmul <16 x float> %v114, %v114
  %v116 = fcmp ogt <16 x float> %v70, %v70
  %v117 = select <16 x i1> %v116, <16 x float> %v70, <16 x float> %v70
  %v118 = fmul <16 x float> %v77, %v117
  %v119 = fcmp olt <16 x float> %v118, %v115
  %v120 = select <16 x i1> %v119, <16 x float> %v88, <16 x float> %v83
  %v121 = fmul <16 x float> %v120, %v114
  %v122 = fadd <16 x float> %v113, %v121
  %v123 = fsub <16 x float> %v115, %v70
  %v124 = fmul <16 x float> %v120, %v123
  %v125 = fadd <16 x float> %v70, %v124
  %v126 = getelementptr i8, ptr %ring1.row.97, i64 %v106
  %v127 = zext <16 x i1> %v119 to <16 x i8>
  store <16 x i8> %v127, ptr %v126, align 16
  %v128 = getelementptr float, ptr %state2.row.101, i64 %v106
  store <16 x float> %v122, ptr %v128, align 64
  %v129 = getelementptr float, ptr %state3.row.104, i64 %v106
  store <16 x float> %v125, ptr %v129, align 64
  %x.53.next = add nuw nsw i64 %x.53, 32
  %x.53.more = icmp ult i64 %x.53.next, 64
  br i1 %x.53.more, label %across.190, label %across.end.191
across.end.191:
  br label %done.189
then.188:
  br label %across.192
across.192:
  %x.130 = phi i64 [ 0, %then.188 ], [ %x.130.next, %across.192 ]
  %v131 = getelementptr float, ptr %state2.row.101, i64 %x.130
  %v132 = load <16 x float>, ptr %v131, align 64
  %v133 = getelementptr i8, ptr %in.row.55, i64 %x.130
  %v134 = getelementptr i8, ptr %v133, i64 128
  call void @llvm.prefetch.p0(ptr %v134, i32 0, i32 3, i32 1)
  %v135 = load <16 x i8>, ptr %v133, align 1
  %v136 = zext <16 x i8> %v135 to <16 x i32>
  %v137 = sitofp <16 x i32> %v136 to <16 x float>
  %v138 = fmul <16 x float> %v137, splat (float 0xBE6FDFDFE0000000)
  %v139 = fmul <16 x float> %v137, splat (float 0x3F70102000000000)
  %v140 = fadd <16 x float> %v139, %v138
  %v141 = fsub <16 x float> %v140, %v132
  %v142 = fmul <16 x float> %v141, %v141
  %v143 = getelementptr float, ptr %state3.row.104, i64 %x.130
  %v144 = load <16 x float>, ptr %v143, align 64
  %v145 = fcmp ogt <16 x float> %v144, %v70
  %v146 = select <16 x i1> %v145, <16 x float> %v144, <16 x float> %v70
  %v147 = fmul <16 x float> %v77, %v146
  %v148 = fcmp olt <16 x float> %v147, %v142
  %v149 = select <16 x i1> %v148, <16 x float> %v88, <16 x float> %v83
  %v150 = fmul <16 x float> %v149, %v141
  %v151 = fadd <16 x float> %v132, %v150
  %v152 = fsub <16 x float> %v142, %v144
  %v153 = fmul <16 x float> %v149, %v152
  %v154 = fadd <16 x float> %v144, %v153
  %v155 = getelementptr i8, ptr %ring1.row.97, i64 %x.130
  %v156 = zext <16 x i1> %v148 to <16 x i8>
  store <16 x i8> %v156, ptr %v155, align 16
  %v157 = getelementptr float, ptr %state2.row.101, i64 %x.130
  store <16 x float> %v151, ptr %v157, align 64
  %v158 = getelementptr float, ptr %state3.row.104, i64 %x.130
  store <16 x float> %v154, ptr %v158, align 64
  %v159 = add i64 %x.130, 16
  %v160 = getelementptr float, ptr %state2.row.101, i64 %v159
  %v161 = load <16 x float>, ptr %v160, align 64
  %v162 = getelementptr i8, ptr %in.row.55, i64 %v159
  %v163 = load <16 x i8>, ptr %v162, align 1
  %v164 = zext <16 x i8> %v163 to <16 x i32>
  %v165 = sitofp <16 x i32> %v164 to <16 x float>
  %v166 = fmul <16 x float> %v165, splat (float 0xBE6FDFDFE0000000)
  %v167 = fmul <16 x float> %v165, splat (float 0x3F70102000000000)
  %v168 = fadd <16 x float> %v167, %v166
  %v169 = fsub <16 x float> %v168, %v161
  %v170 = fmul <16 x float> %v169, %v169
  %v171 = getelementptr float, ptr %state3.row.104, i64 %v159
  %v172 = load <16 x float>, ptr %v171, align 64
  %v173 = fcmp ogt <16 x float> %v172, %v70
  %v174 = select <16 x i1> %v173, <16 x float> %v172, <16 x float> %v70
  %v175 = fmul <16 x float> %v77, %v174
  %v176 = fcmp olt <16 x float> %v175, %v170
  %v177 = select <16 x i1> %v176, <16 x float> %v88, <16 x float> %v83
  %v178 = fmul <16 x float> %v177, %v169
  %v179 = fadd <16 x float> %v161, %v178
  %v180 = fsub <16 x float> %v170, %v172
  %v181 = fmul <16 x float> %v177, %v180
  %v182 = fadd <16 x float> %v172, %v181
  %v183 = getelementptr i8, ptr %ring1.row.97, i64 %v159
  %v184 = zext <16 x i1> %v176 to <16 x i8>
  store <16 x i8> %v184, ptr %v183, align 16
  %v185 = getelementptr float, ptr %state2.row.101, i64 %v159
  store <16 x float> %v179, ptr %v185, align 64
  %v186 = getelementptr float, ptr %state3.row.104, i64 %v159
  store <16 x float> %v182, ptr %v186, align 64
  %x.130.next = add nuw nsw i64 %x.130, 32
  %x.130.more = icmp ult i64 %x.130.next, 64
  br i1 %x.130.more, label %across.192, label %across.end.193
across.end.193:
  br label %done.189
done.189:
  %v194 = getelementptr i8, ptr %ring1.row.97, i64 0
  %v195 = load i8, ptr %v194
  %v196 = getelementptr i8, ptr %ring1.row.97, i64 -1
  store i8 %v195, ptr %v196
  %v197 = getelementptr i8, ptr %ring1.row.97, i64 63
  %v198 = load i8, ptr %v197
  %v199 = getelementptr i8, ptr %ring1.row.97, i64 64
  store i8 %v198, ptr %v199
  br label %group0.end.49
group0.end.49:
  ; group 1: plane state4, plane state5, output; 0 rows ahead; 0 more above, 0 below
  %r.200 = add nsw i64 %s.41, 0
  %v201 = icmp sge i64 %r.200, %low1
  %v202 = icmp slt i64 %r.200, %high1
  %v203 = and i1 %v201, %v202
  br i1 %v203, label %group1.204, label %group1.end.205
group1.204:
  %v207 = mul nsw i64 %r.200, 64
  %in.row.208 = getelementptr i8, ptr %input0, i64 %v207
  %v255 = mul nsw i64 %r.200, 112
  %state4.row.256 = getelementptr float, ptr %state4, i64 %v255
  %v258 = mul nsw i64 %r.200, 112
  %state5.row.259 = getelementptr float, ptr %state5, i64 %v258
  %v261 = mul nsw i64 %r.200, 64
  %out.row.262 = getelementptr float, ptr %output0, i64 %v261
  br i1 %v37, label %first.361, label %then.362
first.361:
  br label %across.364
across.364:
  %x.206 = phi i64 [ 0, %first.361 ], [ %x.206.next, %across.364 ]
  %v209 = getelementptr i8, ptr %in.row.208, i64 %x.206
  %v210 = getelementptr i8, ptr %v209, i64 128
  call void @llvm.prefetch.p0(ptr %v210, i32 0, i32 3, i32 1)
  %v211 = load <16 x i8>, ptr %v209, align 1
  %v212 = zext <16 x i8> %v211 to <16 x i32>
  %v213 = sitofp <16 x i32> %v212 to <16 x float>
  %v214 = fmul <16 x float> %v213, splat (float 0xBE6FDFDFE0000000)
  %v215 = fmul <16 x float> %v213, splat (float 0x3F70102000000000)
  %v216 = fadd <16 x float> %v215, %v214
  %v217 = fsub <16 x float> %v216, %v216
  %v227 = fmul <16 x float> %v217, %v217
  %v233 = fcmp ogt <16 x float> %v232, %v232
  %v234 = select <16 x i1> %v233, <16 x float> %v232, <16 x float> %v232
  %v240 = fmul <16 x float> %v239, %v234
  %v241 = fcmp olt <16 x float> %v240, %v227
  %v242 = select <16 x i1> %v241, <16 x float> %v226, <16 x float> %v221
  %v243 = fmul <16 x float> %v242, %v217
  %v244 = fadd <16 x float> %v216, %v243
  %v245 = fsub <16 x float> %v227, %v232
  %v246 = fmul <16 x float> %v242, %v245
  %v247 = fadd <16 x float> %v232, %v246
  %v250 = fcmp ogt <16 x float> %v216, %v216
  %v251 = select <16 x i1> %v250, <16 x float> %v216, <16 x float> %v216
  %v252 = fcmp ogt <16 x float> %v251, %v249
  %v253 = select <16 x i1> %v252, <16 x float> %v251, <16 x float> %v249
  %v254 = fdiv <16 x float> %v217, %v253
  %v257 = getelementptr float, ptr %state4.row.256, i64 %x.206
  store <16 x float> %v244, ptr %v257, align 64
  %v260 = getelementptr float, ptr %state5.row.259, i64 %x.206
  store <16 x float> %v247, ptr %v260, align 64
  %v263 = getelementptr float, ptr %out.row.262, i64 %x.206
  %v264 = getelementptr i8, ptr %v263, i64 512
  call void @llvm.prefetch.p0(ptr %v264, i32 1, i32 3, i32 1)
  store <16 x float> %v254, ptr %v263, align 4
  %v265 = add i64 %x.206, 16
  %v266 = getelementptr i8, ptr %in.row.208, i64 %v265
  %v267 = load <16 x i8>, ptr %v266, align 1
  %v268 = zext <16 x i8> %v267 to <16 x i32>
  %v269 = sitofp <16 x i32> %v268 to <16 x float>
  %v270 = fmul <16 x float> %v269, splat (float 0xBE6FDFDFE0000000)
  %v271 = fmul <16 x float> %v269, splat (float 0x3F70102000000000)
  %v272 = fadd <16 x float> %v271, %v270
  %v273 = fsub <16 x float> %v272, %v272
  %v274 = fmul <16 x float> %v273, %v273
  %v275 = fcmp ogt <16 x float> %v232, %v232
  %v276 = select <16 x i1> %v275, <16 x float> %v232, <16 x float> %v232
  %v277 = fmul <16 x float> %v239, %v276
  %v278 = fcmp olt <16 x float> %v277, %v274
  %v279 = select <16 x i1> %v278, <16 x float> %v226, <16 x float> %v221
  %v280 = fmul <16 x float> %v279, %v273
  %v281 = fadd <16 x float> %v272, %v280
  %v282 = fsub <16 x float> %v274, %v232
  %v283 = fmul <16 x float> %v279, %v282
  %v284 = fadd <16 x float> %v232, %v283
  %v285 = fcmp ogt <16 x float> %v272, %v272
  %v286 = select <16 x i1> %v285, <16 x float> %v272, <16 x float> %v272
  %v287 = fcmp ogt <16 x float> %v286, %v249
  %v288 = select <16 x i1> %v287, <16 x float> %v286, <16 x float> %v249
  %v289 = fdiv <16 x float> %v273, %v288
  %v290 = getelementptr float, ptr %state4.row.256, i64 %v265
  store <16 x float> %v281, ptr %v290, align 64
  %v291 = getelementptr float, ptr %state5.row.259, i64 %v265
  store <16 x float> %v284, ptr %v291, align 64
  %v292 = getelementptr float, ptr %out.row.262, i64 %v265
  %v293 = getelementptr i8, ptr %v292, i64 512
  call void @llvm.prefetch.p0(ptr %v293, i32 1, i32 3, i32 1)
  store <16 x float> %v289, ptr %v292, align 4
  %x.206.next = add nuw nsw i64 %x.206, 32
  %x.206.more = icmp ult i64 %x.206.next, 64
  br i1 %x.206.more, label %across.364, label %across.end.365
across.end.365:
  br label %done.363
then.362:
  br label %across.366
across.366:
  %x.294 = phi i64 [ 0, %then.362 ], [ %x.294.next, %across.366 ]
  %v295 = getelementptr float, ptr %state4.row.256, i64 %x.294
  %v296 = load <16 x float>, ptr %v295, align 64
  %v297 = getelementptr i8, ptr %in.row.208, i64 %x.294
  %v298 = getelementptr i8, ptr %v297, i64 128
  call void @llvm.prefetch.p0(ptr %v298, i32 0, i32 3, i32 1)
  %v299 = load <16 x i8>, ptr %v297, align 1
  %v300 = zext <16 x i8> %v299 to <16 x i32>
  %v301 = sitofp <16 x i32> %v300 to <16 x float>
  %v302 = fmul <16 x float> %v301, splat (float 0xBE6FDFDFE0000000)
  %v303 = fmul <16 x float> %v301, splat (float 0x3F70102000000000)
  %v304 = fadd <16 x float> %v303, %v302
  %v305 = fsub <16 x float> %v304, %v296
  %v306 = fmul <16 x float> %v305, %v305
  %v307 = getelementptr float, ptr %state5.row.259, i64 %x.294
  %v308 = load <16 x float>, ptr %v307, align 64
  %v309 = fcmp ogt <16 x float> %v308, %v232
  %v310 = select <16 x i1> %v309, <16 x float> %v308, <16 x float> %v232
  %v311 = fmul <16 x float> %v239, %v310
  %v312 = fcmp olt <16 x float> %v311, %v306
  %v313 = select <16 x i1> %v312, <16 x float> %v226, <16 x float> %v221
  %v314 = fmul <16 x float> %v313, %v305
  %v315 = fadd <16 x float> %v296, %v314
  %v316 = fsub <16 x float> %v306, %v308
  %v317 = fmul <16 x float> %v313, %v316
  %v318 = fadd <16 x float> %v308, %v317
  %v319 = fcmp ogt <16 x float> %v304, %v296
  %v320 = select <16 x i1> %v319, <16 x float> %v304, <16 x float> %v296
  %v321 = fcmp ogt <16 x float> %v320, %v249
  %v322 = select <16 x i1> %v321, <16 x float> %v320, <16 x float> %v249
  %v323 = fdiv <16 x float> %v305, %v322
  %v324 = getelementptr float, ptr %state4.row.256, i64 %x.294
  store <16 x float> %v315, ptr %v324, align 64
  %v325 = getelementptr float, ptr %state5.row.259, i64 %x.294
  store <16 x float> %v318, ptr %v325, align 64
  %v326 = getelementptr float, ptr %out.row.262, i64 %x.294
  %v327 = getelementptr i8, ptr %v326, i64 512
  call void @llvm.prefetch.p0(ptr %v327, i32 1, i32 3, i32 1)
  store <16 x float> %v323, ptr %v326, align 4
  %v328 = add i64 %x.294, 16
  %v329 = getelementptr float, ptr %state4.row.256, i64 %v328
  %v330 = load <16 x float>, ptr %v329, align 64
  %v331 = getelementptr i8, ptr %in.row.208, i64 %v328
  %v332 = load <16 x i8>, ptr %v331, align 1
  %v333 = zext <16 x i8> %v332 to <16 x i32>
  %v334 = sitofp <16 x i32> %v333 to <16 x float>
  %v335 = fmul <16 x float> %v334, splat (float 0xBE6FDFDFE0000000)
  %v336 = fmul <16 x float> %v334, splat (float 0x3F70102000000000)
  %v337 = fadd <16 x float> %v336, %v335
  %v338 = fsub <16 x float> %v337, %v330
  %v339 = fmul <16 x float> %v338, %v338
  %v340 = getelementptr float, ptr %state5.row.259, i64 %v328
  %v341 = load <16 x float>, ptr %v340, align 64
  %v342 = fcmp ogt <16 x float> %v341, %v232
  %v343 = select <16 x i1> %v342, <16 x float> %v341, <16 x float> %v232
  %v344 = fmul <16 x float> %v239, %v343
  %v345 = fcmp olt <16 x float> %v344, %v339
  %v346 = select <16 x i1> %v345, <16 x float> %v226, <16 x float> %v221
  %v347 = fmul <16 x float> %v346, %v338
  %v348 = fadd <16 x float> %v330, %v347
  %v349 = fsub <16 x float> %v339, %v341
  %v350 = fmul <16 x float> %v346, %v349
  %v351 = fadd <16 x float> %v341, %v350
  %v352 = fcmp ogt <16 x float> %v337, %v330
  %v353 = select <16 x i1> %v352, <16 x float> %v337, <16 x float> %v330
  %v354 = fcmp ogt <16 x float> %v353, %v249
  %v355 = select <16 x i1> %v354, <16 x float> %v353, <16 x float> %v249
  %v356 = fdiv <16 x float> %v338, %v355
  %v357 = getelementptr float, ptr %state4.row.256, i64 %v328
  store <16 x float> %v348, ptr %v357, align 64
  %v358 = getelementptr float, ptr %state5.row.259, i64 %v328
  store <16 x float> %v351, ptr %v358, align 64
  %v359 = getelementptr float, ptr %out.row.262, i64 %v328
  %v360 = getelementptr i8, ptr %v359, i64 512
  call void @llvm.prefetch.p0(ptr %v360, i32 1, i32 3, i32 1)
  store <16 x float> %v356, ptr %v359, align 4
  %x.294.next = add nuw nsw i64 %x.294, 32
  %x.294.more = icmp ult i64 %x.294.next, 64
  br i1 %x.294.more, label %across.366, label %across.end.367
across.end.367:
  br label %done.363
done.363:
  br label %group1.end.205
group1.end.205:
  ; group 2: output; 0 rows ahead; 0 more above, 0 below
  %r.368 = add nsw i64 %s.41, 0
  %v369 = icmp sge i64 %r.368, %low2
  %v370 = icmp slt i64 %r.368, %high2
  %v371 = and i1 %v369, %v370
  br i1 %v371, label %group2.372, label %group2.end.373
group2.372:
  %v375 = add i64 %r.368, 1
  %v376 = call i64 @llvm.smax.i64(i64 %v375, i64 0)
  %v377 = call i64 @llvm.smin.i64(i64 %v376, i64 47)
  %v378 = urem i64 %v377, 3
  %v379 = mul nsw i64 %v378, 256
  %ring1.row.380 = getelementptr i8, ptr %ring1, i64 %v379
  %v386 = load <64 x i8>, ptr %ring1.row.380, align 64
  %v387 = shufflevector <64 x i8> %v386, <64 x i8> poison, <64 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %v388 = load <64 x i8>, ptr %ring1.row.380, align 64
  %v402 = urem i64 %r.368, 3
  %v403 = mul nsw i64 %v402, 256
  %ring1.row.404 = getelementptr i8, ptr %ring1, i64 %v403
  %v410 = load <64 x i8>, ptr %ring1.row.404, align 64
  %v411 = shufflevector <64 x i8> %v410, <64 x i8> poison, <64 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %v412 = load <64 x i8>, ptr %ring1.row.404, align 64
  %v428 = add i64 %r.368, -1
  %v429 = call i64 @llvm.smax.i64(i64 %v428, i64 0)
  %v430 = call i64 @llvm.smin.i64(i64 %v429, i64 47)
  %v431 = urem i64 %v430, 3
  %v432 = mul nsw i64 %v431, 256
  %ring1.row.433 = getelementptr i8, ptr %ring1, i64 %v432
  %v439 = load <64 x i8>, ptr %ring1.row.433, align 64
  %v440 = shufflevector <64 x i8> %v439, <64 x i8> poison, <64 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %v441 = load <64 x i8>, ptr %ring1.row.433, align 64
  %v489 = mul nsw i64 %r.368, 64
  %out.row.490 = getelementptr i8, ptr %output1, i64 %v489
  br label %across.493
across.493:
  %x.374 = phi i64 [ 0, %group2.372 ], [ %x.374.next, %across.493 ]
  %before.381 = phi <64 x i8> [ %v387, %group2.372 ], [ %here.382, %across.493 ]
  %here.382 = phi <64 x i8> [ %v388, %group2.372 ], [ %v385, %across.493 ]
  %before.405 = phi <64 x i8> [ %v411, %group2.372 ], [ %here.406, %across.493 ]
  %here.406 = phi <64 x i8> [ %v412, %group2.372 ], [ %v409, %across.493 ]
  %before.434 = phi <64 x i8> [ %v440, %group2.372 ], [ %here.435, %across.493 ]
  %here.435 = phi <64 x i8> [ %v441, %group2.372 ], [ %v438, %across.493 ]
  %v383 = getelementptr i8, ptr %ring1.row.380, i64 %x.374
  %v384 = getelementptr i8, ptr %v383, i64 64
  %v385 = load <64 x i8>, ptr %v384, align 64
  %v389 = shufflevector <64 x i8> %here.382, <64 x i8> %v385, <64 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31, i32 32, i32 33, i32 34, i32 35, i32 36, i32 37, i32 38, i32 39, i32 40, i32 41, i32 42, i32 43, i32 44, i32 45, i32 46, i32 47, i32 48, i32 49, i32 50, i32 51, i32 52, i32 53, i32 54, i32 55, i32 56, i32 57, i32 58, i32 59, i32 60, i32 61, i32 62, i32 63, i32 64>
  %v390 = icmp ne <64 x i8> %v389, zeroinitializer
  %v391 = icmp ne <64 x i8> %here.382, zeroinitializer
  %v392 = or <64 x i1> %v391, %v390
  %v393 = or <64 x i8> %here.382, %v389
  %v394 = and <64 x i1> %v391, %v390
  %v395 = and <64 x i8> %here.382, %v389
  %v396 = shufflevector <64 x i8> %before.381, <64 x i8> %here.382, <64 x i32> <i32 63, i32 64, i32 65, i32 66, i32 67, i32 68, i32 69, i32 70, i32 71, i32 72, i32 73, i32 74, i32 75, i32 76, i32 77, i32 78, i32 79, i32 80, i32 81, i32 82, i32 83, i32 84, i32 85, i32 86, i32 87, i32 88, i32 89, i32 90, i32 91, i32 92, i32 93, i32 94, i32 95, i32 96, i32 97, i32 98, i32 99, i32 100, i32 101, i32 102, i32 103, i32 104, i32 105, i32 106, i32 107, i32 108, i32 109, i32 110, i32 111, i32 112, i32 113, i32 114, i32 115, i32 116, i32 117, i32 118, i32 119, i32 120, i32 121, i32 122, i32 123, i32 124, i32 125, i32 126>
  %v397 = icmp ne <64 x i8> %v396, zeroinitializer
  %v398 = or <64 x i1> %v397, %v394
  %v399 = or <64 x i8> %v396, %v395
  %v400 = or <64 x i1> %v398, %v392
  %v401 = or <64 x i8> %v399, %v393
  %v407 = getelementptr i8, ptr %ring1.row.404, i64 %x.374
  %v408 = getelementptr i8, ptr %v407, i64 64
  %v409 = load <64 x i8>, ptr %v408, align 64
  %v413 = shufflevector <64 x i8> %here.406, <64 x i8> %v409, <64 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31, i32 32, i32 33, i32 34, i32 35, i32 36, i32 37, i32 38, i32 39, i32 40, i32 41, i32 42, i32 43, i32 44, i32 45, i32 46, i32 47, i32 48, i32 49, i32 50, i32 51, i32 52, i32 53, i32 54, i32 55, i32 56, i32 57, i32 58, i32 59, i32 60, i32 61, i32 62, i32 63, i32 64>
  %v414 = icmp ne <64 x i8> %v413, zeroinitializer
  %v415 = icmp ne <64 x i8> %here.406, zeroinitializer
  %v416 = or <64 x i1> %v415, %v414
  %v417 = or <64 x i8> %here.406, %v413
  %v418 = and <64 x i1> %v415, %v414
  %v419 = and <64 x i8> %here.406, %v413
  %v420 = shufflevector <64 x i8> %before.405, <64 x i8> %here.406, <64 x i32> <i32 63, i32 64, i32 65, i32 66, i32 67, i32 68, i32 69, i32 70, i32 71, i32 72, i32 73, i32 74, i32 75, i32 76, i32 77, i32 78, i32 79, i32 80, i32 81, i32 82, i32 83, i32 84, i32 85, i32 86, i32 87, i32 88, i32 89, i32 90, i32 91, i32 92, i32 93, i32 94, i32 95, i32 96, i32 97, i32 98, i32 99, i32 100, i32 101, i32 102, i32 103, i32 104, i32 105, i32 106, i32 107, i32 108, i32 109, i32 110, i32 111, i32 112, i32 113, i32 114, i32 115, i32 116, i32 117, i32 118, i32 119, i32 120, i32 121, i32 122, i32 123, i32 124, i32 125, i32 126>
  %v421 = icmp ne <64 x i8> %v420, zeroinitializer
  %v422 = or <64 x i1> %v421, %v418
  %v423 = or <64 x i8> %v420, %v419
  %v424 = or <64 x i1> %v422, %v416
  %v425 = or <64 x i8> %v423, %v417
  %v426 = and <64 x i1> %v424, %v400
  %v427 = and <64 x i8> %v425, %v401
  %v436 = getelementptr i8, ptr %ring1.row.433, i64 %x.374
  %v437 = getelementptr i8, ptr %v436, i64 64
  %v438 = load <64 x i8>, ptr %v437, align 64
  %v442 = shufflevector <64 x i8> %here.435, <64 x i8> %v438, <64 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31, i32 32, i32 33, i32 34, i32 35, i32 36, i32 37, i32 38, i32 39, i32 40, i32 41, i32 42, i32 43, i32 44, i32 45, i32 46, i32 47, i32 48, i32 49, i32 50, i32 51, i32 52, i32 53, i32 54, i32 55, i32 56, i32 57, i32 58, i32 59, i32 60, i32 61, i32 62, i32 63, i32 64>
  %v443 = icmp ne <64 x i8> %v442, zeroinitializer
  %v444 = icmp ne <64 x i8> %here.435, zeroinitializer
  %v445 = or <64 x i1> %v444, %v443
  %v446 = or <64 x i8> %here.435, %v442
  %v447 = and <64 x i1> %v444, %v443
  %v448 = and <64 x i8> %here.435, %v442
  %v449 = shufflevector <64 x i8> %before.434, <64 x i8> %here.435, <64 x i32> <i32 63, i32 64, i32 65, i32 66, i32 67, i32 68, i32 69, i32 70, i32 71, i32 72, i32 73, i32 74, i32 75, i32 76, i32 77, i32 78, i32 79, i32 80, i32 81, i32 82, i32 83, i32 84, i32 85, i32 86, i32 87, i32 88, i32 89, i32 90, i32 91, i32 92, i32 93, i32 94, i32 95, i32 96, i32 97, i32 98, i32 99, i32 100, i32 101, i32 102, i32 103, i32 104, i32 105, i32 106, i32 107, i32 108, i32 109, i32 110, i32 111, i32 112, i32 113, i32 114, i32 115, i32 116, i32 117, i32 118, i32 119, i32 120, i32 121, i32 122, i32 123, i32 124, i32 125, i32 126>
  %v450 = icmp ne <64 x i8> %v449, zeroinitializer
  %v451 = or <64 x i1> %v450, %v447
  %v452 = or <64 x i8> %v449, %v448
  %v453 = or <64 x i1> %v451, %v445
  %v454 = or <64 x i8> %v452, %v446
  %v455 = and <64 x i1> %v453, %v426
  %v456 = and <64 x i8> %v454, %v427
  %v457 = and <64 x i1> %v398, %v392
  %v458 = and <64 x i8> %v399, %v393
  %v459 = and <64 x i1> %v422, %v416
  %v460 = and <64 x i8> %v423, %v417
  %v461 = or <64 x i1> %v459, %v457
  %v462 = or <64 x i8> %v460, %v458
  %v463 = and <64 x i1> %v459, %v457
  %v464 = and <64 x i8> %v460, %v458
  %v465 = and <64 x i1> %v451, %v445
  %v466 = and <64 x i8> %v452, %v446
  %v467 = or <64 x i1> %v465, %v463
  %v468 = or <64 x i8> %v466, %v464
  %v469 = and <64 x i1> %v467, %v461
  %v470 = and <64 x i8> %v468, %v462
  %v471 = or <64 x i1> %v469, %v455
  %v472 = or <64 x i8> %v470, %v456
  %v473 = and <64 x i1> %v469, %v455
  %v474 = and <64 x i8> %v470, %v456
  %v475 = and <64 x i1> %v397, %v394
  %v476 = and <64 x i8> %v396, %v395
  %v477 = and <64 x i1> %v421, %v418
  %v478 = and <64 x i8> %v420, %v419
  %v479 = and <64 x i1> %v450, %v447
  %v480 = and <64 x i8> %v449, %v448
  %v481 = or <64 x i1> %v479, %v477
  %v482 = or <64 x i8> %v480, %v478
  %v483 = or <64 x i1> %v481, %v475
  %v484 = or <64 x i8> %v482, %v476
  %v485 = or <64 x i1> %v483, %v473
  %v486 = or <64 x i8> %v484, %v474
  %v487 = and <64 x i1> %v485, %v471
  %v488 = and <64 x i8> %v486, %v472
  %v491 = getelementptr i8, ptr %out.row.490, i64 %x.374
  %v492 = getelementptr i8, ptr %v491, i64 128
  call void @llvm.prefetch.p0(ptr %v492, i32 1, i32 3, i32 1)
  store <64 x i8> %v488, ptr %v491, align 1
  %x.374.next = add nuw nsw i64 %x.374, 64
  %x.374.more = icmp ult i64 %x.374.next, 64
  br i1 %x.374.more, label %across.493, label %across.end.494
across.end.494:
  br label %group2.end.373
group2.end.373:
  br label %step.next.42
step.next.42:
  %s.41.next = add nsw i64 %s.41, 1
  br label %step.38
step.end.40:
  br label %t.next.33
t.next.33:
  %t.32.next = add nsw i64 %t.32, 1
  br label %t.29
t.end.31:
  ret void
}

declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.smin.i64(i64, i64)
declare void @llvm.prefetch.p0(ptr, i32, i32, i32)

; whole: a host function, nothing is generated

; bodies: a host function, nothing is generated
