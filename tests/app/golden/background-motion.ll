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
;   ring1: bool, 3 rows, replicate 1 px left and 1 px right
;   state2: f32, the strip's rows, kept
;   state3: f32, the strip's rows, kept
;   row y+1, from 1 above the strip to 1 below, 16 pixels a vector:
;     t1 = f32(in0[y, x])
;     t2 = ((t1 * 0.003921627998352051) + (t1 * -5.9370901084321304e-08)) - was(moving/mean)
;     t3 = t2 * t2
;     ring1 = ((moving.k * moving.k) * max(was(moving/variance), moving.min_sigma * moving.min_sigma)) < t3
;     t5 = select(ring1, moving.alpha * moving.learn, moving.alpha)
;     state2 = was(moving/mean) + (t5 * t2)
;     state3 = was(moving/variance) + (t5 * (t3 - was(moving/variance)))
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
  %v11 = sub i64 %first_row, 1
  %v12 = add i64 %last_row, 1
  %low0 = call i64 @llvm.smax.i64(i64 %v11, i64 0)
  %high0 = call i64 @llvm.smin.i64(i64 %v12, i64 48)
  %v13 = sub i64 %first_row, 0
  %v14 = add i64 %last_row, 0
  %low1 = call i64 @llvm.smax.i64(i64 %v13, i64 0)
  %high1 = call i64 @llvm.smin.i64(i64 %v14, i64 48)
  %v15 = sub i64 %low0, 1
  %v16 = sub i64 %low1, 0
  %v17 = sub i64 %high0, 1
  %v18 = sub i64 %high1, 0
  %v19 = call i64 @llvm.smin.i64(i64 %v15, i64 %v16)
  %v20 = call i64 @llvm.smax.i64(i64 %v17, i64 %v18)
  %ring1 = getelementptr i8, ptr %scratch, i64 64
  %v58 = getelementptr i8, ptr %args, i64 80
  %param.59 = load float, ptr %v58, align 8
  %v60 = insertelement <16 x float> poison, float %param.59, i64 0
  %v61 = shufflevector <16 x float> %v60, <16 x float> poison, <16 x i32> zeroinitializer
  %v62 = fmul <16 x float> %v61, %v61
  %v65 = getelementptr i8, ptr %args, i64 88
  %param.66 = load float, ptr %v65, align 8
  %v67 = insertelement <16 x float> poison, float %param.66, i64 0
  %v68 = shufflevector <16 x float> %v67, <16 x float> poison, <16 x i32> zeroinitializer
  %v69 = fmul <16 x float> %v68, %v68
  %v72 = getelementptr i8, ptr %args, i64 96
  %param.73 = load float, ptr %v72, align 8
  %v74 = insertelement <16 x float> poison, float %param.73, i64 0
  %v75 = shufflevector <16 x float> %v74, <16 x float> poison, <16 x i32> zeroinitializer
  %v76 = getelementptr i8, ptr %args, i64 104
  %param.77 = load float, ptr %v76, align 8
  %v78 = insertelement <16 x float> poison, float %param.77, i64 0
  %v79 = shufflevector <16 x float> %v78, <16 x float> poison, <16 x i32> zeroinitializer
  %v80 = fmul <16 x float> %v75, %v79
  br label %t.21
t.21:
  %t.24 = phi i64 [ %first_frame, %entry ], [ %t.24.next, %t.next.25 ]
  %v26 = icmp slt i64 %t.24, %last_frame
  br i1 %v26, label %t.do.22, label %t.end.23
t.do.22:
  %v319 = mul i64 %frames, 0
  %v320 = add i64 %v319, %t.24
  %v321 = getelementptr ptr, ptr %images, i64 %v320
  %input0 = load ptr, ptr %v321, align 8
  %v322 = mul i64 %frames, 1
  %v323 = add i64 %v322, %t.24
  %v324 = getelementptr ptr, ptr %images, i64 %v323
  %output0 = load ptr, ptr %v324, align 8
  %v27 = icmp eq i64 %t.24, 0
  %v28 = icmp ne i64 %is_first, 0
  %v29 = and i1 %v27, %v28
  br label %step.30
