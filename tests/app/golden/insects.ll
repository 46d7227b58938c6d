; gray+sound+scale+even+ground+smooth+found
;
; in0: 64x48 u8
; ground.change: 64x48 f32, leaves
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
;     ring1 = ((t1 * 0.003921627998352051) + (t1 * -5.9370901084321304e-08)) - was(ground/mean)
;     state2 = min(was(ground/seen) + 1.0, 1000000.0)
;     t4 = ring1 * ring1
;     t5 = ((ground.k * ground.k) * max(was(ground/variance), ground.min_sigma * ground.min_sigma)) < t4
;     t6 = max(ground.alpha, 1.0 / state2)
;     t7 = select(t5 & (ring1 < 0.0), t6 * ground.learn, t6)
;     state3 = was(ground/mean) + (t7 * ring1)
;     state4 = was(ground/variance) + (t7 * (t4 - was(ground/variance)))
;     ground.change = ring1
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
  %v357 = getelementptr i8, ptr %args, i64 120
  %param.358 = load float, ptr %v357, align 8
  %v359 = insertelement <16 x float> poison, float %param.358, i64 0
  %v360 = shufflevector <16 x float> %v359, <16 x float> poison, <16 x i32> zeroinitializer
  br label %t.28
t.28:
  %t.31 = phi i64 [ %first_frame, %entry ], [ %t.31.next, %t.next.32 ]
  %v33 = icmp slt i64 %t.31, %last_frame
  br i1 %v33, label %t.do.29, label %t.end.30
t.do.29:
  %v665 = mul i64 %frames, 0
  %v666 = add i64 %v665, %t.31
  %v667 = getelementptr ptr, ptr %images, i64 %v666
  %input0 = load ptr, ptr %v667, align 8
  %v668 = mul i64 %frames, 1
  %v669 = add i64 %v668, %t.31
  %v670 = getelementptr ptr, ptr %images, i64 %v669
  %output0 = load ptr, ptr %v670, align 8
  %v671 = mul i64 %frames, 2
  %v672 = add i64 %v671, %t.31
  %v673 = getelementptr ptr, ptr %images, i64 %v672
  %output1 = load ptr, ptr %v673, align 8
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
  %v110 = mul nsw i64 %r.43, 112
  %state2.row.111 = getelementptr float, ptr %state2, i64 %v110
  %v113 = mul nsw i64 %r.43, 112
  %state3.row.114 = getelementptr float, ptr %state3, i64 %v113
  %v116 = mul nsw i64 %r.43, 112
  %state4.row.117 = getelementptr float, ptr %state4, i64 %v116
  %v119 = mul nsw i64 %r.43, 64
  %out.row.120 = getelementptr float, ptr %output0, i64 %v119
  %v121 = getelementptr i8, ptr %scratch, i64 5120
  %out.row.122 = select i1 %v51, ptr %out.row.120, ptr %v121
  br i1 %v36, label %first.254, label %then.255
first.254:
  br label %across.257
across.257:
  %x.52 = phi i64 [ 0, %first.254 ], [ %x.52.next, %across.257 ]
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
  %v109 = getelementptr float, ptr %ring1, i64 %x.52
  store <32 x float> %v63, ptr %v109, align 64
  %v112 = getelementptr float, ptr %state2.row.111, i64 %x.52
  store <32 x float> %v73, ptr %v112, align 64
  %v115 = getelementptr float, ptr %state3.row.114, i64 %x.52
  store <32 x float> %v105, ptr %v115, align 64
  %v118 = getelementptr float, ptr %state4.row.117, i64 %x.52
  store <32 x float> %v108, ptr %v118, align 64
  %v123 = getelementptr float, ptr %out.row.122, i64 %x.52
  %v124 = getelementptr i8, ptr %v123, i64 512
  call void @llvm.prefetch.p0(ptr %v124, i32 1, i32 3, i32 1)
  %v125 = getelementptr i8, ptr %v123, i64 576
  call void @llvm.prefetch.p0(ptr %v125, i32 1, i32 3, i32 1)
  store <32 x float> %v63, ptr %v123, align 4
  %v126 = add i64 %x.52, 32
  %v127 = getelementptr i8, ptr %in.row.54, i64 %v126
  %v128 = load <32 x i8>, ptr %v127, align 1
  %v129 = zext <32 x i8> %v128 to <32 x i32>
  %v130 = sitofp <32 x i32> %v129 to <32 x float>
  %v131 = fmul <32 x float> %v130, splat (float 0xBE6FDFDFE0000000)
  %v132 = fmul <32 x float> %v130, splat (float 0x3F70102000000000)
  %v133 = fadd <32 x float> %v132, %v131
  %v134 = fsub <32 x float> %v133, %v133
  %v135 = trunc i64 %v126 to i32
  %v136 = insertelement <32 x i32> poison, i32 %v135, i64 0
  %v137 = shufflevector <32 x i32> %v136, <32 x i32> poison, <32 x i32> zeroinitializer
  %v138 = add <32 x i32> %v137, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v139 = trunc nsw <32 x i32> %v138 to <32 x i16>
  %v140 = icmp sle <32 x i16> splat (i16 0), %v139
  %v141 = select <32 x i1> %v140, <32 x float> splat (float 0x0000000000000000), <32 x float> splat (float 0x3FF0000000000000)
  %v142 = fadd <32 x float> %v141, splat (float 0x3FF0000000000000)
  %v143 = fcmp olt <32 x float> %v142, splat (float 0x412E848000000000)
  %v144 = select <32 x i1> %v143, <32 x float> %v142, <32 x float> splat (float 0x412E848000000000)
  %v145 = fdiv <32 x float> splat (float 0x3FF0000000000000), %v144
  %v146 = fcmp ogt <32 x float> %v78, %v145
  %v147 = select <32 x i1> %v146, <32 x float> %v78, <32 x float> %v145
  %v148 = fmul <32 x float> %v147, %v84
  %v149 = fcmp olt <32 x float> %v134, splat (float 0x0000000000000000)
  %v150 = fmul <32 x float> %v134, %v134
  %v151 = fcmp ogt <32 x float> %v92, %v92
  %v152 = select <32 x i1> %v151, <32 x float> %v92, <32 x float> %v92
  %v153 = fmul <32 x float> %v99, %v152
  %v154 = fcmp olt <32 x float> %v153, %v150
  %v155 = and <32 x i1> %v154, %v149
  %v156 = select <32 x i1> %v155, <32 x float> %v148, <32 x float> %v147
  %v157 = fmul <32 x float> %v156, %v134
  %v158 = fadd <32 x float> %v133, %v157
  %v159 = fsub <32 x float> %v150, %v92
  %v160 = fmul <32 x float> %v156, %v159
  %v161 = fadd <32 x float> %v92, %v160
  %v162 = getelementptr float, ptr %ring1, i64 %v126
  store <32 x float> %v134, ptr %v162, align 64
  %v163 = getelementptr float, ptr %state2.row.111, i64 %v126
  store <32 x float> %v144, ptr %v163, align 64
  %v164 = getelementptr float, ptr %state3.row.114, i64 %v126
  store <32 x float> %v158, ptr %v164, align 64
  %v165 = getelementptr float, ptr %state4.row.117, i64 %v126
  store <32 x float> %v161, ptr %v165, align 64
  %v166 = getelementptr float, ptr %out.row.122, i64 %v126
  %v167 = getelementptr i8, ptr %v166, i64 512
  call void @llvm.prefetch.p0(ptr %v167, i32 1, i32 3, i32 1)
  %v168 = getelementptr i8, ptr %v166, i64 576
  call void @llvm.prefetch.p0(ptr %v168, i32 1, i32 3, i32 1)
  store <32 x float> %v134, ptr %v166, align 4
  %x.52.next = add nuw nsw i64 %x.52, 64
  %x.52.more = icmp ult i64 %x.52.next, 64
  br i1 %x.52.more, label %across.257, label %across.end.258
