; gray+sound+scale+even+ground+smooth+found
;
; in0: 64x48 u8
; ground.contrast: 64x48 f32, leaves
; found.out: 64x48 bool, leaves
; ground.alpha: f32, an argument
; ground.k: f32, an argument
; ground.min_sigma: f32, an argument
; ground.learn: f32, an argument
; found.level: f32, an argument
; was(ground/seen) is select(0 <= wrap(x), 0.0, 1.0) in the first frame
; was(ground/mean) is (f32(in0[y, x]) * 0.003921627998352051) + (f32(in0[y, x]) * -5.9370901084321304e-08) in the first frame
; was(ground/variance) is ground.min_sigma * ground.min_sigma in the first frame
; pass 0, images of 64x48
;   ring1: f32, 1 row, reflect101 5 px left and 5 px right
;   state2: f32, the strip's rows, kept
;   state3: f32, the strip's rows, kept
;   state4: f32, the strip's rows, kept
;   ring5: f32, 10 rows
;   row y+5, from 5 above the strip to 5 below, 32 pixels a vector:
;     t1 = f32(in0[y, x])
;     t2 = (t1 * 0.003921627998352051) + (t1 * -5.9370901084321304e-08)
;     ring1 = t2 - was(ground/mean)
;     state2 = min(was(ground/seen) + 1.0, 1000000.0)
;     t5 = ring1 * ring1
;     t6 = ((ground.k * ground.k) * max(was(ground/variance), ground.min_sigma * ground.min_sigma)) < t5
;     t7 = max(ground.alpha, 1.0 / state2)
;     t8 = select(t6 & (ring1 < 0.0), t7 * ground.learn, t7)
;     state3 = was(ground/mean) + (t8 * ring1)
;     state4 = was(ground/variance) + (t8 * (t5 - was(ground/variance)))
;     ground.contrast = ring1 / max(max(t2, was(ground/mean)), max(ground.min_sigma, 9.999999974752427e-07))
;   row y+5, from 5 above the strip to 5 below, 16 pixels a vector:
;     t1 = ((ring1[y, x-5] + ring1[y, x+5]) * 5.646931458613835e-05) + ((ring1[y, x-4] + ring1[y, x+4]) * 0.0012852357467636466)
;     t2 = ((ring1[y, x-3] + ring1[y, x+3]) * 0.014606953598558903) + ((ring1[y, x-2] + ring1[y, x+2]) * 0.08289782702922821)
;     t3 = ((ring1[y, x-1] + ring1[y, x+1]) * 0.23492714762687683) + (ring1[y, x] * 0.3324527442455292)
;     ring5 = (t1 + t2) + t3
;   row y, 16 pixels a vector:
;     t1 = ((ring5[y-5, x]{reflect101} + ring5[y+5, x]{reflect101}) * 5.646931458613835e-05) + ((ring5[y-4, x]{reflect101} + ring5[y+4, x]{reflect101}) * 0.0012852357467636466)
;     t2 = ((ring5[y-3, x]{reflect101} + ring5[y+3, x]{reflect101}) * 0.014606953598558903) + ((ring5[y-2, x]{reflect101} + ring5[y+2, x]{reflect101}) * 0.08289782702922821)
;     t3 = ((ring5[y-1, x]{reflect101} + ring5[y+1, x]{reflect101}) * 0.23492714762687683) + (ring5[y, x] * 0.3324527442455292)
;     found.out = ((t1 + t2) + t3) <= found.level

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
  %v12 = sub i64 %first_row, 5
  %v13 = add i64 %last_row, 5
  %low0 = call i64 @llvm.smax.i64(i64 %v12, i64 0)
  %high0 = call i64 @llvm.smin.i64(i64 %v13, i64 48)
  %v14 = sub i64 %first_row, 5
  %v15 = add i64 %last_row, 5
  %low1 = call i64 @llvm.smax.i64(i64 %v14, i64 0)
  %high1 = call i64 @llvm.smin.i64(i64 %v15, i64 48)
  %v16 = sub i64 %first_row, 0
  %v17 = add i64 %last_row, 0
  %low2 = call i64 @llvm.smax.i64(i64 %v16, i64 0)
  %high2 = call i64 @llvm.smin.i64(i64 %v17, i64 48)
  %v18 = sub i64 %low0, 5
  %v19 = sub i64 %low1, 5
  %v20 = sub i64 %low2, 0
  %v21 = sub i64 %high0, 5
  %v22 = sub i64 %high1, 5
  %v23 = sub i64 %high2, 0
  %v24 = call i64 @llvm.smin.i64(i64 %v18, i64 %v19)
  %v25 = call i64 @llvm.smin.i64(i64 %v24, i64 %v20)
  %v26 = call i64 @llvm.smax.i64(i64 %v21, i64 %v22)
  %v27 = call i64 @llvm.smax.i64(i64 %v26, i64 %v23)
  %ring1 = getelementptr i8, ptr %scratch, i64 128
  %ring5 = getelementptr i8, ptr %scratch, i64 640
  %v75 = getelementptr i8, ptr %args, i64 88
  %param.76 = load float, ptr %v75, align 8
  %v77 = insertelement <32 x float> poison, float %param.76, i64 0
  %v78 = shufflevector <32 x float> %v77, <32 x float> poison, <32 x i32> zeroinitializer
  %v81 = getelementptr i8, ptr %args, i64 96
  %param.82 = load float, ptr %v81, align 8
  %v83 = insertelement <32 x float> poison, float %param.82, i64 0
  %v84 = shufflevector <32 x float> %v83, <32 x float> poison, <32 x i32> zeroinitializer
  %v88 = getelementptr i8, ptr %args, i64 104
  %param.89 = load float, ptr %v88, align 8
  %v90 = insertelement <32 x float> poison, float %param.89, i64 0
  %v91 = shufflevector <32 x float> %v90, <32 x float> poison, <32 x i32> zeroinitializer
  %v92 = fmul <32 x float> %v91, %v91
  %v95 = getelementptr i8, ptr %args, i64 112
  %param.96 = load float, ptr %v95, align 8
  %v97 = insertelement <32 x float> poison, float %param.96, i64 0
  %v98 = shufflevector <32 x float> %v97, <32 x float> poison, <32 x i32> zeroinitializer
  %v99 = fmul <32 x float> %v98, %v98
  %v109 = fcmp ogt <32 x float> %v91, splat (float 0x3EB0C6F7A0000000)
  %v110 = select <32 x i1> %v109, <32 x float> %v91, <32 x float> splat (float 0x3EB0C6F7A0000000)
  %v379 = getelementptr i8, ptr %args, i64 120
  %param.380 = load float, ptr %v379, align 8
  %v381 = insertelement <16 x float> poison, float %param.380, i64 0
  %v382 = shufflevector <16 x float> %v381, <16 x float> poison, <16 x i32> zeroinitializer
  br label %t.28
t.28:
  %t.31 = phi i64 [ %first_frame, %entry ], [ %t.31.next, %t.next.32 ]
  %v33 = icmp slt i64 %t.31, %last_frame
  br i1 %v33, label %t.do.29, label %t.end.30
