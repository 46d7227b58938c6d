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
;     t8 = select(t6, t7 * ground.learn, t7)
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
;     found.out = found.level < ((t1 + t2) + t3)

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
  %v87 = getelementptr i8, ptr %args, i64 104
  %param.88 = load float, ptr %v87, align 8
  %v89 = insertelement <32 x float> poison, float %param.88, i64 0
  %v90 = shufflevector <32 x float> %v89, <32 x float> poison, <32 x i32> zeroinitializer
  %v91 = fmul <32 x float> %v90, %v90
  %v94 = getelementptr i8, ptr %args, i64 112
  %param.95 = load float, ptr %v94, align 8
  %v96 = insertelement <32 x float> poison, float %param.95, i64 0
  %v97 = shufflevector <32 x float> %v96, <32 x float> poison, <32 x i32> zeroinitializer
  %v98 = fmul <32 x float> %v97, %v97
  %v107 = fcmp ogt <32 x float> %v90, splat (float 0x3EB0C6F7A0000000)
  %v108 = select <32 x i1> %v107, <32 x float> %v90, <32 x float> splat (float 0x3EB0C6F7A0000000)
  %v473 = getelementptr i8, ptr %args, i64 120
  %param.474 = load float, ptr %v473, align 8
  %v475 = insertelement <16 x float> poison, float %param.474, i64 0
  %v476 = shufflevector <16 x float> %v475, <16 x float> poison, <16 x i32> zeroinitializer
  br label %t.28
t.28:
  %t.31 = phi i64 [ %first_frame, %entry ], [ %t.31.next, %t.next.32 ]
  %v33 = icmp slt i64 %t.31, %last_frame
  br i1 %v33, label %t.do.29, label %t.end.30
t.do.29:
  %v679 = mul i64 %frames, 0
  %v680 = add i64 %v679, %t.31
  %v681 = getelementptr ptr, ptr %images, i64 %v680
  %input0 = load ptr, ptr %v681, align 8
  %v682 = mul i64 %frames, 1
  %v683 = add i64 %v682, %t.31
  %v684 = getelementptr ptr, ptr %images, i64 %v683
  %output0 = load ptr, ptr %v684, align 8
  %v685 = mul i64 %frames, 2
  %v686 = add i64 %v685, %t.31
  %v687 = getelementptr ptr, ptr %images, i64 %v686
  %output1 = load ptr, ptr %v687, align 8
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
  %v115 = mul nsw i64 %r.43, 112
  %state2.row.116 = getelementptr float, ptr %state2, i64 %v115
  %v118 = mul nsw i64 %r.43, 112
  %state3.row.119 = getelementptr float, ptr %state3, i64 %v118
  %v121 = mul nsw i64 %r.43, 112
  %state4.row.122 = getelementptr float, ptr %state4, i64 %v121
  %v124 = mul nsw i64 %r.43, 64
  %out.row.125 = getelementptr float, ptr %output0, i64 %v124
  %v126 = getelementptr i8, ptr %scratch, i64 5120
  %out.row.127 = select i1 %v51, ptr %out.row.125, ptr %v126
  br i1 %v36, label %first.268, label %then.269
first.268:
  br label %across.271