across.end.258:
  br label %done.256
then.255:
  br label %across.259
across.259:
  %x.169 = phi i64 [ 0, %then.255 ], [ %x.169.next, %across.259 ]
  %v170 = getelementptr float, ptr %state3.row.114, i64 %x.169
  %v171 = load <32 x float>, ptr %v170, align 64
  %v172 = getelementptr i8, ptr %in.row.54, i64 %x.169
  %v173 = getelementptr i8, ptr %v172, i64 128
  call void @llvm.prefetch.p0(ptr %v173, i32 0, i32 3, i32 1)
  %v174 = load <32 x i8>, ptr %v172, align 1
  %v175 = zext <32 x i8> %v174 to <32 x i32>
  %v176 = sitofp <32 x i32> %v175 to <32 x float>
  %v177 = fmul <32 x float> %v176, splat (float 0xBE6FDFDFE0000000)
  %v178 = fmul <32 x float> %v176, splat (float 0x3F70102000000000)
  %v179 = fadd <32 x float> %v178, %v177
  %v180 = fsub <32 x float> %v179, %v171
  %v181 = getelementptr float, ptr %state2.row.111, i64 %x.169
  %v182 = load <32 x float>, ptr %v181, align 64
  %v183 = fadd <32 x float> %v182, splat (float 0x3FF0000000000000)
  %v184 = fcmp olt <32 x float> %v183, splat (float 0x412E848000000000)
  %v185 = select <32 x i1> %v184, <32 x float> %v183, <32 x float> splat (float 0x412E848000000000)
  %v186 = fdiv <32 x float> splat (float 0x3FF0000000000000), %v185
  %v187 = fcmp ogt <32 x float> %v78, %v186
  %v188 = select <32 x i1> %v187, <32 x float> %v78, <32 x float> %v186
  %v189 = fmul <32 x float> %v188, %v84
  %v190 = fcmp olt <32 x float> %v180, splat (float 0x0000000000000000)
  %v191 = fmul <32 x float> %v180, %v180
  %v192 = getelementptr float, ptr %state4.row.117, i64 %x.169
  %v193 = load <32 x float>, ptr %v192, align 64
  %v194 = fcmp ogt <32 x float> %v193, %v92
  %v195 = select <32 x i1> %v194, <32 x float> %v193, <32 x float> %v92
  %v196 = fmul <32 x float> %v99, %v195
  %v197 = fcmp olt <32 x float> %v196, %v191
  %v198 = and <32 x i1> %v197, %v190
  %v199 = select <32 x i1> %v198, <32 x float> %v189, <32 x float> %v188
  %v200 = fmul <32 x float> %v199, %v180
  %v201 = fadd <32 x float> %v171, %v200
  %v202 = fsub <32 x float> %v191, %v193
  %v203 = fmul <32 x float> %v199, %v202
  %v204 = fadd <32 x float> %v193, %v203
  %v205 = getelementptr float, ptr %ring1, i64 %x.169
  store <32 x float> %v180, ptr %v205, align 64
  %v206 = getelementptr float, ptr %state2.row.111, i64 %x.169
  store <32 x float> %v185, ptr %v206, align 64
  %v207 = getelementptr float, ptr %state3.row.114, i64 %x.169
  store <32 x float> %v201, ptr %v207, align 64
  %v208 = getelementptr float, ptr %state4.row.117, i64 %x.169
  store <32 x float> %v204, ptr %v208, align 64
  %v209 = getelementptr float, ptr %out.row.122, i64 %x.169
  %v210 = getelementptr i8, ptr %v209, i64 512
  call void @llvm.prefetch.p0(ptr %v210, i32 1, i32 3, i32 1)
  %v211 = getelementptr i8, ptr %v209, i64 576
  call void @llvm.prefetch.p0(ptr %v211, i32 1, i32 3, i32 1)
  store <32 x float> %v180, ptr %v209, align 4
  %v212 = add i64 %x.169, 32
  %v213 = getelementptr float, ptr %state3.row.114, i64 %v212
  %v214 = load <32 x float>, ptr %v213, align 64
  %v215 = getelementptr i8, ptr %in.row.54, i64 %v212
  %v216 = load <32 x i8>, ptr %v215, align 1
  %v217 = zext <32 x i8> %v216 to <32 x i32>
  %v218 = sitofp <32 x i32> %v217 to <32 x float>
  %v219 = fmul <32 x float> %v218, splat (float 0xBE6FDFDFE0000000)
  %v220 = fmul <32 x float> %v218, splat (float 0x3F70102000000000)
  %v221 = fadd <32 x float> %v220, %v219
  %v222 = fsub <32 x float> %v221, %v214
  %v223 = getelementptr float, ptr %state2.row.111, i64 %v212
  %v224 = load <32 x float>, ptr %v223, align 64
  %v225 = fadd <32 x float> %v224, splat (float 0x3FF0000000000000)
  %v226 = fcmp olt <32 x float> %v225, splat (float 0x412E848000000000)
  %v227 = select <32 x i1> %v226, <32 x float> %v225, <32 x float> splat (float 0x412E848000000000)
  %v228 = fdiv <32 x float> splat (float 0x3FF0000000000000), %v227
  %v229 = fcmp ogt <32 x float> %v78, %v228
  %v230 = select <32 x i1> %v229, <32 x float> %v78, <32 x float> %v228
  %v231 = fmul <32 x float> %v230, %v84
  %v232 = fcmp olt <32 x float> %v222, splat (float 0x0000000000000000)
  %v233 = fmul <32 x float> %v222, %v222
  %v234 = getelementptr float, ptr %state4.row.117, i64 %v212
  %v235 = load <32 x float>, ptr %v234, align 64
  %v236 = fcmp ogt <32 x float> %v235, %v92
  %v237 = select <32 x i1> %v236, <32 x float> %v235, <32 x float> %v92
  %v238 = fmul <32 x float> %v99, %v237
  %v239 = fcmp olt <32 x float> %v238, %v233
  %v240 = and <32 x i1> %v239, %v232
  %v241 = select <32 x i1> %v240, <32 x float> %v231, <32 x float> %v230
  %v242 = fmul <32 x float> %v241, %v222
  %v243 = fadd <32 x float> %v214, %v242
  %v244 = fsub <32 x float> %v233, %v235
  %v245 = fmul <32 x float> %v241, %v244
  %v246 = fadd <32 x float> %v235, %v245
  %v247 = getelementptr float, ptr %ring1, i64 %v212
  store <32 x float> %v222, ptr %v247, align 64
  %v248 = getelementptr float, ptr %state2.row.111, i64 %v212
  store <32 x float> %v227, ptr %v248, align 64
  %v249 = getelementptr float, ptr %state3.row.114, i64 %v212
  store <32 x float> %v243, ptr %v249, align 64
  %v250 = getelementptr float, ptr %state4.row.117, i64 %v212
  store <32 x float> %v246, ptr %v250, align 64
  %v251 = getelementptr float, ptr %out.row.122, i64 %v212
  %v252 = getelementptr i8, ptr %v251, i64 512
  call void @llvm.prefetch.p0(ptr %v252, i32 1, i32 3, i32 1)
  %v253 = getelementptr i8, ptr %v251, i64 576
  call void @llvm.prefetch.p0(ptr %v253, i32 1, i32 3, i32 1)
  store <32 x float> %v222, ptr %v251, align 4
  %x.169.next = add nuw nsw i64 %x.169, 64
  %x.169.more = icmp ult i64 %x.169.next, 64
  br i1 %x.169.more, label %across.259, label %across.end.260