step.30:
  %s.33 = phi i64 [ %v19, %t.do.22 ], [ %s.33.next, %step.next.34 ]
  %v35 = icmp slt i64 %s.33, %v20
  br i1 %v35, label %step.do.31, label %step.end.32
step.do.31:
  ; group 0: plane ring1, plane state2, plane state3; 1 rows ahead; 1 more above, 1 below
  %r.36 = add nsw i64 %s.33, 1
  %v37 = icmp sge i64 %r.36, %low0
  %v38 = icmp slt i64 %r.36, %high0
  %v39 = and i1 %v37, %v38
  br i1 %v39, label %group0.40, label %group0.end.41
group0.40:
  %v42 = icmp sge i64 %r.36, %first_row
  %v43 = icmp slt i64 %r.36, %last_row
  %v44 = and i1 %v42, %v43
  %v46 = mul nsw i64 %r.36, 64
  %in.row.47 = getelementptr i8, ptr %input0, i64 %v46
  %v87 = urem i64 %r.36, 3
  %v88 = mul nsw i64 %v87, 256
  %ring1.row.89 = getelementptr i8, ptr %ring1, i64 %v88
  %v92 = mul nsw i64 %r.36, 112
  %state2.row.93 = getelementptr float, ptr %state2, i64 %v92
  %v95 = mul nsw i64 %r.36, 112
  %state3.row.96 = getelementptr float, ptr %state3, i64 %v95
  br i1 %v29, label %first.179, label %then.180
first.179:
  br label %across.182
across.182:
  %x.45 = phi i64 [ 0, %first.179 ], [ %x.45.next, %across.182 ]
  %v48 = getelementptr i8, ptr %in.row.47, i64 %x.45
  %v49 = getelementptr i8, ptr %v48, i64 128
  call void @llvm.prefetch.p0(ptr %v49, i32 0, i32 3, i32 1)
  %v50 = load <16 x i8>, ptr %v48, align 1
  %v51 = zext <16 x i8> %v50 to <16 x i32>
  %v52 = sitofp <16 x i32> %v51 to <16 x float>
  %v53 = fmul <16 x float> %v52, splat (float 0xBE6FDFDFE0000000)
  %v54 = fmul <16 x float> %v52, splat (float 0x3F70102000000000)
  %v55 = fadd <16 x float> %v54, %v53
  %v56 = fsub <16 x float> %v55, %v55
  %v57 = fmul <16 x float> %v56, %v56
  %v63 = fcmp ogt <16 x float> %v62, %v62
  %v64 = select <16 x i1> %v63, <16 x float> %v62, <16 x float> %v62
  %v70 = fmul <16 x float> %v69, %v64
  %v71 = fcmp olt <16 x float> %v70, %v57
  %v81 = select <16 x i1> %v71, <16 x float> %v80, <16 x float> %v75
  %v82 = fmul <16 x float> %v81, %v56
  %v83 = fadd <16 x float> %v55, %v82
  %v84 = fsub <16 x float> %v57, %v62
  %v85 = fmul <16 x float> %v81, %v84
  %v86 = fadd <16 x float> %v62, %v85
  %v90 = getelementptr i8, ptr %ring1.row.89, i64 %x.45
  %v91 = zext <16 x i1> %v71 to <16 x i8>
  store <16 x i8> %v91, ptr %v90, align 16
  %v94 = getelementptr float, ptr %state2.row.93, i64 %x.45
  store <16 x float> %v83, ptr %v94, align 64
  %v97 = getelementptr float, ptr %state3.row.96, i64 %x.45
  store <16 x float> %v86, ptr %v97, align 64
  %v98 = add i64 %x.45, 16
  %v99 = getelementptr i8, ptr %in.row.47, i64 %v98
  %v100 = load <16 x i8>, ptr %v99, align 1
  %v101 = zext <16 x i8> %v100 to <16 x i32>
  %v102 = sitofp <16 x i32> %v101 to <16 x float>
  %v103 = fmul <16 x float> %v102, splat (float 0xBE6FDFDFE0000000)
  %v104 = fmul <16 x float> %v102, splat (float 0x3F70102000000000)
  %v105 = fadd <16 x float> %v104, %v103
  %v106 = fsub <16 x float> %v105, %v105
  %v107 = fmul <16 x float> %v106, %v106
  %v108 = fcmp ogt <16 x float> %v62, %v62
  %v109 = select <16 x i1> %v108, <16 x float> %v62, <16 x float> %v62
  %v110 = fmul <16 x float> %v69, %v109
  %v111 = fcmp olt <16 x float> %v110, %v107
  %v112 = select <16 x i1> %v111, <16 x float> %v80, <16 x float> %v75
  %v113 = fmul <16 x float> %v112, %v106
  %v114 = fadd <16 x float> %v105, %v113
  %v115 = fsub <16 x float> %v107, %v62
  %v116 = fmul <16 x float> %v112, %v115
  %v117 = fadd <16 x float> %v62, %v116
  %v118 = getelementptr i8, ptr %ring1.row.89, i64 %v98
  %v119 = zext <16 x i1> %v111 to <16 x i8>
  store <16 x i8> %v119, ptr %v118, align 16
  %v120 = getelementptr float, ptr %state2.row.93, i64 %v98
  store <16 x float> %v114, ptr %v120, align 64
  %v121 = getelementptr float, ptr %state3.row.96, i64 %v98
  store <16 x float> %v117, ptr %v121, align 64
  %x.45.next = add nuw nsw i64 %x.45, 32
  %x.45.more = icmp ult i64 %x.45.next, 64
  br i1 %x.45.more, label %across.182, label %across.end.183