across.271:
  %x.52 = phi i64 [ 0, %first.268 ], [ %x.52.next, %across.271 ]
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
  %v86 = fmul <32 x float> %v63, %v63
  %v92 = fcmp ogt <32 x float> %v91, %v91
  %v93 = select <32 x i1> %v92, <32 x float> %v91, <32 x float> %v91
  %v99 = fmul <32 x float> %v98, %v93
  %v100 = fcmp olt <32 x float> %v99, %v86
  %v101 = select <32 x i1> %v100, <32 x float> %v85, <32 x float> %v80
  %v102 = fmul <32 x float> %v101, %v63
  %v103 = fadd <32 x float> %v62, %v102
  %v104 = fsub <32 x float> %v86, %v91
  %v105 = fmul <32 x float> %v101, %v104
  %v106 = fadd <32 x float> %v91, %v105
  %v109 = fcmp ogt <32 x float> %v62, %v62
  %v110 = select <32 x i1> %v109, <32 x float> %v62, <32 x float> %v62
  %v111 = fcmp ogt <32 x float> %v110, %v108
  %v112 = select <32 x i1> %v111, <32 x float> %v110, <32 x float> %v108
  %v113 = fdiv <32 x float> %v63, %v112
  %v114 = getelementptr float, ptr %ring1, i64 %x.52
  store <32 x float> %v63, ptr %v114, align 64
  %v117 = getelementptr float, ptr %state2.row.116, i64 %x.52
  store <32 x float> %v73, ptr %v117, align 64
  %v120 = getelementptr float, ptr %state3.row.119, i64 %x.52
  store <32 x float> %v103, ptr %v120, align 64
  %v123 = getelementptr float, ptr %state4.row.122, i64 %x.52
  store <32 x float> %v106, ptr %v123, align 64
  %v128 = getelementptr float, ptr %out.row.127, i64 %x.52
  %v129 = getelementptr i8, ptr %v128, i64 512
  call void @llvm.prefetch.p0(ptr %v129, i32 1, i32 3, i32 1)
  %v130 = getelementptr i8, ptr %v128, i64 576
  call void @llvm.prefetch.p0(ptr %v130, i32 1, i32 3, i32 1)
  store <32 x float> %v113, ptr %v128, align 4
  %v131 = add i64 %x.52, 32
  %v132 = getelementptr i8, ptr %in.row.54, i64 %v131
  %v133 = load <32 x i8>, ptr %v132, align 1
  %v134 = zext <32 x i8> %v133 to <32 x i32>
  %v135 = sitofp <32 x i32> %v134 to <32 x float>
  %v136 = fmul <32 x float> %v135, splat (float 0xBE6FDFDFE0000000)
  %v137 = fmul <32 x float> %v135, splat (float 0x3F70102000000000)
  %v138 = fadd <32 x float> %v137, %v136
  %v139 = fsub <32 x float> %v138, %v138
  %v140 = trunc i64 %v131 to i32
  %v141 = insertelement <32 x i32> poison, i32 %v140, i64 0
  %v142 = shufflevector <32 x i32> %v141, <32 x i32> poison, <32 x i32> zeroinitializer
  %v143 = add <32 x i32> %v142, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v144 = trunc nsw <32 x i32> %v143 to <32 x i16>
  %v145 = icmp sle <32 x i16> splat (i16 0), %v144
  %v146 = select <32 x i1> %v145, <32 x float> splat (float 0x0000000000000000), <32 x float> splat (float 0x3FF0000000000000)
  %v147 = fadd <32 x float> %v146, splat (float 0x3FF0000000000000)
  %v148 = fcmp olt <32 x float> %v147, splat (float 0x412E848000000000)
  %v149 = select <32 x i1> %v148, <32 x float> %v147, <32 x float> splat (float 0x412E848000000000)
  %v150 = fdiv <32 x float> splat (float 0x3FF0000000000000), %v149
  %v151 = fcmp ogt <32 x float> %v78, %v150
  %v152 = select <32 x i1> %v151, <32 x float> %v78, <32 x float> %v150
  %v153 = fmul <32 x float> %v152, %v84
  %v154 = fmul <32 x float> %v139, %v139
  %v155 = fcmp ogt <32 x float> %v91, %v91
  %v156 = select <32 x i1> %v155, <32 x float> %v91, <32 x float> %v91
  %v157 = fmul <32 x float> %v98, %v156
  %v158 = fcmp olt <32 x float> %v157, %v154
  %v159 = select <32 x i1> %v158, <32 x float> %v153, <32 x float> %v152
  %v160 = fmul <32 x float> %v159, %v139
  %v161 = fadd <32 x float> %v138, %v160
  %v162 = fsub <32 x float> %v154, %v91
  %v163 = fmul <32 x float> %v159, %v162
  %v164 = fadd <32 x float> %v91, %v163
  %v165 = fcmp ogt <32 x float> %v138, %v138
  %v166 = select <32 x i1> %v165, <32 x float> %v138, <32 x float> %v138
  %v167 = fcmp ogt <32 x float> %v166, %v108
  %v168 = select <32 x i1> %v167, <32 x float> %v166, <32 x float> %v108
  %v169 = fdiv <32 x float> %v139, %v168
  %v170 = getelementptr float, ptr %ring1, i64 %v131
  store <32 x float> %v139, ptr %v170, align 64
  %v171 = getelementptr float, ptr %state2.row.116, i64 %v131
  store <32 x float> %v149, ptr %v171, align 64
  %v172 = getelementptr float, ptr %state3.row.119, i64 %v131
  store <32 x float> %v161, ptr %v172, align 64
  %v173 = getelementptr float, ptr %state4.row.122, i64 %v131
  store <32 x float> %v164, ptr %v173, align 64
  %v174 = getelementptr float, ptr %out.row.127, i64 %v131
  %v175 = getelementptr i8, ptr %v174, i64 512
  call void @llvm.prefetch.p0(ptr %v175, i32 1, i32 3, i32 1)
  %v176 = getelementptr i8, ptr %v174, i64 576
  call void @llvm.prefetch.p0(ptr %v176, i32 1, i32 3, i32 1)
  store <32 x float> %v169, ptr %v174, align 4
  %x.52.next = add nuw nsw i64 %x.52, 64
  %x.52.more = icmp ult i64 %x.52.next, 64
  br i1 %x.52.more, label %across.271, label %across.end.272
across.end.272:
  br label %done.270
then.269:
  br label %across.273