across.end.260:
  br label %done.256
done.256:
  %v261 = getelementptr float, ptr %ring1, i64 5
  %v262 = load float, ptr %v261
  %v263 = getelementptr float, ptr %ring1, i64 -5
  store float %v262, ptr %v263
  %v264 = getelementptr float, ptr %ring1, i64 4
  %v265 = load float, ptr %v264
  %v266 = getelementptr float, ptr %ring1, i64 -4
  store float %v265, ptr %v266
  %v267 = getelementptr float, ptr %ring1, i64 3
  %v268 = load float, ptr %v267
  %v269 = getelementptr float, ptr %ring1, i64 -3
  store float %v268, ptr %v269
  %v270 = getelementptr float, ptr %ring1, i64 2
  %v271 = load float, ptr %v270
  %v272 = getelementptr float, ptr %ring1, i64 -2
  store float %v271, ptr %v272
  %v273 = getelementptr float, ptr %ring1, i64 1
  %v274 = load float, ptr %v273
  %v275 = getelementptr float, ptr %ring1, i64 -1
  store float %v274, ptr %v275
  %v276 = getelementptr float, ptr %ring1, i64 62
  %v277 = load float, ptr %v276
  %v278 = getelementptr float, ptr %ring1, i64 64
  store float %v277, ptr %v278
  %v279 = getelementptr float, ptr %ring1, i64 61
  %v280 = load float, ptr %v279
  %v281 = getelementptr float, ptr %ring1, i64 65
  store float %v280, ptr %v281
  %v282 = getelementptr float, ptr %ring1, i64 60
  %v283 = load float, ptr %v282
  %v284 = getelementptr float, ptr %ring1, i64 66
  store float %v283, ptr %v284
  %v285 = getelementptr float, ptr %ring1, i64 59
  %v286 = load float, ptr %v285
  %v287 = getelementptr float, ptr %ring1, i64 67
  store float %v286, ptr %v287
  %v288 = getelementptr float, ptr %ring1, i64 58
  %v289 = load float, ptr %v288
  %v290 = getelementptr float, ptr %ring1, i64 68
  store float %v289, ptr %v290
  br label %group0.end.48