t.do.29:
  %v687 = mul i64 %frames, 0
  %v688 = add i64 %v687, %t.31
  %v689 = getelementptr ptr, ptr %images, i64 %v688
  %input0 = load ptr, ptr %v689, align 8
  %v690 = mul i64 %frames, 1
  %v691 = add i64 %v690, %t.31
  %v692 = getelementptr ptr, ptr %images, i64 %v691
  %output0 = load ptr, ptr %v692, align 8
  %v693 = mul i64 %frames, 2
  %v694 = add i64 %v693, %t.31
  %v695 = getelementptr ptr, ptr %images, i64 %v694
  %output1 = load ptr, ptr %v695, align 8
  %v34 = icmp eq i64 %t.31, 0
  %v35 = icmp ne i64 %is_first, 0
  %v36 = and i1 %v34, %v35
  br label %step.37
step.37:
  %s.40 = phi i64 [ %v25, %t.do.29 ], [ %s.40.next, %step.next.41 ]
  %v42 = icmp slt i64 %s.40, %v27
  br i1 %v42, label %step.do.38, label %step.end.39
step.do.38:
  ; group 0: plane ring1, plane state2, plane state3, plane state4, output; 5 rows ahead; 5 more above, 5 below
  %r.43 = add nsw i64 %s.40, 5
  %v44 = icmp sge i64 %r.43, %low0
  %v45 = icmp slt i64 %r.43, %high0
  %v46 = and i1 %v44, %v45
  br i1 %v46, label %group0.47, label %group0.end.48
group0.47:
  %v49 = icmp sge i64 %r.43, %first_row
  %v50 = icmp slt i64 %r.43, %last_row
  %v51 = and i1 %v49, %v50
  %v53 = mul nsw i64 %r.43, 64
  %in.row.54 = getelementptr i8, ptr %input0, i64 %v53
  %v117 = mul nsw i64 %r.43, 112
  %state2.row.118 = getelementptr float, ptr %state2, i64 %v117
  %v120 = mul nsw i64 %r.43, 112
  %state3.row.121 = getelementptr float, ptr %state3, i64 %v120
  %v123 = mul nsw i64 %r.43, 112
  %state4.row.124 = getelementptr float, ptr %state4, i64 %v123
  %v126 = mul nsw i64 %r.43, 64
  %out.row.127 = getelementptr float, ptr %output0, i64 %v126
  %v128 = getelementptr i8, ptr %scratch, i64 5120
  %out.row.129 = select i1 %v51, ptr %out.row.127, ptr %v128
  br i1 %v36, label %first.276, label %then.277
first.276:
  br label %across.279
across.279:
  %x.52 = phi i64 [ 0, %first.276 ], [ %x.52.next, %across.279 ]
  %v55 = getelementptr i8, ptr %in.row.54, i64 %x.52
  %v56 = getelementptr i8, ptr %v55, i64 128
  call void @llvm.prefetch.p0(ptr %v56, i32 0, i32 3, i32 1)
  %v57 = load <32 x i8>, ptr %v55, align 1
  %v58 = zext <32 x i8> %v57 to <32 x i32>
  %v59 = sitofp <32 x i32> %v58 to <32 x float>
  %v60 = fmul <32 x float> %v59, splat (float 0xBE6FDFDFE0000000)
  %v61 = fmul <32 x float> %v59, splat (float 0x3F70102000000000)
  %v62 = fadd <32 x float> %v61, %v60
  %v63 = fsub <32 x float> %v62, %v62
  %v64 = trunc i64 %x.52 to i32
  %v65 = insertelement <32 x i32> poison, i32 %v64, i64 0
  %v66 = shufflevector <32 x i32> %v65, <32 x i32> poison, <32 x i32> zeroinitializer
  %v67 = add <32 x i32> %v66, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v68 = trunc nsw <32 x i32> %v67 to <32 x i16>
  %v69 = icmp sle <32 x i16> splat (i16 0), %v68
  %v70 = select <32 x i1> %v69, <32 x float> splat (float 0x0000000000000000), <32 x float> splat (float 0x3FF0000000000000)
  %v71 = fadd <32 x float> %v70, splat (float 0x3FF0000000000000)
  %v72 = fcmp olt <32 x float> %v71, splat (float 0x412E848000000000)
  %v73 = select <32 x i1> %v72, <32 x float> %v71, <32 x float> splat (float 0x412E848000000000)
  %v74 = fdiv <32 x float> splat (float 0x3FF0000000000000), %v73
  %v79 = fcmp ogt <32 x float> %v78, %v74
  %v80 = select <32 x i1> %v79, <32 x float> %v78, <32 x float> %v74
  %v85 = fmul <32 x float> %v80, %v84
  %v86 = fcmp olt <32 x float> %v63, splat (float 0x0000000000000000)
  %v87 = fmul <32 x float> %v63, %v63
  %v93 = fcmp ogt <32 x float> %v92, %v92
  %v94 = select <32 x i1> %v93, <32 x float> %v92, <32 x float> %v92
  %v100 = fmul <32 x float> %v99, %v94
  %v101 = fcmp olt <32 x float> %v100, %v87
  %v102 = and <32 x i1> %v101, %v86
  %v103 = select <32 x i1> %v102, <32 x float> %v85, <32 x float> %v80
  %v104 = fmul <32 x float> %v103, %v63
  %v105 = fadd <32 x float> %v62, %v104
  %v106 = fsub <32 x float> %v87, %v92
  %v107 = fmul <32 x float> %v103, %v106
  %v108 = fadd <32 x float> %v92, %v107
  %v111 = fcmp ogt <32 x float> %v62, %v62
  %v112 = select <32 x i1> %v111, <32 x float> %v62, <32 x float> %v62
  %v113 = fcmp ogt <32 x float> %v112, %v110
  %v114 = select <32 x i1> %v113, <32 x float> %v112, <32 x float> %v110
  %v115 = fdiv <32 x float> %v63, %v114
  %v116 = getelementptr float, ptr %ring1, i64 %x.52
  store <32 x float> %v63, ptr %v116, align 64
  %v119 = getelementptr float, ptr %state2.row.118, i64 %x.52
  store <32 x float> %v73, ptr %v119, align 64
  %v122 = getelementptr float, ptr %state3.row.121, i64 %x.52
  store <32 x float> %v105, ptr %v122, align 64
  %v125 = getelementptr float, ptr %state4.row.124, i64 %x.52
  store <32 x float> %v108, ptr %v125, align 64
  %v130 = getelementptr float, ptr %out.row.129, i64 %x.52
  %v131 = getelementptr i8, ptr %v130, i64 512
  call void @llvm.prefetch.p0(ptr %v131, i32 1, i32 3, i32 1)
  %v132 = getelementptr i8, ptr %v130, i64 576
  call void @llvm.prefetch.p0(ptr %v132, i32 1, i32 3, i32 1)
  store <32 x float> %v115, ptr %v130, align 4
  %v133 = add i64 %x.52, 32
  %v134 = getelementptr i8, ptr %in.row.54, i64 %v133
  %v135 = load <32 x i8>, ptr %v134, align 1
  %v136 = zext <32 x i8> %v135 to <32 x i32>
  %v137 = sitofp <32 x i32> %v136 to <32 x float>
  %v138 = fmul <32 x float> %v137, splat (float 0xBE6FDFDFE0000000)
  %v139 = fmul <32 x float> %v137, splat (float 0x3F70102000000000)
  %v140 = fadd <32 x float> %v139, %v138
  %v141 = fsub <32 x float> %v140, %v140
  %v142 = trunc i64 %v133 to i32
  %v143 = insertelement <32 x i32> poison, i32 %v142, i64 0
  %v144 = shufflevector <32 x i32> %v143, <32 x i32> poison, <32 x i32> zeroinitializer
  %v145 = add <32 x i32> %v144, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v146 = trunc nsw <32 x i32> %v145 to <32 x i16>
  %v147 = icmp sle <32 x i16> splat (i16 0), %v146
  %v148 = select <32 x i1> %v147, <32 x float> splat (float 0x0000000000000000), <32 x float> splat (float 0x3FF0000000000000)
  %v149 = fadd <32 x float> %v148, splat (float 0x3FF0000000000000)
  %v150 = fcmp olt <32 x float> %v149, splat (float 0x412E848000000000)
  %v151 = select <32 x i1> %v150, <32 x float> %v149, <32 x float> splat (float 0x412E848000000000)
  %v152 = fdiv <32 x float> splat (float 0x3FF0000000000000), %v151
  %v153 = fcmp ogt <32 x float> %v78, %v152
  %v154 = select <32 x i1> %v153, <32 x float> %v78, <32 x float> %v152
  %v155 = fmul <32 x float> %v154, %v84
  %v156 = fcmp olt <32 x float> %v141, splat (float 0x0000000000000000)
  %v157 = fmul <32 x float> %v141, %v141
  %v158 = fcmp ogt <32 x float> %v92, %v92
  %v159 = select <32 x i1> %v158, <32 x float> %v92, <32 x float> %v92
  %v160 = fmul <32 x float> %v99, %v159
  %v161 = fcmp olt <32 x float> %v160, %v157
  %v162 = and <32 x i1> %v161, %v156
  %v163 = select <32 x i1> %v162, <32 x float> %v155, <32 x float> %v154
  %v164 = fmul <32 x float> %v163, %v141
  %v165 = fadd <32 x float> %v140, %v164
  %v166 = fsub <32 x float> %v157, %v92
  %v167 = fmul <32 x float> %v163, %v166
  %v168 = fadd <32 x float> %v92, %v167
  %v169 = fcmp ogt <32 x float> %v140, %v140
  %v170 = select <32 x i1> %v169, <32 x float> %v140, <32 x float> %v140
  %v171 = fcmp ogt <32 x float> %v170, %v110
  %v172 = select <32 x i1> %v171, <32 x float> %v170, <32 x float> %v110
  %v173 = fdiv <32 x float> %v141, %v172
  %v174 = getelementptr float, ptr %ring1, i64 %v133
  store <32 x float> %v141, ptr %v174, align 64
  %v175 = getelementptr float, ptr %state2.row.118, i64 %v133
  store <32 x float> %v151, ptr %v175, align 64
  %v176 = getelementptr float, ptr %state3.row.121, i64 %v133
  store <32 x float> %v165, ptr %v176, align 64
  %v177 = getelementptr float, ptr %state4.row.124, i64 %v133
  store <32 x float> %v168, ptr %v177, align 64
  %v178 = getelementptr float, ptr %out.row.129, i64 %v133
  %v179 = getelementptr i8, ptr %v178, i64 512
  call void @llvm.prefetch.p0(ptr %v179, i32 1, i32 3, i32 1)
  %v180 = getelementptr i8, ptr %v178, i64 576
  call void @llvm.prefetch.p0(ptr %v180, i32 1, i32 3, i32 1)
  store <32 x float> %v173, ptr %v178, align 4
  %x.52.next = add nuw nsw i64 %x.52, 64
  %x.52.more = icmp ult i64 %x.52.next, 64
  br i1 %x.52.more, label %across.279, label %across.end.280