across.273:
  %x.177 = phi i64 [ 0, %then.269 ], [ %x.177.next, %across.273 ]
  %v178 = getelementptr float, ptr %state3.row.119, i64 %x.177
  %v179 = load <32 x float>, ptr %v178, align 64
  %v180 = getelementptr i8, ptr %in.row.54, i64 %x.177
  %v181 = getelementptr i8, ptr %v180, i64 128
  call void @llvm.prefetch.p0(ptr %v181, i32 0, i32 3, i32 1)
  %v182 = load <32 x i8>, ptr %v180, align 1
  %v183 = zext <32 x i8> %v182 to <32 x i32>
  %v184 = sitofp <32 x i32> %v183 to <32 x float>
  %v185 = fmul <32 x float> %v184, splat (float 0xBE6FDFDFE0000000)
  %v186 = fmul <32 x float> %v184, splat (float 0x3F70102000000000)
  %v187 = fadd <32 x float> %v186, %v185
  %v188 = fsub <32 x float> %v187, %v179
  %v189 = getelementptr float, ptr %state2.row.116, i64 %x.177
  %v190 = load <32 x float>, ptr %v189, align 64
  %v191 = fadd <32 x float> %v190, splat (float 0x3FF0000000000000)
  %v192 = fcmp olt <32 x float> %v191, splat (float 0x412E848000000000)
  %v193 = select <32 x i1> %v192, <32 x float> %v191, <32 x float> splat (float 0x412E848000000000)
  %v194 = fdiv <32 x float> splat (float 0x3FF0000000000000), %v193
  %v195 = fcmp ogt <32 x float> %v78, %v194
  %v196 = select <32 x i1> %v195, <32 x float> %v78, <32 x float> %v194
  %v197 = fmul <32 x float> %v196, %v84
  %v198 = fmul <32 x float> %v188, %v188
  %v199 = getelementptr float, ptr %state4.row.122, i64 %x.177
  %v200 = load <32 x float>, ptr %v199, align 64
  %v201 = fcmp ogt <32 x float> %v200, %v91
  %v202 = select <32 x i1> %v201, <32 x float> %v200, <32 x float> %v91
  %v203 = fmul <32 x float> %v98, %v202
  %v204 = fcmp olt <32 x float> %v203, %v198
  %v205 = select <32 x i1> %v204, <32 x float> %v197, <32 x float> %v196
  %v206 = fmul <32 x float> %v205, %v188
  %v207 = fadd <32 x float> %v179, %v206
  %v208 = fsub <32 x float> %v198, %v200
  %v209 = fmul <32 x float> %v205, %v208
  %v210 = fadd <32 x float> %v200, %v209
  %v211 = fcmp ogt <32 x float> %v187, %v179
  %v212 = select <32 x i1> %v211, <32 x float> %v187, <32 x float> %v179
  %v213 = fcmp ogt <32 x float> %v212, %v108
  %v214 = select <32 x i1> %v213, <32 x float> %v212, <32 x float> %v108
  %v215 = fdiv <32 x float> %v188, %v214
  %v216 = getelementptr float, ptr %ring1, i64 %x.177
  store <32 x float> %v188, ptr %v216, align 64
  %v217 = getelementptr float, ptr %state2.row.116, i64 %x.177
  store <32 x float> %v193, ptr %v217, align 64
  %v218 = getelementptr float, ptr %state3.row.119, i64 %x.177
  store <32 x float> %v207, ptr %v218, align 64
  %v219 = getelementptr float, ptr %state4.row.122, i64 %x.177
  store <32 x float> %v210, ptr %v219, align 64
  %v220 = getelementptr float, ptr %out.row.127, i64 %x.177
  %v221 = getelementptr i8, ptr %v220, i64 512
  call void @llvm.prefetch.p0(ptr %v221, i32 1, i32 3, i32 1)
  %v222 = getelementptr i8, ptr %v220, i64 576
  call void @llvm.prefetch.p0(ptr %v222, i32 1, i32 3, i32 1)
  store <32 x float> %v215, ptr %v220, align 4
  %v223 = add i64 %x.177, 32
  %v224 = getelementptr float, ptr %state3.row.119, i64 %v223
  %v225 = load <32 x float>, ptr %v224, align 64
  %v226 = getelementptr i8, ptr %in.row.54, i64 %v223
  %v227 = load <32 x i8>, ptr %v226, align 1
  %v228 = zext <32 x i8> %v227 to <32 x i32>
  %v229 = sitofp <32 x i32> %v228 to <32 x float>
  %v230 = fmul <32 x float> %v229, splat (float 0xBE6FDFDFE0000000)
  %v231 = fmul <32 x float> %v229, splat (float 0x3F70102000000000)
  %v232 = fadd <32 x float> %v231, %v230
  %v233 = fsub <32 x float> %v232, %v225
  %v234 = getelementptr float, ptr %state2.row.116, i64 %v223
  %v235 = load <32 x float>, ptr %v234, align 64
  %v236 = fadd <32 x float> %v235, splat (float 0x3FF0000000000000)
  %v237 = fcmp olt <32 x float> %v236, splat (float 0x412E848000000000)
  %v238 = select <32 x i1> %v237, <32 x float> %v236, <32 x float> splat (float 0x412E848000000000)
  %v239 = fdiv <32 x float> splat (float 0x3FF0000000000000), %v238
  %v240 = fcmp ogt <32 x float> %v78, %v239
  %v241 = select <32 x i1> %v240, <32 x float> %v78, <32 x float> %v239
  %v242 = fmul <32 x float> %v241, %v84
  %v243 = fmul <32 x float> %v233, %v233
  %v244 = getelementptr float, ptr %state4.row.122, i64 %v223
  %v245 = load <32 x float>, ptr %v244, align 64
  %v246 = fcmp ogt <32 x float> %v245, %v91
  %v247 = select <32 x i1> %v246, <32 x float> %v245, <32 x float> %v91
  %v248 = fmul <32 x float> %v98, %v247
  %v249 = fcmp olt <32 x float> %v248, %v243
  %v250 = select <32 x i1> %v249, <32 x float> %v242, <32 x float> %v241
  %v251 = fmul <32 x float> %v250, %v233
  %v252 = fadd <32 x float> %v225, %v251
  %v253 = fsub <32 x float> %v243, %v245
  %v254 = fmul <32 x float> %v250, %v253
  %v255 = fadd <32 x float> %v245, %v254
  %v256 = fcmp ogt <32 x float> %v232, %v225
  %v257 = select <32 x i1> %v256, <32 x float> %v232, <32 x float> %v225
  %v258 = fcmp ogt <32 x float> %v257, %v108
  %v259 = select <32 x i1> %v258, <32 x float> %v257, <32 x float> %v108
  %v260 = fdiv <32 x float> %v233, %v259
  %v261 = getelementptr float, ptr %ring1, i64 %v223
  store <32 x float> %v233, ptr %v261, align 64
  %v262 = getelementptr float, ptr %state2.row.116, i64 %v223
  store <32 x float> %v238, ptr %v262, align 64
  %v263 = getelementptr float, ptr %state3.row.119, i64 %v223
  store <32 x float> %v252, ptr %v263, align 64
  %v264 = getelementptr float, ptr %state4.row.122, i64 %v223
  store <32 x float> %v255, ptr %v264, align 64
  %v265 = getelementptr float, ptr %out.row.127, i64 %v223
  %v266 = getelementptr i8, ptr %v265, i64 512
  call void @llvm.prefetch.p0(ptr %v266, i32 1, i32 3, i32 1)
  %v267 = getelementptr i8, ptr %v265, i64 576
  call void @llvm.prefetch.p0(ptr %v267, i32 1, i32 3, i32 1)
  store <32 x float> %v260, ptr %v265, align 4
  %x.177.next = add nuw nsw i64 %x.177, 64
  %x.177.more = icmp ult i64 %x.177.next, 64
  br i1 %x.177.more, label %across.273, label %across.end.274