group0.end.48:
  ; group 1: plane ring5; 5 rows ahead; 5 more above, 5 below
  %r.291 = add nsw i64 %s.40, 5
  %v292 = icmp sge i64 %r.291, %low1
  %v293 = icmp slt i64 %r.291, %high1
  %v294 = and i1 %v292, %v293
  ; group 2: output; 0 rows ahead; 0 more above, 0 below
  %r.295 = add nsw i64 %s.40, 0
  %v296 = icmp sge i64 %r.295, %low2
  %v297 = icmp slt i64 %r.295, %high2
  %v298 = and i1 %v296, %v297
  %v299 = icmp sge i64 %r.295, 5
  %v300 = and i1 %v294, %v298
  %v301 = and i1 %v299, %v300
  br i1 %v301, label %together.302, label %apart.303
together.302:
  %v305 = icmp sge i64 %r.291, %first_row
  %v306 = icmp slt i64 %r.291, %last_row
  %v307 = and i1 %v305, %v306
  %v317 = load <16 x i32>, ptr %ring1, align 64
  %v318 = bitcast <16 x i32> %v317 to <16 x float>
  %v319 = shufflevector <16 x float> %v318, <16 x float> poison, <16 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 5, i32 4, i32 3, i32 2, i32 1>
  %v320 = bitcast <16 x float> %v319 to <16 x i32>
  %v321 = load <16 x i32>, ptr %ring1, align 64
  %v464 = urem i64 %r.291, 10
  %v465 = mul nsw i64 %v464, 112
  %ring5.row.466 = getelementptr float, ptr %ring5, i64 %v465
  %v361 = urem i64 %r.295, 10
  %v362 = mul nsw i64 %v361, 112
  %ring5.row.363 = getelementptr float, ptr %ring5, i64 %v362
  %v367 = add i64 %r.295, 1
  %v368 = call i64 @llvm.abs.i64(i64 %v367, i1 false)
  %v369 = sub i64 94, %v368
  %v370 = call i64 @llvm.smin.i64(i64 %v368, i64 %v369)
  %v371 = urem i64 %v370, 10
  %v372 = mul nsw i64 %v371, 112
  %ring5.row.373 = getelementptr float, ptr %ring5, i64 %v372
  %v376 = add i64 %r.295, -1
  %v377 = call i64 @llvm.abs.i64(i64 %v376, i1 false)
  %v378 = sub i64 94, %v377
  %v379 = call i64 @llvm.smin.i64(i64 %v377, i64 %v378)
  %v380 = urem i64 %v379, 10
  %v381 = mul nsw i64 %v380, 112
  %ring5.row.382 = getelementptr float, ptr %ring5, i64 %v381
  %v388 = add i64 %r.295, 2
  %v389 = call i64 @llvm.abs.i64(i64 %v388, i1 false)
  %v390 = sub i64 94, %v389
  %v391 = call i64 @llvm.smin.i64(i64 %v389, i64 %v390)
  %v392 = urem i64 %v391, 10
  %v393 = mul nsw i64 %v392, 112
  %ring5.row.394 = getelementptr float, ptr %ring5, i64 %v393
  %v397 = add i64 %r.295, -2
  %v398 = call i64 @llvm.abs.i64(i64 %v397, i1 false)
  %v399 = sub i64 94, %v398
  %v400 = call i64 @llvm.smin.i64(i64 %v398, i64 %v399)
  %v401 = urem i64 %v400, 10
  %v402 = mul nsw i64 %v401, 112
  %ring5.row.403 = getelementptr float, ptr %ring5, i64 %v402
  %v408 = add i64 %r.295, 3
  %v409 = call i64 @llvm.abs.i64(i64 %v408, i1 false)
  %v410 = sub i64 94, %v409
  %v411 = call i64 @llvm.smin.i64(i64 %v409, i64 %v410)
  %v412 = urem i64 %v411, 10
  %v413 = mul nsw i64 %v412, 112
  %ring5.row.414 = getelementptr float, ptr %ring5, i64 %v413
  %v417 = add i64 %r.295, -3
  %v418 = call i64 @llvm.abs.i64(i64 %v417, i1 false)
  %v419 = sub i64 94, %v418
  %v420 = call i64 @llvm.smin.i64(i64 %v418, i64 %v419)
  %v421 = urem i64 %v420, 10
  %v422 = mul nsw i64 %v421, 112
  %ring5.row.423 = getelementptr float, ptr %ring5, i64 %v422
  %v429 = add i64 %r.295, 4
  %v430 = call i64 @llvm.abs.i64(i64 %v429, i1 false)
  %v431 = sub i64 94, %v430
  %v432 = call i64 @llvm.smin.i64(i64 %v430, i64 %v431)
  %v433 = urem i64 %v432, 10
  %v434 = mul nsw i64 %v433, 112
  %ring5.row.435 = getelementptr float, ptr %ring5, i64 %v434
  %v438 = add i64 %r.295, -4
  %v439 = call i64 @llvm.abs.i64(i64 %v438, i1 false)
  %v440 = sub i64 94, %v439
  %v441 = call i64 @llvm.smin.i64(i64 %v439, i64 %v440)
  %v442 = urem i64 %v441, 10
  %v443 = mul nsw i64 %v442, 112
  %ring5.row.444 = getelementptr float, ptr %ring5, i64 %v443
  %v449 = add i64 %r.295, -5
  %v450 = call i64 @llvm.abs.i64(i64 %v449, i1 false)
  %v451 = sub i64 94, %v450
  %v452 = call i64 @llvm.smin.i64(i64 %v450, i64 %v451)
  %v453 = urem i64 %v452, 10
  %v454 = mul nsw i64 %v453, 112
  %ring5.row.455 = getelementptr float, ptr %ring5, i64 %v454
  %v468 = mul nsw i64 %r.295, 64
  %out.row.469 = getelementptr i8, ptr %output1, i64 %v468
  br label %across.473