across.end.183:
  br label %done.181
then.180:
  br label %across.184
across.184:
  %x.122 = phi i64 [ 0, %then.180 ], [ %x.122.next, %across.184 ]
  %v123 = getelementptr float, ptr %state2.row.93, i64 %x.122
  %v124 = load <16 x float>, ptr %v123, align 64
  %v125 = getelementptr i8, ptr %in.row.47, i64 %x.122
  %v126 = getelementptr i8, ptr %v125, i64 128
  call void @llvm.prefetch.p0(ptr %v126, i32 0, i32 3, i32 1)
  %v127 = load <16 x i8>, ptr %v125, align 1
  %v128 = zext <16 x i8> %v127 to <16 x i32>
  %v129 = sitofp <16 x i32> %v128 to <16 x float>
  %v130 = fmul <16 x float> %v129, splat (float 0xBE6FDFDFE0000000)
  %v131 = fmul <16 x float> %v129, splat (float 0x3F70102000000000)
  %v132 = fadd <16 x float> %v131, %v130
  %v133 = fsub <16 x float> %v132, %v124
  %v134 = fmul <16 x float> %v133, %v133
  %v135 = getelementptr float, ptr %state3.row.96, i64 %x.122
  %v136 = load <16 x float>, ptr %v135, align 64
  %v137 = fcmp ogt <16 x float> %v136, %v62
  %v138 = select <16 x i1> %v137, <16 x float> %v136, <16 x float> %v62
  %v139 = fmul <16 x float> %v69, %v138
  %v140 = fcmp olt <16 x float> %v139, %v134
  %v141 = select <16 x i1> %v140, <16 x float> %v80, <16 x float> %v75
  %v142 = fmul <16 x float> %v141, %v133
  %v143 = fadd <16 x float> %v124, %v142
  %v144 = fsub <16 x float> %v134, %v136
  %v145 = fmul <16 x float> %v141, %v144
  %v146 = fadd <16 x float> %v136, %v145
  %v147 = getelementptr i8, ptr %ring1.row.89, i64 %x.122
  %v148 = zext <16 x i1> %v140 to <16 x i8>
  store <16 x i8> %v148, ptr %v147, align 16
  %v149 = getelementptr float, ptr %state2.row.93, i64 %x.122
  store <16 x float> %v143, ptr %v149, align 64
  %v150 = getelementptr float, ptr %state3.row.96, i64 %x.122
  store <16 x float> %v146, ptr %v150, align 64
  %v151 = add i64 %x.122, 16
  %v152 = getelementptr float, ptr %state2.row.93, i64 %v151
  %v153 = load <16 x float>, ptr %v152, align 64
  %v154 = getelementptr i8, ptr %in.row.47, i64 %v151
  %v155 = load <16 x i8>, ptr %v154, align 1
  %v156 = zext <16 x i8> %v155 to <16 x i32>
  %v157 = sitofp <16 x i32> %v156 to <16 x float>
  %v158 = fmul <16 x float> %v157, splat (float 0xBE6FDFDFE0000000)
  %v159 = fmul <16 x float> %v157, splat (float 0x3F70102000000000)
  %v160 = fadd <16 x float> %v159, %v158
  %v161 = fsub <16 x float> %v160, %v153
  %v162 = fmul <16 x float> %v161, %v161
  %v163 = getelementptr float, ptr %state3.row.96, i64 %v151
  %v164 = load <16 x float>, ptr %v163, align 64
  %v165 = fcmp ogt <16 x float> %v164, %v62
  %v166 = select <16 x i1> %v165, <16 x float> %v164, <16 x float> %v62
  %v167 = fmul <16 x float> %v69, %v166
  %v168 = fcmp olt <16 x float> %v167, %v162
  %v169 = select <16 x i1> %v168, <16 x float> %v80, <16 x float> %v75
  %v170 = fmul <16 x float> %v169, %v161
  %v171 = fadd <16 x float> %v153, %v170
  %v172 = fsub <16 x float> %v162, %v164
  %v173 = fmul <16 x float> %v169, %v172
  %v174 = fadd <16 x float> %v164, %v173
  %v175 = getelementptr i8, ptr %ring1.row.89, i64 %v151
  %v176 = zext <16 x i1> %v168 to <16 x i8>
  store <16 x i8> %v176, ptr %v175, align 16
  %v177 = getelementptr float, ptr %state2.row.93, i64 %v151
  store <16 x float> %v171, ptr %v177, align 64
  %v178 = getelementptr float, ptr %state3.row.96, i64 %v151
  store <16 x float> %v174, ptr %v178, align 64
  %x.122.next = add nuw nsw i64 %x.122, 32
  %x.122.more = icmp ult i64 %x.122.next, 64
  br i1 %x.122.more, label %across.184, label %across.end.185