across.end.274:
  br label %done.270
done.270:
  %v275 = getelementptr float, ptr %ring1, i64 5
  %v276 = load float, ptr %v275
  %v277 = getelementptr float, ptr %ring1, i64 -5
  store float %v276, ptr %v277
  %v278 = getelementptr float, ptr %ring1, i64 4
  %v279 = load float, ptr %v278
  %v280 = getelementptr float, ptr %ring1, i64 -4
  store float %v279, ptr %v280
  %v281 = getelementptr float, ptr %ring1, i64 3
  %v282 = load float, ptr %v281
  %v283 = getelementptr float, ptr %ring1, i64 -3
  store float %v282, ptr %v283
  %v284 = getelementptr float, ptr %ring1, i64 2
  %v285 = load float, ptr %v284
  %v286 = getelementptr float, ptr %ring1, i64 -2
  store float %v285, ptr %v286
  %v287 = getelementptr float, ptr %ring1, i64 1
  %v288 = load float, ptr %v287
  %v289 = getelementptr float, ptr %ring1, i64 -1
  store float %v288, ptr %v289
  %v290 = getelementptr float, ptr %ring1, i64 62
  %v291 = load float, ptr %v290
  %v292 = getelementptr float, ptr %ring1, i64 64
  store float %v291, ptr %v292
  %v293 = getelementptr float, ptr %ring1, i64 61
  %v294 = load float, ptr %v293
  %v295 = getelementptr float, ptr %ring1, i64 65
  store float %v294, ptr %v295
  %v296 = getelementptr float, ptr %ring1, i64 60
  %v297 = load float, ptr %v296
  %v298 = getelementptr float, ptr %ring1, i64 66
  store float %v297, ptr %v298
  %v299 = getelementptr float, ptr %ring1, i64 59
  %v300 = load float, ptr %v299
  %v301 = getelementptr float, ptr %ring1, i64 67
  store float %v300, ptr %v301
  %v302 = getelementptr float, ptr %ring1, i64 58
  %v303 = load float, ptr %v302
  %v304 = getelementptr float, ptr %ring1, i64 68
  store float %v303, ptr %v304
  br label %group0.end.48
group0.end.48:
  ; group 1: plane ring5; 5 rows ahead; 5 more above, 5 below
  %r.305 = add nsw i64 %s.40, 5
  %v306 = icmp sge i64 %r.305, %low1
  %v307 = icmp slt i64 %r.305, %high1
  %v308 = and i1 %v306, %v307
  ; group 2: output; 0 rows ahead; 0 more above, 0 below
  %r.309 = add nsw i64 %s.40, 0
  %v310 = icmp sge i64 %r.309, %low2
  %v311 = icmp slt i64 %r.309, %high2
  %v312 = and i1 %v310, %v311
  %v313 = icmp sge i64 %r.309, 5
  %v314 = and i1 %v308, %v312
  %v315 = and i1 %v313, %v314
  br i1 %v315, label %together.316, label %apart.317
together.316:
  %v319 = icmp sge i64 %r.305, %first_row
  %v320 = icmp slt i64 %r.305, %last_row
  %v321 = and i1 %v319, %v320
  %v331 = load <16 x i32>, ptr %ring1, align 64
  %v332 = bitcast <16 x i32> %v331 to <16 x float>
  %v333 = shufflevector <16 x float> %v332, <16 x float> poison, <16 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 5, i32 4, i32 3, i32 2, i32 1>
  %v334 = bitcast <16 x float> %v333 to <16 x i32>
  %v335 = load <16 x i32>, ptr %ring1, align 64
  %v478 = urem i64 %r.305, 10
  %v479 = mul nsw i64 %v478, 112
  %ring5.row.480 = getelementptr float, ptr %ring5, i64 %v479
  %v371 = urem i64 %r.309, 10
  %v372 = mul nsw i64 %v371, 112
  %ring5.row.373 = getelementptr float, ptr %ring5, i64 %v372
  %v377 = add i64 %r.309, 1
  %v378 = call i64 @llvm.abs.i64(i64 %v377, i1 false)
  %v379 = sub i64 94, %v378
  %v380 = call i64 @llvm.smin.i64(i64 %v378, i64 %v379)
  %v381 = urem i64 %v380, 10
  %v382 = mul nsw i64 %v381, 112
  %ring5.row.383 = getelementptr float, ptr %ring5, i64 %v382
  %v386 = add i64 %r.309, -1
  %v387 = call i64 @llvm.abs.i64(i64 %v386, i1 false)
  %v388 = sub i64 94, %v387
  %v389 = call i64 @llvm.smin.i64(i64 %v387, i64 %v388)
  %v390 = urem i64 %v389, 10
  %v391 = mul nsw i64 %v390, 112
  %ring5.row.392 = getelementptr float, ptr %ring5, i64 %v391
  %v398 = add i64 %r.309, 2
  %v399 = call i64 @llvm.abs.i64(i64 %v398, i1 false)
  %v400 = sub i64 94, %v399
  %v401 = call i64 @llvm.smin.i64(i64 %v399, i64 %v400)
  %v402 = urem i64 %v401, 10
  %v403 = mul nsw i64 %v402, 112
  %ring5.row.404 = getelementptr float, ptr %ring5, i64 %v403
  %v407 = add i64 %r.309, -2
  %v408 = call i64 @llvm.abs.i64(i64 %v407, i1 false)
  %v409 = sub i64 94, %v408
  %v410 = call i64 @llvm.smin.i64(i64 %v408, i64 %v409)
  %v411 = urem i64 %v410, 10
  %v412 = mul nsw i64 %v411, 112
  %ring5.row.413 = getelementptr float, ptr %ring5, i64 %v412
  %v418 = add i64 %r.309, 3
  %v419 = call i64 @llvm.abs.i64(i64 %v418, i1 false)
  %v420 = sub i64 94, %v419
  %v421 = call i64 @llvm.smin.i64(i64 %v419, i64 %v420)
  %v422 = urem i64 %v421, 10
  %v423 = mul nsw i64 %v422, 112
  %ring5.row.424 = getelementptr float, ptr %ring5, i64 %v423
  %v427 = add i64 %r.309, -3
  %v428 = call i64 @llvm.abs.i64(i64 %v427, i1 false)
  %v429 = sub i64 94, %v428
  %v430 = call i64 @llvm.smin.i64(i64 %v428, i64 %v429)
  %v431 = urem i64 %v430, 10
  %v432 = mul nsw i64 %v431, 112
  %ring5.row.433 = getelementptr float, ptr %ring5, i64 %v432
  %v439 = add i64 %r.309, 4
  %v440 = call i64 @llvm.abs.i64(i64 %v439, i1 false)
  %v441 = sub i64 94, %v440
  %v442 = call i64 @llvm.smin.i64(i64 %v440, i64 %v441)
  %v443 = urem i64 %v442, 10
  %v444 = mul nsw i64 %v443, 112
  %ring5.row.445 = getelementptr float, ptr %ring5, i64 %v444
  %v448 = add i64 %r.309, -4
  %v449 = call i64 @llvm.abs.i64(i64 %v448, i1 false)
  %v450 = sub i64 94, %v449
  %v451 = call i64 @llvm.smin.i64(i64 %v449, i64 %v450)
  %v452 = urem i64 %v451, 10
  %v453 = mul nsw i64 %v452, 112
  %ring5.row.454 = getelementptr float, ptr %ring5, i64 %v453
  %v459 = add i64 %r.309, -5
  %v460 = call i64 @llvm.abs.i64(i64 %v459, i1 false)
  %v461 = sub i64 94, %v460
  %v462 = call i64 @llvm.smin.i64(i64 %v460, i64 %v461)
  %v463 = urem i64 %v462, 10
  %v464 = mul nsw i64 %v463, 112
  %ring5.row.465 = getelementptr float, ptr %ring5, i64 %v464
  %v482 = mul nsw i64 %r.309, 64
  %out.row.483 = getelementptr i8, ptr %output1, i64 %v482
  br label %across.487