across.473:
  %x.308 = phi i64 [ 0, %together.302 ], [ %x.308.next, %across.473 ]
  %before.312 = phi <16 x i32> [ %v320, %together.302 ], [ %here.313, %across.473 ]
  %here.313 = phi <16 x i32> [ %v321, %together.302 ], [ %v316, %across.473 ]
  %v309 = getelementptr float, ptr %ring1, i64 %x.308
  %v310 = load <16 x float>, ptr %v309, align 64
  %v311 = fmul <16 x float> %v310, splat (float 0x3FD546E7E0000000)
  %v314 = getelementptr float, ptr %ring1, i64 %x.308
  %v315 = getelementptr float, ptr %v314, i64 16
  %v316 = load <16 x i32>, ptr %v315, align 64
  %v322 = shufflevector <16 x i32> %here.313, <16 x i32> %v316, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16>
  %v323 = bitcast <16 x i32> %v322 to <16 x float>
  %v324 = shufflevector <16 x i32> %before.312, <16 x i32> %here.313, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v325 = bitcast <16 x i32> %v324 to <16 x float>
  %v326 = fadd <16 x float> %v325, %v323
  %v327 = fmul <16 x float> %v326, splat (float 0x3FCE1217C0000000)
  %v328 = fadd <16 x float> %v327, %v311
  %v329 = shufflevector <16 x i32> %here.313, <16 x i32> %v316, <16 x i32> <i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17>
  %v330 = bitcast <16 x i32> %v329 to <16 x float>
  %v331 = shufflevector <16 x i32> %before.312, <16 x i32> %here.313, <16 x i32> <i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29>
  %v332 = bitcast <16 x i32> %v331 to <16 x float>
  %v333 = fadd <16 x float> %v332, %v330
  %v334 = fmul <16 x float> %v333, splat (float 0x3FB538CAC0000000)
  %v335 = shufflevector <16 x i32> %here.313, <16 x i32> %v316, <16 x i32> <i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18>
  %v336 = bitcast <16 x i32> %v335 to <16 x float>
  %v337 = shufflevector <16 x i32> %before.312, <16 x i32> %here.313, <16 x i32> <i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28>
  %v338 = bitcast <16 x i32> %v337 to <16 x float>
  %v339 = fadd <16 x float> %v338, %v336
  %v340 = fmul <16 x float> %v339, splat (float 0x3F8DEA4020000000)
  %v341 = fadd <16 x float> %v340, %v334
  %v342 = shufflevector <16 x i32> %here.313, <16 x i32> %v316, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19>
  %v343 = bitcast <16 x i32> %v342 to <16 x float>
  %v344 = shufflevector <16 x i32> %before.312, <16 x i32> %here.313, <16 x i32> <i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27>
  %v345 = bitcast <16 x i32> %v344 to <16 x float>
  %v346 = fadd <16 x float> %v345, %v343
  %v347 = fmul <16 x float> %v346, splat (float 0x3F550EAB60000000)
  %v348 = shufflevector <16 x i32> %here.313, <16 x i32> %v316, <16 x i32> <i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20>
  %v349 = bitcast <16 x i32> %v348 to <16 x float>
  %v350 = shufflevector <16 x i32> %before.312, <16 x i32> %here.313, <16 x i32> <i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26>
  %v351 = bitcast <16 x i32> %v350 to <16 x float>
  %v352 = fadd <16 x float> %v351, %v349
  %v353 = fmul <16 x float> %v352, splat (float 0x3F0D9B2EE0000000)
  %v354 = fadd <16 x float> %v353, %v347
  %v355 = fadd <16 x float> %v354, %v341
  %v356 = fadd <16 x float> %v355, %v328
  %v364 = getelementptr float, ptr %ring5.row.363, i64 %x.308
  %v365 = load <16 x float>, ptr %v364, align 64
  %v366 = fmul <16 x float> %v365, splat (float 0x3FD546E7E0000000)
  %v374 = getelementptr float, ptr %ring5.row.373, i64 %x.308
  %v375 = load <16 x float>, ptr %v374, align 64
  %v383 = getelementptr float, ptr %ring5.row.382, i64 %x.308
  %v384 = load <16 x float>, ptr %v383, align 64
  %v385 = fadd <16 x float> %v384, %v375
  %v386 = fmul <16 x float> %v385, splat (float 0x3FCE1217C0000000)
  %v387 = fadd <16 x float> %v386, %v366
  %v395 = getelementptr float, ptr %ring5.row.394, i64 %x.308
  %v396 = load <16 x float>, ptr %v395, align 64
  %v404 = getelementptr float, ptr %ring5.row.403, i64 %x.308
  %v405 = load <16 x float>, ptr %v404, align 64
  %v406 = fadd <16 x float> %v405, %v396
  %v407 = fmul <16 x float> %v406, splat (float 0x3FB538CAC0000000)
  %v415 = getelementptr float, ptr %ring5.row.414, i64 %x.308
  %v416 = load <16 x float>, ptr %v415, align 64
  %v424 = getelementptr float, ptr %ring5.row.423, i64 %x.308
  %v425 = load <16 x float>, ptr %v424, align 64
  %v426 = fadd <16 x float> %v425, %v416
  %v427 = fmul <16 x float> %v426, splat (float 0x3F8DEA4020000000)
  %v428 = fadd <16 x float> %v427, %v407
  %v436 = getelementptr float, ptr %ring5.row.435, i64 %x.308
  %v437 = load <16 x float>, ptr %v436, align 64
  %v445 = getelementptr float, ptr %ring5.row.444, i64 %x.308
  %v446 = load <16 x float>, ptr %v445, align 64
  %v447 = fadd <16 x float> %v446, %v437
  %v448 = fmul <16 x float> %v447, splat (float 0x3F550EAB60000000)
  %v456 = getelementptr float, ptr %ring5.row.455, i64 %x.308
  %v457 = load <16 x float>, ptr %v456, align 64
  %v458 = fadd <16 x float> %v457, %v356
  %v459 = fmul <16 x float> %v458, splat (float 0x3F0D9B2EE0000000)
  %v460 = fadd <16 x float> %v459, %v448
  %v461 = fadd <16 x float> %v460, %v428
  %v462 = fadd <16 x float> %v461, %v387
  %v463 = fcmp ole <16 x float> %v462, %v360
  %v467 = getelementptr float, ptr %ring5.row.466, i64 %x.308
  store <16 x float> %v356, ptr %v467, align 64
  %v470 = getelementptr i8, ptr %out.row.469, i64 %x.308
  %v471 = zext <16 x i1> %v463 to <16 x i8>
  %v472 = getelementptr i8, ptr %v470, i64 128
  call void @llvm.prefetch.p0(ptr %v472, i32 1, i32 3, i32 1)
  store <16 x i8> %v471, ptr %v470, align 1
  %x.308.next = add nuw nsw i64 %x.308, 16
  %x.308.more = icmp ult i64 %x.308.next, 64
  br i1 %x.308.more, label %across.473, label %across.end.474