across.end.185:
  br label %done.181
done.181:
  %v186 = getelementptr i8, ptr %ring1.row.89, i64 0
  %v187 = load i8, ptr %v186
  %v188 = getelementptr i8, ptr %ring1.row.89, i64 -1
  store i8 %v187, ptr %v188
  %v189 = getelementptr i8, ptr %ring1.row.89, i64 63
  %v190 = load i8, ptr %v189
  %v191 = getelementptr i8, ptr %ring1.row.89, i64 64
  store i8 %v190, ptr %v191
  br label %group0.end.41
group0.end.41:
  ; group 1: output; 0 rows ahead; 0 more above, 0 below
  %r.192 = add nsw i64 %s.33, 0
  %v193 = icmp sge i64 %r.192, %low1
  %v194 = icmp slt i64 %r.192, %high1
  %v195 = and i1 %v193, %v194
  br i1 %v195, label %group1.196, label %group1.end.197
group1.196:
  %v199 = add i64 %r.192, 1
  %v200 = call i64 @llvm.smax.i64(i64 %v199, i64 0)
  %v201 = call i64 @llvm.smin.i64(i64 %v200, i64 47)
  %v202 = urem i64 %v201, 3
  %v203 = mul nsw i64 %v202, 256
  %ring1.row.204 = getelementptr i8, ptr %ring1, i64 %v203
  %v210 = load <64 x i8>, ptr %ring1.row.204, align 64
  %v211 = shufflevector <64 x i8> %v210, <64 x i8> poison, <64 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %v212 = load <64 x i8>, ptr %ring1.row.204, align 64
  %v226 = urem i64 %r.192, 3
  %v227 = mul nsw i64 %v226, 256
  %ring1.row.228 = getelementptr i8, ptr %ring1, i64 %v227
  %v234 = load <64 x i8>, ptr %ring1.row.228, align 64
  %v235 = shufflevector <64 x i8> %v234, <64 x i8> poison, <64 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %v236 = load <64 x i8>, ptr %ring1.row.228, align 64
  %v252 = add i64 %r.192, -1
  %v253 = call i64 @llvm.smax.i64(i64 %v252, i64 0)
  %v254 = call i64 @llvm.smin.i64(i64 %v253, i64 47)
  %v255 = urem i64 %v254, 3
  %v256 = mul nsw i64 %v255, 256
  %ring1.row.257 = getelementptr i8, ptr %ring1, i64 %v256
  %v263 = load <64 x i8>, ptr %ring1.row.257, align 64
  %v264 = shufflevector <64 x i8> %v263, <64 x i8> poison, <64 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %v265 = load <64 x i8>, ptr %ring1.row.257, align 64
  %v313 = mul nsw i64 %r.192, 64
  %out.row.314 = getelementptr i8, ptr %output0, i64 %v313
  br label %across.317