across.487:
  %x.322 = phi i64 [ 0, %together.316 ], [ %x.322.next, %across.487 ]
  %before.326 = phi <16 x i32> [ %v334, %together.316 ], [ %here.327, %across.487 ]
  %here.327 = phi <16 x i32> [ %v335, %together.316 ], [ %v330, %across.487 ]
  %v323 = getelementptr float, ptr %ring1, i64 %x.322
  %v324 = load <16 x float>, ptr %v323, align 64
  %v325 = fmul <16 x float> %v324, splat (float 0x3FD546E7E0000000)
  %v328 = getelementptr float, ptr %ring1, i64 %x.322
  %v329 = getelementptr float, ptr %v328, i64 16
  %v330 = load <16 x i32>, ptr %v329, align 64
  %v336 = shufflevector <16 x i32> %here.327, <16 x i32> %v330, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16>
  %v337 = bitcast <16 x i32> %v336 to <16 x float>
  %v338 = shufflevector <16 x i32> %before.326, <16 x i32> %here.327, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v339 = bitcast <16 x i32> %v338 to <16 x float>
  %v340 = fadd <16 x float> %v339, %v337
  %v341 = fmul <16 x float> %v340, splat (float 0x3FCE1217C0000000)
  %v342 = fadd <16 x float> %v341, %v325
  %v343 = shufflevector <16 x i32> %here.327, <16 x i32> %v330, <16 x i32> <i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17>
  %v344 = bitcast <16 x i32> %v343 to <16 x float>
  %v345 = shufflevector <16 x i32> %before.326, <16 x i32> %here.327, <16 x i32> <i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29>
  %v346 = bitcast <16 x i32> %v345 to <16 x float>
  %v347 = fadd <16 x float> %v346, %v344
  %v348 = fmul <16 x float> %v347, splat (float 0x3FB538CAC0000000)
  %v349 = shufflevector <16 x i32> %here.327, <16 x i32> %v330, <16 x i32> <i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18>
  %v350 = bitcast <16 x i32> %v349 to <16 x float>
  %v351 = shufflevector <16 x i32> %before.326, <16 x i32> %here.327, <16 x i32> <i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28>
  %v352 = bitcast <16 x i32> %v351 to <16 x float>
  %v353 = fadd <16 x float> %v352, %v350
  %v354 = fmul <16 x float> %v353, splat (float 0x3F8DEA4020000000)
  %v355 = fadd <16 x float> %v354, %v348
  %v356 = shufflevector <16 x i32> %here.327, <16 x i32> %v330, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19>
  %v357 = bitcast <16 x i32> %v356 to <16 x float>
  %v358 = shufflevector <16 x i32> %before.326, <16 x i32> %here.327, <16 x i32> <i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27>
  %v359 = bitcast <16 x i32> %v358 to <16 x float>
  %v360 = fadd <16 x float> %v359, %v357
  %v361 = fmul <16 x float> %v360, splat (float 0x3F550EAB60000000)
  %v362 = shufflevector <16 x i32> %here.327, <16 x i32> %v330, <16 x i32> <i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20>
  %v363 = bitcast <16 x i32> %v362 to <16 x float>
  %v364 = shufflevector <16 x i32> %before.326, <16 x i32> %here.327, <16 x i32> <i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26>
  %v365 = bitcast <16 x i32> %v364 to <16 x float>
  %v366 = fadd <16 x float> %v365, %v363
  %v367 = fmul <16 x float> %v366, splat (float 0x3F0D9B2EE0000000)
  %v368 = fadd <16 x float> %v367, %v361
  %v369 = fadd <16 x float> %v368, %v355
  %v370 = fadd <16 x float> %v369, %v342
  %v374 = getelementptr float, ptr %ring5.row.373, i64 %x.322
  %v375 = load <16 x float>, ptr %v374, align 64
  %v376 = fmul <16 x float> %v375, splat (float 0x3FD546E7E0000000)
  %v384 = getelementptr float, ptr %ring5.row.383, i64 %x.322
  %v385 = load <16 x float>, ptr %v384, align 64
  %v393 = getelementptr float, ptr %ring5.row.392, i64 %x.322
  %v394 = load <16 x float>, ptr %v393, align 64
  %v395 = fadd <16 x float> %v394, %v385
  %v396 = fmul <16 x float> %v395, splat (float 0x3FCE1217C0000000)
  %v397 = fadd <16 x float> %v396, %v376
  %v405 = getelementptr float, ptr %ring5.row.404, i64 %x.322
  %v406 = load <16 x float>, ptr %v405, align 64
  %v414 = getelementptr float, ptr %ring5.row.413, i64 %x.322
  %v415 = load <16 x float>, ptr %v414, align 64
  %v416 = fadd <16 x float> %v415, %v406
  %v417 = fmul <16 x float> %v416, splat (float 0x3FB538CAC0000000)
  %v425 = getelementptr float, ptr %ring5.row.424, i64 %x.322
  %v426 = load <16 x float>, ptr %v425, align 64
  %v434 = getelementptr float, ptr %ring5.row.433, i64 %x.322
  %v435 = load <16 x float>, ptr %v434, align 64
  %v436 = fadd <16 x float> %v435, %v426
  %v437 = fmul <16 x float> %v436, splat (float 0x3F8DEA4020000000)
  %v438 = fadd <16 x float> %v437, %v417
  %v446 = getelementptr float, ptr %ring5.row.445, i64 %x.322
  %v447 = load <16 x float>, ptr %v446, align 64
  %v455 = getelementptr float, ptr %ring5.row.454, i64 %x.322
  %v456 = load <16 x float>, ptr %v455, align 64
  %v457 = fadd <16 x float> %v456, %v447
  %v458 = fmul <16 x float> %v457, splat (float 0x3F550EAB60000000)
  %v466 = getelementptr float, ptr %ring5.row.465, i64 %x.322
  %v467 = load <16 x float>, ptr %v466, align 64
  %v468 = fadd <16 x float> %v467, %v370
  %v469 = fmul <16 x float> %v468, splat (float 0x3F0D9B2EE0000000)
  %v470 = fadd <16 x float> %v469, %v458
  %v471 = fadd <16 x float> %v470, %v438
  %v472 = fadd <16 x float> %v471, %v397
  %v477 = fcmp olt <16 x float> %v476, %v472
  %v481 = getelementptr float, ptr %ring5.row.480, i64 %x.322
  store <16 x float> %v370, ptr %v481, align 64
  %v484 = getelementptr i8, ptr %out.row.483, i64 %x.322
  %v485 = zext <16 x i1> %v477 to <16 x i8>
  %v486 = getelementptr i8, ptr %v484, i64 128
  call void @llvm.prefetch.p0(ptr %v486, i32 1, i32 3, i32 1)
  store <16 x i8> %v485, ptr %v484, align 1
  %x.322.next = add nuw nsw i64 %x.322, 16
  %x.322.more = icmp ult i64 %x.322.next, 64
  br i1 %x.322.more, label %across.487, label %across.end.488