across.end.474:
  br label %joined.304
apart.303:
  ; group 1: plane ring5; 5 rows ahead; 5 more above, 5 below
  %r.475 = add nsw i64 %s.40, 5
  %v476 = icmp sge i64 %r.475, %low1
  %v477 = icmp slt i64 %r.475, %high1
  %v478 = and i1 %v476, %v477
  br i1 %v478, label %group1.479, label %group1.end.480
group1.479:
  %v481 = icmp sge i64 %r.475, %first_row
  %v482 = icmp slt i64 %r.475, %last_row
  %v483 = and i1 %v481, %v482
  %v493 = load <16 x i32>, ptr %ring1, align 64
  %v494 = bitcast <16 x i32> %v493 to <16 x float>
  %v495 = shufflevector <16 x float> %v494, <16 x float> poison, <16 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 5, i32 4, i32 3, i32 2, i32 1>
  %v496 = bitcast <16 x float> %v495 to <16 x i32>
  %v497 = load <16 x i32>, ptr %ring1, align 64
  %v533 = urem i64 %r.475, 10
  %v534 = mul nsw i64 %v533, 112
  %ring5.row.535 = getelementptr float, ptr %ring5, i64 %v534
  br label %across.537
across.537:
  %x.484 = phi i64 [ 0, %group1.479 ], [ %x.484.next, %across.537 ]
  %before.488 = phi <16 x i32> [ %v496, %group1.479 ], [ %here.489, %across.537 ]
  %here.489 = phi <16 x i32> [ %v497, %group1.479 ], [ %v492, %across.537 ]
  %v485 = getelementptr float, ptr %ring1, i64 %x.484
  %v486 = load <16 x float>, ptr %v485, align 64
  %v487 = fmul <16 x float> %v486, splat (float 0x3FD546E7E0000000)
  %v490 = getelementptr float, ptr %ring1, i64 %x.484
  %v491 = getelementptr float, ptr %v490, i64 16
  %v492 = load <16 x i32>, ptr %v491, align 64
  %v498 = shufflevector <16 x i32> %here.489, <16 x i32> %v492, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16>
  %v499 = bitcast <16 x i32> %v498 to <16 x float>
  %v500 = shufflevector <16 x i32> %before.488, <16 x i32> %here.489, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v501 = bitcast <16 x i32> %v500 to <16 x float>
  %v502 = fadd <16 x float> %v501, %v499
  %v503 = fmul <16 x float> %v502, splat (float 0x3FCE1217C0000000)
  %v504 = fadd <16 x float> %v503, %v487
  %v505 = shufflevector <16 x i32> %here.489, <16 x i32> %v492, <16 x i32> <i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17>
  %v506 = bitcast <16 x i32> %v505 to <16 x float>
  %v507 = shufflevector <16 x i32> %before.488, <16 x i32> %here.489, <16 x i32> <i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29>
  %v508 = bitcast <16 x i32> %v507 to <16 x float>
  %v509 = fadd <16 x float> %v508, %v506
  %v510 = fmul <16 x float> %v509, splat (float 0x3FB538CAC0000000)
  %v511 = shufflevector <16 x i32> %here.489, <16 x i32> %v492, <16 x i32> <i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18>
  %v512 = bitcast <16 x i32> %v511 to <16 x float>
  %v513 = shufflevector <16 x i32> %before.488, <16 x i32> %here.489, <16 x i32> <i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28>
  %v514 = bitcast <16 x i32> %v513 to <16 x float>
  %v515 = fadd <16 x float> %v514, %v512
  %v516 = fmul <16 x float> %v515, splat (float 0x3F8DEA4020000000)
  %v517 = fadd <16 x float> %v516, %v510
  %v518 = shufflevector <16 x i32> %here.489, <16 x i32> %v492, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19>
  %v519 = bitcast <16 x i32> %v518 to <16 x float>
  %v520 = shufflevector <16 x i32> %before.488, <16 x i32> %here.489, <16 x i32> <i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27>
  %v521 = bitcast <16 x i32> %v520 to <16 x float>
  %v522 = fadd <16 x float> %v521, %v519
  %v523 = fmul <16 x float> %v522, splat (float 0x3F550EAB60000000)
  %v524 = shufflevector <16 x i32> %here.489, <16 x i32> %v492, <16 x i32> <i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20>
  %v525 = bitcast <16 x i32> %v524 to <16 x float>
  %v526 = shufflevector <16 x i32> %before.488, <16 x i32> %here.489, <16 x i32> <i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26>
  %v527 = bitcast <16 x i32> %v526 to <16 x float>
  %v528 = fadd <16 x float> %v527, %v525
  %v529 = fmul <16 x float> %v528, splat (float 0x3F0D9B2EE0000000)
  %v530 = fadd <16 x float> %v529, %v523
  %v531 = fadd <16 x float> %v530, %v517
  %v532 = fadd <16 x float> %v531, %v504
  %v536 = getelementptr float, ptr %ring5.row.535, i64 %x.484
  store <16 x float> %v532, ptr %v536, align 64
  %x.484.next = add nuw nsw i64 %x.484, 16
  %x.484.more = icmp ult i64 %x.484.next, 64
  br i1 %x.484.more, label %across.537, label %across.end.538