across.end.280:
  br label %done.278
then.277:
  br label %across.281
across.281:
  %x.181 = phi i64 [ 0, %then.277 ], [ %x.181.next, %across.281 ]
  %v182 = getelementptr float, ptr %state3.row.121, i64 %x.181
  %v183 = load <32 x float>, ptr %v182, align 64
  %v184 = getelementptr i8, ptr %in.row.54, i64 %x.181
  %v185 = getelementptr i8, ptr %v184, i64 128
  call void @llvm.prefetch.p0(ptr %v185, i32 0, i32 3, i32 1)
  %v186 = load <32 x i8>, ptr %v184, align 1
  %v187 = zext <32 x i8> %v186 to <32 x i32>
  %v188 = sitofp <32 x i32> %v187 to <32 x float>
  %v189 = fmul <32 x float> %v188, splat (float 0xBE6FDFDFE0000000)
  %v190 = fmul <32 x float> %v188, splat (float 0x3F70102000000000)
  %v191 = fadd <32 x float> %v190, %v189
  %v192 = fsub <32 x float> %v191, %v183
  %v193 = getelementptr float, ptr %state2.row.118, i64 %x.181
  %v194 = load <32 x float>, ptr %v193, align 64
  %v195 = fadd <32 x float> %v194, splat (float 0x3FF0000000000000)
  %v196 = fcmp olt <32 x float> %v195, splat (float 0x412E848000000000)
  %v197 = select <32 x i1> %v196, <32 x float> %v195, <32 x float> splat (float 0x412E848000000000)
  %v198 = fdiv <32 x float> splat (float 0x3FF0000000000000), %v197
  %v199 = fcmp ogt <32 x float> %v78, %v198
  %v200 = select <32 x i1> %v199, <32 x float> %v78, <32 x float> %v198
  %v201 = fmul <32 x float> %v200, %v84
  %v202 = fcmp olt <32 x float> %v192, splat (float 0x0000000000000000)
  %v203 = fmul <32 x float> %v192, %v192
  %v204 = getelementptr float, ptr %state4.row.124, i64 %x.181
  %v205 = load <32 x float>, ptr %v204, align 64
  %v206 = fcmp ogt <32 x float> %v205, %v92
  %v207 = select <32 x i1> %v206, <32 x float> %v205, <32 x float> %v92
  %v208 = fmul <32 x float> %v99, %v207
  %v209 = fcmp olt <32 x float> %v208, %v203
  %v210 = and <32 x i1> %v209, %v202
  %v211 = select <32 x i1> %v210, <32 x float> %v201, <32 x float> %v200
  %v212 = fmul <32 x float> %v211, %v192
  %v213 = fadd <32 x float> %v183, %v212
  %v214 = fsub <32 x float> %v203, %v205
  %v215 = fmul <32 x float> %v211, %v214
  %v216 = fadd <32 x float> %v205, %v215
  %v217 = fcmp ogt <32 x float> %v191, %v183
  %v218 = select <32 x i1> %v217, <32 x float> %v191, <32 x float> %v183
  %v219 = fcmp ogt <32 x float> %v218, %v110
  %v220 = select <32 x i1> %v219, <32 x float> %v218, <32 x float> %v110
  %v221 = fdiv <32 x float> %v192, %v220
  %v222 = getelementptr float, ptr %ring1, i64 %x.181
  store <32 x float> %v192, ptr %v222, align 64
  %v223 = getelementptr float, ptr %state2.row.118, i64 %x.181
  store <32 x float> %v197, ptr %v223, align 64
  %v224 = getelementptr float, ptr %state3.row.121, i64 %x.181
  store <32 x float> %v213, ptr %v224, align 64
  %v225 = getelementptr float, ptr %state4.row.124, i64 %x.181
  store <32 x float> %v216, ptr %v225, align 64
  %v226 = getelementptr float, ptr %out.row.129, i64 %x.181
  %v227 = getelementptr i8, ptr %v226, i64 512
  call void @llvm.prefetch.p0(ptr %v227, i32 1, i32 3, i32 1)
  %v228 = getelementptr i8, ptr %v226, i64 576
  call void @llvm.prefetch.p0(ptr %v228, i32 1, i32 3, i32 1)
  store <32 x float> %v221, ptr %v226, align 4
  %v229 = add i64 %x.181, 32
  %v230 = getelementptr float, ptr %state3.row.121, i64 %v229
  %v231 = load <32 x float>, ptr %v230, align 64
  %v232 = getelementptr i8, ptr %in.row.54, i64 %v229
  %v233 = load <32 x i8>, ptr %v232, align 1
  %v234 = zext <32 x i8> %v233 to <32 x i32>
  %v235 = sitofp <32 x i32> %v234 to <32 x float>
  %v236 = fmul <32 x float> %v235, splat (float 0xBE6FDFDFE0000000)
  %v237 = fmul <32 x float> %v235, splat (float 0x3F70102000000000)
  %v238 = fadd <32 x float> %v237, %v236
  %v239 = fsub <32 x float> %v238, %v231
  %v240 = getelementptr float, ptr %state2.row.118, i64 %v229
  %v241 = load <32 x float>, ptr %v240, align 64
  %v242 = fadd <32 x float> %v241, splat (float 0x3FF0000000000000)
  %v243 = fcmp olt <32 x float> %v242, splat (float 0x412E848000000000)
  %v244 = select <32 x i1> %v243, <32 x float> %v242, <32 x float> splat (float 0x412E848000000000)
  %v245 = fdiv <32 x float> splat (float 0x3FF0000000000000), %v244
  %v246 = fcmp ogt <32 x float> %v78, %v245
  %v247 = select <32 x i1> %v246, <32 x float> %v78, <32 x float> %v245
  %v248 = fmul <32 x float> %v247, %v84
  %v249 = fcmp olt <32 x float> %v239, splat (float 0x0000000000000000)
  %v250 = fmul <32 x float> %v239, %v239
  %v251 = getelementptr float, ptr %state4.row.124, i64 %v229
  %v252 = load <32 x float>, ptr %v251, align 64
  %v253 = fcmp ogt <32 x float> %v252, %v92
  %v254 = select <32 x i1> %v253, <32 x float> %v252, <32 x float> %v92
  %v255 = fmul <32 x float> %v99, %v254
  %v256 = fcmp olt <32 x float> %v255, %v250
  %v257 = and <32 x i1> %v256, %v249
  %v258 = select <32 x i1> %v257, <32 x float> %v248, <32 x float> %v247
  %v259 = fmul <32 x float> %v258, %v239
  %v260 = fadd <32 x float> %v231, %v259
  %v261 = fsub <32 x float> %v250, %v252
  %v262 = fmul <32 x float> %v258, %v261
  %v263 = fadd <32 x float> %v252, %v262
  %v264 = fcmp ogt <32 x float> %v238, %v231
  %v265 = select <32 x i1> %v264, <32 x float> %v238, <32 x float> %v231
  %v266 = fcmp ogt <32 x float> %v265, %v110
  %v267 = select <32 x i1> %v266, <32 x float> %v265, <32 x float> %v110
  %v268 = fdiv <32 x float> %v239, %v267
  %v269 = getelementptr float, ptr %ring1, i64 %v229
  store <32 x float> %v239, ptr %v269, align 64
  %v270 = getelementptr float, ptr %state2.row.118, i64 %v229
  store <32 x float> %v244, ptr %v270, align 64
  %v271 = getelementptr float, ptr %state3.row.121, i64 %v229
  store <32 x float> %v260, ptr %v271, align 64
  %v272 = getelementptr float, ptr %state4.row.124, i64 %v229
  store <32 x float> %v263, ptr %v272, align 64
  %v273 = getelementptr float, ptr %out.row.129, i64 %v229
  %v274 = getelementptr i8, ptr %v273, i64 512
  call void @llvm.prefetch.p0(ptr %v274, i32 1, i32 3, i32 1)
  %v275 = getelementptr i8, ptr %v273, i64 576
  call void @llvm.prefetch.p0(ptr %v275, i32 1, i32 3, i32 1)
  store <32 x float> %v268, ptr %v273, align 4
  %x.181.next = add nuw nsw i64 %x.181, 64
  %x.181.more = icmp ult i64 %x.181.next, 64
  br i1 %x.181.more, label %across.281, label %across.end.282