across.end.488:
  br label %joined.318
apart.317:
  ; group 1: plane ring5; 5 rows ahead; 5 more above, 5 below
  %r.489 = add nsw i64 %s.40, 5
  %v490 = icmp sge i64 %r.489, %low1
  %v491 = icmp slt i64 %r.489, %high1
  %v492 = and i1 %v490, %v491
  br i1 %v492, label %group1.493, label %group1.end.494
group1.493:
  %v495 = icmp sge i64 %r.489, %first_row
  %v496 = icmp slt i64 %r.489, %last_row
  %v497 = and i1 %v495, %v496
  %v507 = load <16 x i32>, ptr %ring1, align 64
  %v508 = bitcast <16 x i32> %v507 to <16 x float>
  %v509 = shufflevector <16 x float> %v508, <16 x float> poison, <16 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 5, i32 4, i32 3, i32 2, i32 1>
  %v510 = bitcast <16 x float> %v509 to <16 x i32>
  %v511 = load <16 x i32>, ptr %ring1, align 64
  %v547 = urem i64 %r.489, 10
  %v548 = mul nsw i64 %v547, 112
  %ring5.row.549 = getelementptr float, ptr %ring5, i64 %v548
  br label %across.551
across.551:
  %x.498 = phi i64 [ 0, %group1.493 ], [ %x.498.next, %across.551 ]
  %before.502 = phi <16 x i32> [ %v510, %group1.493 ], [ %here.503, %across.551 ]
  %here.503 = phi <16 x i32> [ %v511, %group1.493 ], [ %v506, %across.551 ]
  %v499 = getelementptr float, ptr %ring1, i64 %x.498
  %v500 = load <16 x float>, ptr %v499, align 64
  %v501 = fmul <16 x float> %v500, splat (float 0x3FD546E7E0000000)
  %v504 = getelementptr float, ptr %ring1, i64 %x.498
  %v505 = getelementptr float, ptr %v504, i64 16
  %v506 = load <16 x i32>, ptr %v505, align 64
  %v512 = shufflevector <16 x i32> %here.503, <16 x i32> %v506, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16>
  %v513 = bitcast <16 x i32> %v512 to <16 x float>
  %v514 = shufflevector <16 x i32> %before.502, <16 x i32> %here.503, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v515 = bitcast <16 x i32> %v514 to <16 x float>
  %v516 = fadd <16 x float> %v515, %v513
  %v517 = fmul <16 x float> %v516, splat (float 0x3FCE1217C0000000)
  %v518 = fadd <16 x float> %v517, %v501
  %v519 = shufflevector <16 x i32> %here.503, <16 x i32> %v506, <16 x i32> <i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17>
  %v520 = bitcast <16 x i32> %v519 to <16 x float>
  %v521 = shufflevector <16 x i32> %before.502, <16 x i32> %here.503, <16 x i32> <i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29>
  %v522 = bitcast <16 x i32> %v521 to <16 x float>
  %v523 = fadd <16 x float> %v522, %v520
  %v524 = fmul <16 x float> %v523, splat (float 0x3FB538CAC0000000)
  %v525 = shufflevector <16 x i32> %here.503, <16 x i32> %v506, <16 x i32> <i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18>
  %v526 = bitcast <16 x i32> %v525 to <16 x float>
  %v527 = shufflevector <16 x i32> %before.502, <16 x i32> %here.503, <16 x i32> <i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28>
  %v528 = bitcast <16 x i32> %v527 to <16 x float>
  %v529 = fadd <16 x float> %v528, %v526
  %v530 = fmul <16 x float> %v529, splat (float 0x3F8DEA4020000000)
  %v531 = fadd <16 x float> %v530, %v524
  %v532 = shufflevector <16 x i32> %here.503, <16 x i32> %v506, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19>
  %v533 = bitcast <16 x i32> %v532 to <16 x float>
  %v534 = shufflevector <16 x i32> %before.502, <16 x i32> %here.503, <16 x i32> <i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27>
  %v535 = bitcast <16 x i32> %v534 to <16 x float>
  %v536 = fadd <16 x float> %v535, %v533
  %v537 = fmul <16 x float> %v536, splat (float 0x3F550EAB60000000)
  %v538 = shufflevector <16 x i32> %here.503, <16 x i32> %v506, <16 x i32> <i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20>
  %v539 = bitcast <16 x i32> %v538 to <16 x float>
  %v540 = shufflevector <16 x i32> %before.502, <16 x i32> %here.503, <16 x i32> <i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26>
  %v541 = bitcast <16 x i32> %v540 to <16 x float>
  %v542 = fadd <16 x float> %v541, %v539
  %v543 = fmul <16 x float> %v542, splat (float 0x3F0D9B2EE0000000)
  %v544 = fadd <16 x float> %v543, %v537
  %v545 = fadd <16 x float> %v544, %v531
  %v546 = fadd <16 x float> %v545, %v518
  %v550 = getelementptr float, ptr %ring5.row.549, i64 %x.498
  store <16 x float> %v546, ptr %v550, align 64
  %x.498.next = add nuw nsw i64 %x.498, 16
  %x.498.more = icmp ult i64 %x.498.next, 64
  br i1 %x.498.more, label %across.551, label %across.end.552