across.end.538:
  br label %group1.end.480
group1.end.480:
  ; group 2: output; 0 rows ahead; 0 more above, 0 below
  %r.539 = add nsw i64 %s.40, 0
  %v540 = icmp sge i64 %r.539, %low2
  %v541 = icmp slt i64 %r.539, %high2
  %v542 = and i1 %v540, %v541
  br i1 %v542, label %group2.543, label %group2.end.544
group2.543:
  %v546 = urem i64 %r.539, 10
  %v547 = mul nsw i64 %v546, 112
  %ring5.row.548 = getelementptr float, ptr %ring5, i64 %v547
  %v552 = add i64 %r.539, 1
  %v553 = call i64 @llvm.abs.i64(i64 %v552, i1 false)
  %v554 = sub i64 94, %v553
  %v555 = call i64 @llvm.smin.i64(i64 %v553, i64 %v554)
  %v556 = urem i64 %v555, 10
  %v557 = mul nsw i64 %v556, 112
  %ring5.row.558 = getelementptr float, ptr %ring5, i64 %v557
  %v561 = add i64 %r.539, -1
  %v562 = call i64 @llvm.abs.i64(i64 %v561, i1 false)
  %v563 = sub i64 94, %v562
  %v564 = call i64 @llvm.smin.i64(i64 %v562, i64 %v563)
  %v565 = urem i64 %v564, 10
  %v566 = mul nsw i64 %v565, 112
  %ring5.row.567 = getelementptr float, ptr %ring5, i64 %v566
  %v573 = add i64 %r.539, 2
  %v574 = call i64 @llvm.abs.i64(i64 %v573, i1 false)
  %v575 = sub i64 94, %v574
  %v576 = call i64 @llvm.smin.i64(i64 %v574, i64 %v575)
  %v577 = urem i64 %v576, 10
  %v578 = mul nsw i64 %v577, 112
  %ring5.row.579 = getelementptr float, ptr %ring5, i64 %v578
  %v582 = add i64 %r.539, -2
  %v583 = call i64 @llvm.abs.i64(i64 %v582, i1 false)
  %v584 = sub i64 94, %v583
  %v585 = call i64 @llvm.smin.i64(i64 %v583, i64 %v584)
  %v586 = urem i64 %v585, 10
  %v587 = mul nsw i64 %v586, 112
  %ring5.row.588 = getelementptr float, ptr %ring5, i64 %v587
  %v593 = add i64 %r.539, 3
  %v594 = call i64 @llvm.abs.i64(i64 %v593, i1 false)
  %v595 = sub i64 94, %v594
  %v596 = call i64 @llvm.smin.i64(i64 %v594, i64 %v595)
  %v597 = urem i64 %v596, 10
  %v598 = mul nsw i64 %v597, 112
  %ring5.row.599 = getelementptr float, ptr %ring5, i64 %v598
  %v602 = add i64 %r.539, -3
  %v603 = call i64 @llvm.abs.i64(i64 %v602, i1 false)
  %v604 = sub i64 94, %v603
  %v605 = call i64 @llvm.smin.i64(i64 %v603, i64 %v604)
  %v606 = urem i64 %v605, 10
  %v607 = mul nsw i64 %v606, 112
  %ring5.row.608 = getelementptr float, ptr %ring5, i64 %v607
  %v614 = add i64 %r.539, 4
  %v615 = call i64 @llvm.abs.i64(i64 %v614, i1 false)
  %v616 = sub i64 94, %v615
  %v617 = call i64 @llvm.smin.i64(i64 %v615, i64 %v616)
  %v618 = urem i64 %v617, 10
  %v619 = mul nsw i64 %v618, 112
  %ring5.row.620 = getelementptr float, ptr %ring5, i64 %v619
  %v623 = add i64 %r.539, -4
  %v624 = call i64 @llvm.abs.i64(i64 %v623, i1 false)
  %v625 = sub i64 94, %v624
  %v626 = call i64 @llvm.smin.i64(i64 %v624, i64 %v625)
  %v627 = urem i64 %v626, 10
  %v628 = mul nsw i64 %v627, 112
  %ring5.row.629 = getelementptr float, ptr %ring5, i64 %v628
  %v634 = add i64 %r.539, 5
  %v635 = call i64 @llvm.abs.i64(i64 %v634, i1 false)
  %v636 = sub i64 94, %v635
  %v637 = call i64 @llvm.smin.i64(i64 %v635, i64 %v636)
  %v638 = urem i64 %v637, 10
  %v639 = mul nsw i64 %v638, 112
  %ring5.row.640 = getelementptr float, ptr %ring5, i64 %v639
  %v643 = add i64 %r.539, -5
  %v644 = call i64 @llvm.abs.i64(i64 %v643, i1 false)
  %v645 = sub i64 94, %v644
  %v646 = call i64 @llvm.smin.i64(i64 %v644, i64 %v645)
  %v647 = urem i64 %v646, 10
  %v648 = mul nsw i64 %v647, 112
  %ring5.row.649 = getelementptr float, ptr %ring5, i64 %v648
  %v658 = mul nsw i64 %r.539, 64
  %out.row.659 = getelementptr i8, ptr %output1, i64 %v658
  br label %across.663