across.end.282:
  br label %done.278
done.278:
  %v283 = getelementptr float, ptr %ring1, i64 5
  %v284 = load float, ptr %v283
  %v285 = getelementptr float, ptr %ring1, i64 -5
  store float %v284, ptr %v285
  %v286 = getelementptr float, ptr %ring1, i64 4
  %v287 = load float, ptr %v286
  %v288 = getelementptr float, ptr %ring1, i64 -4
  store float %v287, ptr %v288
  %v289 = getelementptr float, ptr %ring1, i64 3
  %v290 = load float, ptr %v289
  %v291 = getelementptr float, ptr %ring1, i64 -3
  store float %v290, ptr %v291
  %v292 = getelementptr float, ptr %ring1, i64 2
  %v293 = load float, ptr %v292
  %v294 = getelementptr float, ptr %ring1, i64 -2
  store float %v293, ptr %v294
  %v295 = getelementptr float, ptr %ring1, i64 1
  %v296 = load float, ptr %v295
  %v297 = getelementptr float, ptr %ring1, i64 -1
  store float %v296, ptr %v297
  %v298 = getelementptr float, ptr %ring1, i64 62
  %v299 = load float, ptr %v298
  %v300 = getelementptr float, ptr %ring1, i64 64
  store float %v299, ptr %v300
  %v301 = getelementptr float, ptr %ring1, i64 61
  %v302 = load float, ptr %v301
  %v303 = getelementptr float, ptr %ring1, i64 65
  store float %v302, ptr %v303
  %v304 = getelementptr float, ptr %ring1, i64 60
  %v305 = load float, ptr %v304
  %v306 = getelementptr float, ptr %ring1, i64 66
  store float %v305, ptr %v306
  %v307 = getelementptr float, ptr %ring1, i64 59
  %v308 = load float, ptr %v307
  %v309 = getelementptr float, ptr %ring1, i64 67
  store float %v308, ptr %v309
  %v310 = getelementptr float, ptr %ring1, i64 58
  %v311 = load float, ptr %v310
  %v312 = getelementptr float, ptr %ring1, i64 68
  store float %v311, ptr %v312
  br label %group0.end.48