across.317:
  %x.198 = phi i64 [ 0, %group1.196 ], [ %x.198.next, %across.317 ]
  %before.205 = phi <64 x i8> [ %v211, %group1.196 ], [ %here.206, %across.317 ]
  %here.206 = phi <64 x i8> [ %v212, %group1.196 ], [ %v209, %across.317 ]
  %before.229 = phi <64 x i8> [ %v235, %group1.196 ], [ %here.230, %across.317 ]
  %here.230 = phi <64 x i8> [ %v236, %group1.196 ], [ %v233, %across.317 ]
  %before.258 = phi <64 x i8> [ %v264, %group1.196 ], [ %here.259, %across.317 ]
  %here.259 = phi <64 x i8> [ %v265, %group1.196 ], [ %v262, %across.317 ]
  %v207 = getelementptr i8, ptr %ring1.row.204, i64 %x.198
  %v208 = getelementptr i8, ptr %v207, i64 64
  %v209 = load <64 x i8>, ptr %v208, align 64
  %v213 = shufflevector <64 x i8> %here.206, <64 x i8> %v209, <64 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31, i32 32, i32 33, i32 34, i32 35, i32 36, i32 37, i32 38, i32 39, i32 40, i32 41, i32 42, i32 43, i32 44, i32 45, i32 46, i32 47, i32 48, i32 49, i32 50, i32 51, i32 52, i32 53, i32 54, i32 55, i32 56, i32 57, i32 58, i32 59, i32 60, i32 61, i32 62, i32 63, i32 64>
  %v214 = icmp ne <64 x i8> %v213, zeroinitializer
  %v215 = icmp ne <64 x i8> %here.206, zeroinitializer
  %v216 = or <64 x i1> %v215, %v214
  %v217 = or <64 x i8> %here.206, %v213
  %v218 = and <64 x i1> %v215, %v214
  %v219 = and <64 x i8> %here.206, %v213
  %v220 = shufflevector <64 x i8> %before.205, <64 x i8> %here.206, <64 x i32> <i32 63, i32 64, i32 65, i32 66, i32 67, i32 68, i32 69, i32 70, i32 71, i32 72, i32 73, i32 74, i32 75, i32 76, i32 77, i32 78, i32 79, i32 80, i32 81, i32 82, i32 83, i32 84, i32 85, i32 86, i32 87, i32 88, i32 89, i32 90, i32 91, i32 92, i32 93, i32 94, i32 95, i32 96, i32 97, i32 98, i32 99, i32 100, i32 101, i32 102, i32 103, i32 104, i32 105, i32 106, i32 107, i32 108, i32 109, i32 110, i32 111, i32 112, i32 113, i32 114, i32 115, i32 116, i32 117, i32 118, i32 119, i32 120, i32 121, i32 122, i32 123, i32 124, i32 125, i32 126>
  %v221 = icmp ne <64 x i8> %v220, zeroinitializer
  %v222 = or <64 x i1> %v221, %v218
  %v223 = or <64 x i8> %v220, %v219
  %v224 = or <64 x i1> %v222, %v216
  %v225 = or <64 x i8> %v223, %v217
  %v231 = getelementptr i8, ptr %ring1.row.228, i64 %x.198
  %v232 = getelementptr i8, ptr %v231, i64 64
  %v233 = load <64 x i8>, ptr %v232, align 64
  %v237 = shufflevector <64 x i8> %here.230, <64 x i8> %v233, <64 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31, i32 32, i32 33, i32 34, i32 35, i32 36, i32 37, i32 38, i32 39, i32 40, i32 41, i32 42, i32 43, i32 44, i32 45, i32 46, i32 47, i32 48, i32 49, i32 50, i32 51, i32 52, i32 53, i32 54, i32 55, i32 56, i32 57, i32 58, i32 59, i32 60, i32 61, i32 62, i32 63, i32 64>
  %v238 = icmp ne <64 x i8> %v237, zeroinitializer
  %v239 = icmp ne <64 x i8> %here.230, zeroinitializer
  %v240 = or <64 x i1> %v239, %v238
  %v241 = or <64 x i8> %here.230, %v237
  %v242 = and <64 x i1> %v239, %v238
  %v243 = and <64 x i8> %here.230, %v237
  %v244 = shufflevector <64 x i8> %before.229, <64 x i8> %here.230, <64 x i32> <i32 63, i32 64, i32 65, i32 66, i32 67, i32 68, i32 69, i32 70, i32 71, i32 72, i32 73, i32 74, i32 75, i32 76, i32 77, i32 78, i32 79, i32 80, i32 81, i32 82, i32 83, i32 84, i32 85, i32 86, i32 87, i32 88, i32 89, i32 90, i32 91, i32 92, i32 93, i32 94, i32 95, i32 96, i32 97, i32 98, i32 99, i32 100, i32 101, i32 102, i32 103, i32 104, i32 105, i32 106, i32 107, i32 108, i32 109, i32 110, i32 111, i32 112, i32 113, i32 114, i32 115, i32 116, i32 117, i32 118, i32 119, i32 120, i32 121, i32 122, i32 123, i32 124, i32 125, i32 126>
  %v245 = icmp ne <64 x i8> %v244, zeroinitializer
  %v246 = or <64 x i1> %v245, %v242
  %v247 = or <64 x i8> %v244, %v243
  %v248 = or <64 x i1> %v246, %v240
  %v249 = or <64 x i8> %v247, %v241
  %v250 = and <64 x i1> %v248, %v224
  %v251 = and <64 x i8> %v249, %v225
  %v260 = getelementptr i8, ptr %ring1.row.257, i64 %x.198
  %v261 = getelementptr i8, ptr %v260, i64 64
  %v262 = load <64 x i8>, ptr %v261, align 64
  %v266 = shufflevector <64 x i8> %here.259, <64 x i8> %v262, <64 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31, i32 32, i32 33, i32 34, i32 35, i32 36, i32 37, i32 38, i32 39, i32 40, i32 41, i32 42, i32 43, i32 44, i32 45, i32 46, i32 47, i32 48, i32 49, i32 50, i32 51, i32 52, i32 53, i32 54, i32 55, i32 56, i32 57, i32 58, i32 59, i32 60, i32 61, i32 62, i32 63, i32 64>
  %v267 = icmp ne <64 x i8> %v266, zeroinitializer
  %v268 = icmp ne <64 x i8> %here.259, zeroinitializer
  %v269 = or <64 x i1> %v268, %v267
  %v270 = or <64 x i8> %here.259, %v266
  %v271 = and <64 x i1> %v268, %v267
  %v272 = and <64 x i8> %here.259, %v266
  %v273 = shufflevector <64 x i8> %before.258, <64 x i8> %here.259, <64 x i32> <i32 63, i32 64, i32 65, i32 66, i32 67, i32 68, i32 69, i32 70, i32 71, i32 72, i32 73, i32 74, i32 75, i32 76, i32 77, i32 78, i32 79, i32 80, i32 81, i32 82, i32 83, i32 84, i32 85, i32 86, i32 87, i32 88, i32 89, i32 90, i32 91, i32 92, i32 93, i32 94, i32 95, i32 96, i32 97, i32 98, i32 99, i32 100, i32 101, i32 102, i32 103, i32 104, i32 105, i32 106, i32 107, i32 108, i32 109, i32 110, i32 111, i32 112, i32 113, i32 114, i32 115, i32 116, i32 117, i32 118, i32 119, i32 120, i32 121, i32 122, i32 123, i32 124, i32 125, i32 126>
  %v274 = icmp ne <64 x i8> %v273, zeroinitializer
  %v275 = or <64 x i1> %v274, %v271
  %v276 = or <64 x i8> %v273, %v272
  %v277 = or <64 x i1> %v275, %v269
  %v278 = or <64 x i8> %v276, %v270
  %v279 = and <64 x i1> %v277, %v250
  %v280 = and <64 x i8> %v278, %v251
  %v281 = and <64 x i1> %v222, %v216
  %v282 = and <64 x i8> %v223, %v217
  %v283 = and <64 x i1> %v246, %v240
  %v284 = and <64 x i8> %v247, %v241
  %v285 = or <64 x i1> %v283, %v281
  %v286 = or <64 x i8> %v284, %v282
  %v287 = and <64 x i1> %v283, %v281
  %v288 = and <64 x i8> %v284, %v282
  %v289 = and <64 x i1> %v275, %v269
  %v290 = and <64 x i8> %v276, %v270
  %v291 = or <64 x i1> %v289, %v287
  %v292 = or <64 x i8> %v290, %v288
  %v293 = and <64 x i1> %v291, %v285
  %v294 = and <64 x i8> %v292, %v286
  %v295 = or <64 x i1> %v293, %v279
  %v296 = or <64 x i8> %v294, %v280
  %v297 = and <64 x i1> %v293, %v279
  %v298 = and <64 x i8> %v294, %v280
  %v299 = and <64 x i1> %v221, %v218
  %v300 = and <64 x i8> %v220, %v219
  %v301 = and <64 x i1> %v245, %v242
  %v302 = and <64 x i8> %v244, %v243
  %v303 = and <64 x i1> %v274, %v271
  %v304 = and <64 x i8> %v273, %v272
  %v305 = or <64 x i1> %v303, %v301
  %v306 = or <64 x i8> %v304, %v302
  %v307 = or <64 x i1> %v305, %v299
  %v308 = or <64 x i8> %v306, %v300
  %v309 = or <64 x i1> %v307, %v297
  %v310 = or <64 x i8> %v308, %v298
  %v311 = and <64 x i1> %v309, %v295
  %v312 = and <64 x i8> %v310, %v296
  %v315 = getelementptr i8, ptr %out.row.314, i64 %x.198
  %v316 = getelementptr i8, ptr %v315, i64 128
  call void @llvm.prefetch.p0(ptr %v316, i32 1, i32 3, i32 1)
  store <64 x i8> %v312, ptr %v315, align 1
  %x.198.next = add nuw nsw i64 %x.198, 64
  %x.198.more = icmp ult i64 %x.198.next, 64
  br i1 %x.198.more, label %across.317, label %across.end.318
across.end.318:
  br label %group1.end.197
group1.end.197:
  br label %step.next.34
step.next.34:
  %s.33.next = add nsw i64 %s.33, 1
  br label %step.30
step.end.32:
  br label %t.next.25
t.next.25:
  %t.24.next = add nsw i64 %t.24, 1
  br label %t.21
t.end.23:
  ret void
}

declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.smin.i64(i64, i64)
declare void @llvm.prefetch.p0(ptr, i32, i32, i32)

; whole: a host function, nothing is generated

; bodies: a host function, nothing is generated