across.663:
  %x.545 = phi i64 [ 0, %group2.543 ], [ %x.545.next, %across.663 ]
  %v549 = getelementptr float, ptr %ring5.row.548, i64 %x.545
  %v550 = load <16 x float>, ptr %v549, align 64
  %v551 = fmul <16 x float> %v550, splat (float 0x3FD546E7E0000000)
  %v559 = getelementptr float, ptr %ring5.row.558, i64 %x.545
  %v560 = load <16 x float>, ptr %v559, align 64
  %v568 = getelementptr float, ptr %ring5.row.567, i64 %x.545
  %v569 = load <16 x float>, ptr %v568, align 64
  %v570 = fadd <16 x float> %v569, %v560
  %v571 = fmul <16 x float> %v570, splat (float 0x3FCE1217C0000000)
  %v572 = fadd <16 x float> %v571, %v551
  %v580 = getelementptr float, ptr %ring5.row.579, i64 %x.545
  %v581 = load <16 x float>, ptr %v580, align 64
  %v589 = getelementptr float, ptr %ring5.row.588, i64 %x.545
  %v590 = load <16 x float>, ptr %v589, align 64
  %v591 = fadd <16 x float> %v590, %v581
  %v592 = fmul <16 x float> %v591, splat (float 0x3FB538CAC0000000)
  %v600 = getelementptr float, ptr %ring5.row.599, i64 %x.545
  %v601 = load <16 x float>, ptr %v600, align 64
  %v609 = getelementptr float, ptr %ring5.row.608, i64 %x.545
  %v610 = load <16 x float>, ptr %v609, align 64
  %v611 = fadd <16 x float> %v610, %v601
  %v612 = fmul <16 x float> %v611, splat (float 0x3F8DEA4020000000)
  %v613 = fadd <16 x float> %v612, %v592
  %v621 = getelementptr float, ptr %ring5.row.620, i64 %x.545
  %v622 = load <16 x float>, ptr %v621, align 64
  %v630 = getelementptr float, ptr %ring5.row.629, i64 %x.545
  %v631 = load <16 x float>, ptr %v630, align 64
  %v632 = fadd <16 x float> %v631, %v622
  %v633 = fmul <16 x float> %v632, splat (float 0x3F550EAB60000000)
  %v641 = getelementptr float, ptr %ring5.row.640, i64 %x.545
  %v642 = load <16 x float>, ptr %v641, align 64
  %v650 = getelementptr float, ptr %ring5.row.649, i64 %x.545
  %v651 = load <16 x float>, ptr %v650, align 64
  %v652 = fadd <16 x float> %v651, %v642
  %v653 = fmul <16 x float> %v652, splat (float 0x3F0D9B2EE0000000)
  %v654 = fadd <16 x float> %v653, %v633
  %v655 = fadd <16 x float> %v654, %v613
  %v656 = fadd <16 x float> %v655, %v572
  %v657 = fcmp ole <16 x float> %v656, %v360
  %v660 = getelementptr i8, ptr %out.row.659, i64 %x.545
  %v661 = zext <16 x i1> %v657 to <16 x i8>
  %v662 = getelementptr i8, ptr %v660, i64 128
  call void @llvm.prefetch.p0(ptr %v662, i32 1, i32 3, i32 1)
  store <16 x i8> %v661, ptr %v660, align 1
  %x.545.next = add nuw nsw i64 %x.545, 16
  %x.545.more = icmp ult i64 %x.545.next, 64
  br i1 %x.545.more, label %across.663, label %across.end.664
across.end.664:
  br label %group2.end.544
group2.end.544:
  br label %joined.304
joined.304:
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