group0.end.48:
  ; group 1: plane ring5; 5 rows ahead; 5 more above, 5 below
  %r.313 = add nsw i64 %s.40, 5
  %v314 = icmp sge i64 %r.313, %low1
  %v315 = icmp slt i64 %r.313, %high1
  %v316 = and i1 %v314, %v315
  ; group 2: output; 0 rows ahead; 0 more above, 0 below
  %r.317 = add nsw i64 %s.40, 0
  %v318 = icmp sge i64 %r.317, %low2
  %v319 = icmp slt i64 %r.317, %high2
  %v320 = and i1 %v318, %v319
  %v321 = icmp sge i64 %r.317, 5
  %v322 = and i1 %v316, %v320
  %v323 = and i1 %v321, %v322
  br i1 %v323, label %together.324, label %apart.325
together.324:
  %v327 = icmp sge i64 %r.313, %first_row
  %v328 = icmp slt i64 %r.313, %last_row
  %v329 = and i1 %v327, %v328
  %v339 = load <16 x i32>, ptr %ring1, align 64
  %v340 = bitcast <16 x i32> %v339 to <16 x float>
  %v341 = shufflevector <16 x float> %v340, <16 x float> poison, <16 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 5, i32 4, i32 3, i32 2, i32 1>
  %v342 = bitcast <16 x float> %v341 to <16 x i32>
  %v343 = load <16 x i32>, ptr %ring1, align 64
  %v486 = urem i64 %r.313, 10
  %v487 = mul nsw i64 %v486, 112
  %ring5.row.488 = getelementptr float, ptr %ring5, i64 %v487
  %v383 = urem i64 %r.317, 10
  %v384 = mul nsw i64 %v383, 112
  %ring5.row.385 = getelementptr float, ptr %ring5, i64 %v384
  %v389 = add i64 %r.317, 1
  %v390 = call i64 @llvm.abs.i64(i64 %v389, i1 false)
  %v391 = sub i64 94, %v390
  %v392 = call i64 @llvm.smin.i64(i64 %v390, i64 %v391)
  %v393 = urem i64 %v392, 10
  %v394 = mul nsw i64 %v393, 112
  %ring5.row.395 = getelementptr float, ptr %ring5, i64 %v394
  %v398 = add i64 %r.317, -1
  %v399 = call i64 @llvm.abs.i64(i64 %v398, i1 false)
  %v400 = sub i64 94, %v399
  %v401 = call i64 @llvm.smin.i64(i64 %v399, i64 %v400)
  %v402 = urem i64 %v401, 10
  %v403 = mul nsw i64 %v402, 112
  %ring5.row.404 = getelementptr float, ptr %ring5, i64 %v403
  %v410 = add i64 %r.317, 2
  %v411 = call i64 @llvm.abs.i64(i64 %v410, i1 false)
  %v412 = sub i64 94, %v411
  %v413 = call i64 @llvm.smin.i64(i64 %v411, i64 %v412)
  %v414 = urem i64 %v413, 10
  %v415 = mul nsw i64 %v414, 112
  %ring5.row.416 = getelementptr float, ptr %ring5, i64 %v415
  %v419 = add i64 %r.317, -2
  %v420 = call i64 @llvm.abs.i64(i64 %v419, i1 false)
  %v421 = sub i64 94, %v420
  %v422 = call i64 @llvm.smin.i64(i64 %v420, i64 %v421)
  %v423 = urem i64 %v422, 10
  %v424 = mul nsw i64 %v423, 112
  %ring5.row.425 = getelementptr float, ptr %ring5, i64 %v424
  %v430 = add i64 %r.317, 3
  %v431 = call i64 @llvm.abs.i64(i64 %v430, i1 false)
  %v432 = sub i64 94, %v431
  %v433 = call i64 @llvm.smin.i64(i64 %v431, i64 %v432)
  %v434 = urem i64 %v433, 10
  %v435 = mul nsw i64 %v434, 112
  %ring5.row.436 = getelementptr float, ptr %ring5, i64 %v435
  %v439 = add i64 %r.317, -3
  %v440 = call i64 @llvm.abs.i64(i64 %v439, i1 false)
  %v441 = sub i64 94, %v440
  %v442 = call i64 @llvm.smin.i64(i64 %v440, i64 %v441)
  %v443 = urem i64 %v442, 10
  %v444 = mul nsw i64 %v443, 112
  %ring5.row.445 = getelementptr float, ptr %ring5, i64 %v444
  %v451 = add i64 %r.317, 4
  %v452 = call i64 @llvm.abs.i64(i64 %v451, i1 false)
  %v453 = sub i64 94, %v452
  %v454 = call i64 @llvm.smin.i64(i64 %v452, i64 %v453)
  %v455 = urem i64 %v454, 10
  %v456 = mul nsw i64 %v455, 112
  %ring5.row.457 = getelementptr float, ptr %ring5, i64 %v456
  %v460 = add i64 %r.317, -4
  %v461 = call i64 @llvm.abs.i64(i64 %v460, i1 false)
  %v462 = sub i64 94, %v461
  %v463 = call i64 @llvm.smin.i64(i64 %v461, i64 %v462)
  %v464 = urem i64 %v463, 10
  %v465 = mul nsw i64 %v464, 112
  %ring5.row.466 = getelementptr float, ptr %ring5, i64 %v465
  %v471 = add i64 %r.317, -5
  %v472 = call i64 @llvm.abs.i64(i64 %v471, i1 false)
  %v473 = sub i64 94, %v472
  %v474 = call i64 @llvm.smin.i64(i64 %v472, i64 %v473)
  %v475 = urem i64 %v474, 10
  %v476 = mul nsw i64 %v475, 112
  %ring5.row.477 = getelementptr float, ptr %ring5, i64 %v476
  %v490 = mul nsw i64 %r.317, 64
  %out.row.491 = getelementptr i8, ptr %output1, i64 %v490
  br label %across.495