across.end.552:
  br label %group1.end.494
group1.end.494:
  ; group 2: output; 0 rows ahead; 0 more above, 0 below
  %r.553 = add nsw i64 %s.40, 0
  %v554 = icmp sge i64 %r.553, %low2
  %v555 = icmp slt i64 %r.553, %high2
  %v556 = and i1 %v554, %v555
  br i1 %v556, label %group2.557, label %group2.end.558
group2.557:
  %v560 = urem i64 %r.553, 10
  %v561 = mul nsw i64 %v560, 112
  %ring5.row.562 = getelementptr float, ptr %ring5, i64 %v561
  %v566 = add i64 %r.553, 1
  %v567 = call i64 @llvm.abs.i64(i64 %v566, i1 false)
  %v568 = sub i64 94, %v567
  %v569 = call i64 @llvm.smin.i64(i64 %v567, i64 %v568)
  %v570 = urem i64 %v569, 10
  %v571 = mul nsw i64 %v570, 112
  %ring5.row.572 = getelementptr float, ptr %ring5, i64 %v571
  %v575 = add i64 %r.553, -1
  %v576 = call i64 @llvm.abs.i64(i64 %v575, i1 false)
  %v577 = sub i64 94, %v576
  %v578 = call i64 @llvm.smin.i64(i64 %v576, i64 %v577)
  %v579 = urem i64 %v578, 10
  %v580 = mul nsw i64 %v579, 112
  %ring5.row.581 = getelementptr float, ptr %ring5, i64 %v580
  %v587 = add i64 %r.553, 2
  %v588 = call i64 @llvm.abs.i64(i64 %v587, i1 false)
  %v589 = sub i64 94, %v588
  %v590 = call i64 @llvm.smin.i64(i64 %v588, i64 %v589)
  %v591 = urem i64 %v590, 10
  %v592 = mul nsw i64 %v591, 112
  %ring5.row.593 = getelementptr float, ptr %ring5, i64 %v592
  %v596 = add i64 %r.553, -2
  %v597 = call i64 @llvm.abs.i64(i64 %v596, i1 false)
  %v598 = sub i64 94, %v597
  %v599 = call i64 @llvm.smin.i64(i64 %v597, i64 %v598)
  %v600 = urem i64 %v599, 10
  %v601 = mul nsw i64 %v600, 112
  %ring5.row.602 = getelementptr float, ptr %ring5, i64 %v601
  %v607 = add i64 %r.553, 3
  %v608 = call i64 @llvm.abs.i64(i64 %v607, i1 false)
  %v609 = sub i64 94, %v608
  %v610 = call i64 @llvm.smin.i64(i64 %v608, i64 %v609)
  %v611 = urem i64 %v610, 10
  %v612 = mul nsw i64 %v611, 112
  %ring5.row.613 = getelementptr float, ptr %ring5, i64 %v612
  %v616 = add i64 %r.553, -3
  %v617 = call i64 @llvm.abs.i64(i64 %v616, i1 false)
  %v618 = sub i64 94, %v617
  %v619 = call i64 @llvm.smin.i64(i64 %v617, i64 %v618)
  %v620 = urem i64 %v619, 10
  %v621 = mul nsw i64 %v620, 112
  %ring5.row.622 = getelementptr float, ptr %ring5, i64 %v621
  %v628 = add i64 %r.553, 4
  %v629 = call i64 @llvm.abs.i64(i64 %v628, i1 false)
  %v630 = sub i64 94, %v629
  %v631 = call i64 @llvm.smin.i64(i64 %v629, i64 %v630)
  %v632 = urem i64 %v631, 10
  %v633 = mul nsw i64 %v632, 112
  %ring5.row.634 = getelementptr float, ptr %ring5, i64 %v633
  %v637 = add i64 %r.553, -4
  %v638 = call i64 @llvm.abs.i64(i64 %v637, i1 false)
  %v639 = sub i64 94, %v638
  %v640 = call i64 @llvm.smin.i64(i64 %v638, i64 %v639)
  %v641 = urem i64 %v640, 10
  %v642 = mul nsw i64 %v641, 112
  %ring5.row.643 = getelementptr float, ptr %ring5, i64 %v642
  %v648 = add i64 %r.553, 5
  %v649 = call i64 @llvm.abs.i64(i64 %v648, i1 false)
  %v650 = sub i64 94, %v649
  %v651 = call i64 @llvm.smin.i64(i64 %v649, i64 %v650)
  %v652 = urem i64 %v651, 10
  %v653 = mul nsw i64 %v652, 112
  %ring5.row.654 = getelementptr float, ptr %ring5, i64 %v653
  %v657 = add i64 %r.553, -5
  %v658 = call i64 @llvm.abs.i64(i64 %v657, i1 false)
  %v659 = sub i64 94, %v658
  %v660 = call i64 @llvm.smin.i64(i64 %v658, i64 %v659)
  %v661 = urem i64 %v660, 10
  %v662 = mul nsw i64 %v661, 112
  %ring5.row.663 = getelementptr float, ptr %ring5, i64 %v662
  %v672 = mul nsw i64 %r.553, 64
  %out.row.673 = getelementptr i8, ptr %output1, i64 %v672
  br label %across.677