across.495:
  %x.330 = phi i64 [ 0, %together.324 ], [ %x.330.next, %across.495 ]
  %before.334 = phi <16 x i32> [ %v342, %together.324 ], [ %here.335, %across.495 ]
  %here.335 = phi <16 x i32> [ %v343, %together.324 ], [ %v338, %across.495 ]
  %v331 = getelementptr float, ptr %ring1, i64 %x.330
  %v332 = load <16 x float>, ptr %v331, align 64
  %v333 = fmul <16 x float> %v332, splat (float 0x3FD546E7E0000000)
  %v336 = getelementptr float, ptr %ring1, i64 %x.330
  %v337 = getelementptr float, ptr %v336, i64 16
  %v338 = load <16 x i32>, ptr %v337, align 64
  %v344 = shufflevector <16 x i32> %here.335, <16 x i32> %v338, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16>
  %v345 = bitcast <16 x i32> %v344 to <16 x float>
  %v346 = shufflevector <16 x i32> %before.334, <16 x i32> %here.335, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v347 = bitcast <16 x i32> %v346 to <16 x float>
  %v348 = fadd <16 x float> %v347, %v345
  %v349 = fmul <16 x float> %v348, splat (float 0x3FCE1217C0000000)
  %v350 = fadd <16 x float> %v349, %v333
  %v351 = shufflevector <16 x i32> %here.335, <16 x i32> %v338, <16 x i32> <i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17>
  %v352 = bitcast <16 x i32> %v351 to <16 x float>
  %v353 = shufflevector <16 x i32> %before.334, <16 x i32> %here.335, <16 x i32> <i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29>
  %v354 = bitcast <16 x i32> %v353 to <16 x float>
  %v355 = fadd <16 x float> %v354, %v352
  %v356 = fmul <16 x float> %v355, splat (float 0x3FB538CAC0000000)
  %v357 = shufflevector <16 x i32> %here.335, <16 x i32> %v338, <16 x i32> <i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18>
  %v358 = bitcast <16 x i32> %v357 to <16 x float>
  %v359 = shufflevector <16 x i32> %before.334, <16 x i32> %here.335, <16 x i32> <i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28>
  %v360 = bitcast <16 x i32> %v359 to <16 x float>
  %v361 = fadd <16 x float> %v360, %v358
  %v362 = fmul <16 x float> %v361, splat (float 0x3F8DEA4020000000)
  %v363 = fadd <16 x float> %v362, %v356
  %v364 = shufflevector <16 x i32> %here.335, <16 x i32> %v338, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19>
  %v365 = bitcast <16 x i32> %v364 to <16 x float>
  %v366 = shufflevector <16 x i32> %before.334, <16 x i32> %here.335, <16 x i32> <i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27>
  %v367 = bitcast <16 x i32> %v366 to <16 x float>
  %v368 = fadd <16 x float> %v367, %v365
  %v369 = fmul <16 x float> %v368, splat (float 0x3F550EAB60000000)
  %v370 = shufflevector <16 x i32> %here.335, <16 x i32> %v338, <16 x i32> <i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20>
  %v371 = bitcast <16 x i32> %v370 to <16 x float>
  %v372 = shufflevector <16 x i32> %before.334, <16 x i32> %here.335, <16 x i32> <i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26>
  %v373 = bitcast <16 x i32> %v372 to <16 x float>
  %v374 = fadd <16 x float> %v373, %v371
  %v375 = fmul <16 x float> %v374, splat (float 0x3F0D9B2EE0000000)
  %v376 = fadd <16 x float> %v375, %v369
  %v377 = fadd <16 x float> %v376, %v363
  %v378 = fadd <16 x float> %v377, %v350
  %v386 = getelementptr float, ptr %ring5.row.385, i64 %x.330
  %v387 = load <16 x float>, ptr %v386, align 64
  %v388 = fmul <16 x float> %v387, splat (float 0x3FD546E7E0000000)
  %v396 = getelementptr float, ptr %ring5.row.395, i64 %x.330
  %v397 = load <16 x float>, ptr %v396, align 64
  %v405 = getelementptr float, ptr %ring5.row.404, i64 %x.330
  %v406 = load <16 x float>, ptr %v405, align 64
  %v407 = fadd <16 x float> %v406, %v397
  %v408 = fmul <16 x float> %v407, splat (float 0x3FCE1217C0000000)
  %v409 = fadd <16 x float> %v408, %v388
  %v417 = getelementptr float, ptr %ring5.row.416, i64 %x.330
  %v418 = load <16 x float>, ptr %v417, align 64
  %v426 = getelementptr float, ptr %ring5.row.425, i64 %x.330
  %v427 = load <16 x float>, ptr %v426, align 64
  %v428 = fadd <16 x float> %v427, %v418
  %v429 = fmul <16 x float> %v428, splat (float 0x3FB538CAC0000000)
  %v437 = getelementptr float, ptr %ring5.row.436, i64 %x.330
  %v438 = load <16 x float>, ptr %v437, align 64
  %v446 = getelementptr float, ptr %ring5.row.445, i64 %x.330
  %v447 = load <16 x float>, ptr %v446, align 64
  %v448 = fadd <16 x float> %v447, %v438
  %v449 = fmul <16 x float> %v448, splat (float 0x3F8DEA4020000000)
  %v450 = fadd <16 x float> %v449, %v429
  %v458 = getelementptr float, ptr %ring5.row.457, i64 %x.330
  %v459 = load <16 x float>, ptr %v458, align 64
  %v467 = getelementptr float, ptr %ring5.row.466, i64 %x.330
  %v468 = load <16 x float>, ptr %v467, align 64
  %v469 = fadd <16 x float> %v468, %v459
  %v470 = fmul <16 x float> %v469, splat (float 0x3F550EAB60000000)
  %v478 = getelementptr float, ptr %ring5.row.477, i64 %x.330
  %v479 = load <16 x float>, ptr %v478, align 64
  %v480 = fadd <16 x float> %v479, %v378
  %v481 = fmul <16 x float> %v480, splat (float 0x3F0D9B2EE0000000)
  %v482 = fadd <16 x float> %v481, %v470
  %v483 = fadd <16 x float> %v482, %v450
  %v484 = fadd <16 x float> %v483, %v409
  %v485 = fcmp ole <16 x float> %v484, %v382
  %v489 = getelementptr float, ptr %ring5.row.488, i64 %x.330
  store <16 x float> %v378, ptr %v489, align 64
  %v492 = getelementptr i8, ptr %out.row.491, i64 %x.330
  %v493 = zext <16 x i1> %v485 to <16 x i8>
  %v494 = getelementptr i8, ptr %v492, i64 128
  call void @llvm.prefetch.p0(ptr %v494, i32 1, i32 3, i32 1)
  store <16 x i8> %v493, ptr %v492, align 1
  %x.330.next = add nuw nsw i64 %x.330, 16
  %x.330.more = icmp ult i64 %x.330.next, 64
  br i1 %x.330.more, label %across.495, label %across.end.496
across.end.496:
  br label %joined.326
apart.325:
  ; group 1: plane ring5; 5 rows ahead; 5 more above, 5 below
  %r.497 = add nsw i64 %s.40, 5
  %v498 = icmp sge i64 %r.497, %low1
  %v499 = icmp slt i64 %r.497, %high1
  %v500 = and i1 %v498, %v499
  br i1 %v500, label %group1.501, label %group1.end.502
group1.501:
  %v503 = icmp sge i64 %r.497, %first_row
  %v504 = icmp slt i64 %r.497, %last_row
  %v505 = and i1 %v503, %v504
  %v515 = load <16 x i32>, ptr %ring1, align 64
  %v516 = bitcast <16 x i32> %v515 to <16 x float>
  %v517 = shufflevector <16 x float> %v516, <16 x float> poison, <16 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 5, i32 4, i32 3, i32 2, i32 1>
  %v518 = bitcast <16 x float> %v517 to <16 x i32>
  %v519 = load <16 x i32>, ptr %ring1, align 64
  %v555 = urem i64 %r.497, 10
  %v556 = mul nsw i64 %v555, 112
  %ring5.row.557 = getelementptr float, ptr %ring5, i64 %v556
  br label %across.559
across.559:
  %x.506 = phi i64 [ 0, %group1.501 ], [ %x.506.next, %across.559 ]
  %before.510 = phi <16 x i32> [ %v518, %group1.501 ], [ %here.511, %across.559 ]
  %here.511 = phi <16 x i32> [ %v519, %group1.501 ], [ %v514, %across.559 ]
  %v507 = getelementptr float, ptr %ring1, i64 %x.506
  %v508 = load <16 x float>, ptr %v507, align 64
  %v509 = fmul <16 x float> %v508, splat (float 0x3FD546E7E0000000)
  %v512 = getelementptr float, ptr %ring1, i64 %x.506
  %v513 = getelementptr float, ptr %v512, i64 16
  %v514 = load <16 x i32>, ptr %v513, align 64
  %v520 = shufflevector <16 x i32> %here.511, <16 x i32> %v514, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16>
  %v521 = bitcast <16 x i32> %v520 to <16 x float>
  %v522 = shufflevector <16 x i32> %before.510, <16 x i32> %here.511, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v523 = bitcast <16 x i32> %v522 to <16 x float>
  %v524 = fadd <16 x float> %v523, %v521
  %v525 = fmul <16 x float> %v524, splat (float 0x3FCE1217C0000000)
  %v526 = fadd <16 x float> %v525, %v509
  %v527 = shufflevector <16 x i32> %here.511, <16 x i32> %v514, <16 x i32> <i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17>
  %v528 = bitcast <16 x i32> %v527 to <16 x float>
  %v529 = shufflevector <16 x i32> %before.510, <16 x i32> %here.511, <16 x i32> <i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29>
  %v530 = bitcast <16 x i32> %v529 to <16 x float>
  %v531 = fadd <16 x float> %v530, %v528
  %v532 = fmul <16 x float> %v531, splat (float 0x3FB538CAC0000000)
  %v533 = shufflevector <16 x i32> %here.511, <16 x i32> %v514, <16 x i32> <i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18>
  %v534 = bitcast <16 x i32> %v533 to <16 x float>
  %v535 = shufflevector <16 x i32> %before.510, <16 x i32> %here.511, <16 x i32> <i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28>
  %v536 = bitcast <16 x i32> %v535 to <16 x float>
  %v537 = fadd <16 x float> %v536, %v534
  %v538 = fmul <16 x float> %v537, splat (float 0x3F8DEA4020000000)
  %v539 = fadd <16 x float> %v538, %v532
  %v540 = shufflevector <16 x i32> %here.511, <16 x i32> %v514, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19>
  %v541 = bitcast <16 x i32> %v540 to <16 x float>
  %v542 = shufflevector <16 x i32> %before.510, <16 x i32> %here.511, <16 x i32> <i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27>
  %v543 = bitcast <16 x i32> %v542 to <16 x float>
  %v544 = fadd <16 x float> %v543, %v541
  %v545 = fmul <16 x float> %v544, splat (float 0x3F550EAB60000000)
  %v546 = shufflevector <16 x i32> %here.511, <16 x i32> %v514, <16 x i32> <i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20>
  %v547 = bitcast <16 x i32> %v546 to <16 x float>
  %v548 = shufflevector <16 x i32> %before.510, <16 x i32> %here.511, <16 x i32> <i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26>
  %v549 = bitcast <16 x i32> %v548 to <16 x float>
  %v550 = fadd <16 x float> %v549, %v547
  %v551 = fmul <16 x float> %v550, splat (float 0x3F0D9B2EE0000000)
  %v552 = fadd <16 x float> %v551, %v545
  %v553 = fadd <16 x float> %v552, %v539
  %v554 = fadd <16 x float> %v553, %v526
  %v558 = getelementptr float, ptr %ring5.row.557, i64 %x.506
  store <16 x float> %v554, ptr %v558, align 64
  %x.506.next = add nuw nsw i64 %x.506, 16
  %x.506.more = icmp ult i64 %x.506.next, 64
  br i1 %x.506.more, label %across.559, label %across.end.560
across.end.560:
  br label %group1.end.502
group1.end.502:
  ; group 2: output; 0 rows ahead; 0 more above, 0 below
  %r.561 = add nsw i64 %s.40, 0
  %v562 = icmp sge i64 %r.561, %low2
  %v563 = icmp slt i64 %r.561, %high2
  %v564 = and i1 %v562, %v563
  br i1 %v564, label %group2.565, label %group2.end.566