across.677:
  %x.559 = phi i64 [ 0, %group2.557 ], [ %x.559.next, %across.677 ]
  %v563 = getelementptr float, ptr %ring5.row.562, i64 %x.559
  %v564 = load <16 x float>, ptr %v563, align 64
  %v565 = fmul <16 x float> %v564, splat (float 0x3FD546E7E0000000)
  %v573 = getelementptr float, ptr %ring5.row.572, i64 %x.559
  %v574 = load <16 x float>, ptr %v573, align 64
  %v582 = getelementptr float, ptr %ring5.row.581, i64 %x.559
  %v583 = load <16 x float>, ptr %v582, align 64
  %v584 = fadd <16 x float> %v583, %v574
  %v585 = fmul <16 x float> %v584, splat (float 0x3FCE1217C0000000)
  %v586 = fadd <16 x float> %v585, %v565
  %v594 = getelementptr float, ptr %ring5.row.593, i64 %x.559
  %v595 = load <16 x float>, ptr %v594, align 64
  %v603 = getelementptr float, ptr %ring5.row.602, i64 %x.559
  %v604 = load <16 x float>, ptr %v603, align 64
  %v605 = fadd <16 x float> %v604, %v595
  %v606 = fmul <16 x float> %v605, splat (float 0x3FB538CAC0000000)
  %v614 = getelementptr float, ptr %ring5.row.613, i64 %x.559
  %v615 = load <16 x float>, ptr %v614, align 64
  %v623 = getelementptr float, ptr %ring5.row.622, i64 %x.559
  %v624 = load <16 x float>, ptr %v623, align 64
  %v625 = fadd <16 x float> %v624, %v615
  %v626 = fmul <16 x float> %v625, splat (float 0x3F8DEA4020000000)
  %v627 = fadd <16 x float> %v626, %v606
  %v635 = getelementptr float, ptr %ring5.row.634, i64 %x.559
  %v636 = load <16 x float>, ptr %v635, align 64
  %v644 = getelementptr float, ptr %ring5.row.643, i64 %x.559
  %v645 = load <16 x float>, ptr %v644, align 64
  %v646 = fadd <16 x float> %v645, %v636
  %v647 = fmul <16 x float> %v646, splat (float 0x3F550EAB60000000)
  %v655 = getelementptr float, ptr %ring5.row.654, i64 %x.559
  %v656 = load <16 x float>, ptr %v655, align 64
  %v664 = getelementptr float, ptr %ring5.row.663, i64 %x.559
  %v665 = load <16 x float>, ptr %v664, align 64
  %v666 = fadd <16 x float> %v665, %v656
  %v667 = fmul <16 x float> %v666, splat (float 0x3F0D9B2EE0000000)
  %v668 = fadd <16 x float> %v667, %v647
  %v669 = fadd <16 x float> %v668, %v627
  %v670 = fadd <16 x float> %v669, %v586
  %v671 = fcmp olt <16 x float> %v476, %v670
  %v674 = getelementptr i8, ptr %out.row.673, i64 %x.559
  %v675 = zext <16 x i1> %v671 to <16 x i8>
  %v676 = getelementptr i8, ptr %v674, i64 128
  call void @llvm.prefetch.p0(ptr %v676, i32 1, i32 3, i32 1)
  store <16 x i8> %v675, ptr %v674, align 1
  %x.559.next = add nuw nsw i64 %x.559, 16
  %x.559.more = icmp ult i64 %x.559.next, 64
  br i1 %x.559.more, label %across.677, label %across.end.678
across.end.678:
  br label %group2.end.558
group2.end.558:
  br label %joined.318
joined.318:
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