group2.565:
  %v568 = urem i64 %r.561, 10
  %v569 = mul nsw i64 %v568, 112
  %ring5.row.570 = getelementptr float, ptr %ring5, i64 %v569
  %v574 = add i64 %r.561, 1
  %v575 = call i64 @llvm.abs.i64(i64 %v574, i1 false)
  %v576 = sub i64 94, %v575
  %v577 = call i64 @llvm.smin.i64(i64 %v575, i64 %v576)
  %v578 = urem i64 %v577, 10
  %v579 = mul nsw i64 %v578, 112
  %ring5.row.580 = getelementptr float, ptr %ring5, i64 %v579
  %v583 = add i64 %r.561, -1
  %v584 = call i64 @llvm.abs.i64(i64 %v583, i1 false)
  %v585 = sub i64 94, %v584
  %v586 = call i64 @llvm.smin.i64(i64 %v584, i64 %v585)
  %v587 = urem i64 %v586, 10
  %v588 = mul nsw i64 %v587, 112
  %ring5.row.589 = getelementptr float, ptr %ring5, i64 %v588
  %v595 = add i64 %r.561, 2
  %v596 = call i64 @llvm.abs.i64(i64 %v595, i1 false)
  %v597 = sub i64 94, %v596
  %v598 = call i64 @llvm.smin.i64(i64 %v596, i64 %v597)
  %v599 = urem i64 %v598, 10
  %v600 = mul nsw i64 %v599, 112
  %ring5.row.601 = getelementptr float, ptr %ring5, i64 %v600
  %v604 = add i64 %r.561, -2
  %v605 = call i64 @llvm.abs.i64(i64 %v604, i1 false)
  %v606 = sub i64 94, %v605
  %v607 = call i64 @llvm.smin.i64(i64 %v605, i64 %v606)
  %v608 = urem i64 %v607, 10
  %v609 = mul nsw i64 %v608, 112
  %ring5.row.610 = getelementptr float, ptr %ring5, i64 %v609
  %v615 = add i64 %r.561, 3
  %v616 = call i64 @llvm.abs.i64(i64 %v615, i1 false)
  %v617 = sub i64 94, %v616
  %v618 = call i64 @llvm.smin.i64(i64 %v616, i64 %v617)
  %v619 = urem i64 %v618, 10
  %v620 = mul nsw i64 %v619, 112
  %ring5.row.621 = getelementptr float, ptr %ring5, i64 %v620
  %v624 = add i64 %r.561, -3
  %v625 = call i64 @llvm.abs.i64(i64 %v624, i1 false)
  %v626 = sub i64 94, %v625
  %v627 = call i64 @llvm.smin.i64(i64 %v625, i64 %v626)
  %v628 = urem i64 %v627, 10
  %v629 = mul nsw i64 %v628, 112
  %ring5.row.630 = getelementptr float, ptr %ring5, i64 %v629
  %v636 = add i64 %r.561, 4
  %v637 = call i64 @llvm.abs.i64(i64 %v636, i1 false)
  %v638 = sub i64 94, %v637
  %v639 = call i64 @llvm.smin.i64(i64 %v637, i64 %v638)
  %v640 = urem i64 %v639, 10
  %v641 = mul nsw i64 %v640, 112
  %ring5.row.642 = getelementptr float, ptr %ring5, i64 %v641
  %v645 = add i64 %r.561, -4
  %v646 = call i64 @llvm.abs.i64(i64 %v645, i1 false)
  %v647 = sub i64 94, %v646
  %v648 = call i64 @llvm.smin.i64(i64 %v646, i64 %v647)
  %v649 = urem i64 %v648, 10
  %v650 = mul nsw i64 %v649, 112
  %ring5.row.651 = getelementptr float, ptr %ring5, i64 %v650
  %v656 = add i64 %r.561, 5
  %v657 = call i64 @llvm.abs.i64(i64 %v656, i1 false)
  %v658 = sub i64 94, %v657
  %v659 = call i64 @llvm.smin.i64(i64 %v657, i64 %v658)
  %v660 = urem i64 %v659, 10
  %v661 = mul nsw i64 %v660, 112
  %ring5.row.662 = getelementptr float, ptr %ring5, i64 %v661
  %v665 = add i64 %r.561, -5
  %v666 = call i64 @llvm.abs.i64(i64 %v665, i1 false)
  %v667 = sub i64 94, %v666
  %v668 = call i64 @llvm.smin.i64(i64 %v666, i64 %v667)
  %v669 = urem i64 %v668, 10
  %v670 = mul nsw i64 %v669, 112
  %ring5.row.671 = getelementptr float, ptr %ring5, i64 %v670
  %v680 = mul nsw i64 %r.561, 64
  %out.row.681 = getelementptr i8, ptr %output1, i64 %v680
  br label %across.685
across.685:
  %x.567 = phi i64 [ 0, %group2.565 ], [ %x.567.next, %across.685 ]
  %v571 = getelementptr float, ptr %ring5.row.570, i64 %x.567
  %v572 = load <16 x float>, ptr %v571, align 64
  %v573 = fmul <16 x float> %v572, splat (float 0x3FD546E7E0000000)
  %v581 = getelementptr float, ptr %ring5.row.580, i64 %x.567
  %v582 = load <16 x float>, ptr %v581, align 64
  %v590 = getelementptr float, ptr %ring5.row.589, i64 %x.567
  %v591 = load <16 x float>, ptr %v590, align 64
  %v592 = fadd <16 x float> %v591, %v582
  %v593 = fmul <16 x float> %v592, splat (float 0x3FCE1217C0000000)
  %v594 = fadd <16 x float> %v593, %v573
  %v602 = getelementptr float, ptr %ring5.row.601, i64 %x.567
  %v603 = load <16 x float>, ptr %v602, align 64
  %v611 = getelementptr float, ptr %ring5.row.610, i64 %x.567
  %v612 = load <16 x float>, ptr %v611, align 64
  %v613 = fadd <16 x float> %v612, %v603
  %v614 = fmul <16 x float> %v613, splat (float 0x3FB538CAC0000000)
  %v622 = getelementptr float, ptr %ring5.row.621, i64 %x.567
  %v623 = load <16 x float>, ptr %v622, align 64
  %v631 = getelementptr float, ptr %ring5.row.630, i64 %x.567
  %v632 = load <16 x float>, ptr %v631, align 64
  %v633 = fadd <16 x float> %v632, %v623
  %v634 = fmul <16 x float> %v633, splat (float 0x3F8DEA4020000000)
  %v635 = fadd <16 x float> %v634, %v614
  %v643 = getelementptr float, ptr %ring5.row.642, i64 %x.567
  %v644 = load <16 x float>, ptr %v643, align 64
  %v652 = getelementptr float, ptr %ring5.row.651, i64 %x.567
  %v653 = load <16 x float>, ptr %v652, align 64
  %v654 = fadd <16 x float> %v653, %v644
  %v655 = fmul <16 x float> %v654, splat (float 0x3F550EAB60000000)
  %v663 = getelementptr float, ptr %ring5.row.662, i64 %x.567
  %v664 = load <16 x float>, ptr %v663, align 64
  %v672 = getelementptr float, ptr %ring5.row.671, i64 %x.567
  %v673 = load <16 x float>, ptr %v672, align 64
  %v674 = fadd <16 x float> %v673, %v664
  %v675 = fmul <16 x float> %v674, splat (float 0x3F0D9B2EE0000000)
  %v676 = fadd <16 x float> %v675, %v655
  %v677 = fadd <16 x float> %v676, %v635
  %v678 = fadd <16 x float> %v677, %v594
  %v679 = fcmp ole <16 x float> %v678, %v382
  %v682 = getelementptr i8, ptr %out.row.681, i64 %x.567
  %v683 = zext <16 x i1> %v679 to <16 x i8>
  %v684 = getelementptr i8, ptr %v682, i64 128
  call void @llvm.prefetch.p0(ptr %v684, i32 1, i32 3, i32 1)
  store <16 x i8> %v683, ptr %v682, align 1
  %x.567.next = add nuw nsw i64 %x.567, 16
  %x.567.more = icmp ult i64 %x.567.next, 64
  br i1 %x.567.more, label %across.685, label %across.end.686
across.end.686:
  br label %group2.end.566
group2.end.566:
  br label %joined.326
joined.326:
  br label %step.next.41
step.next.41:
  %s.40.next = add nsw i64 %s.40, 1
  br label %step.37
step.end.39:
  br label %t.next.32
t.next.32:
  %t.31.next = add nsw i64 %t.31, 1
  br label %t.28
t.end.30:
  ret void
}

declare i64 @llvm.abs.i64(i64, i1)
declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.smin.i64(i64, i64)
declare void @llvm.prefetch.p0(ptr, i32, i32, i32)

; spots: a host function, nothing is generated
