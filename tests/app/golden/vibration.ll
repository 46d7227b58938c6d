; gray+smooth
;
; in0: 64x48 u8
; smooth.out: 64x48 f32, leaves
; pass 0, images of 64x48
;   ring1: f32, 1 row, reflect101 2 px left and 2 px right
;   ring2: f32, 4 rows
;   row y+2, from 2 above the strip to 2 below, 16 pixels a vector:
;     ring1 = f32(in0[y, x])
;   row y+2, from 2 above the strip to 2 below, 16 pixels a vector:
;     t1 = ((ring1[y, x-2] + ring1[y, x+2]) * 0.00026386507670395076) + ((ring1[y, x-1] + ring1[y, x+1]) * 0.10645077377557755)
;     ring2 = t1 + (ring1[y, x] * 0.7865707278251648)
;   row y, 16 pixels a vector:
;     t1 = ((ring2[y-2, x]{reflect101} + ring2[y+2, x]{reflect101}) * 0.00026386507670395076) + ((ring2[y-1, x]{reflect101} + ring2[y+1, x]{reflect101}) * 0.10645077377557755)
;     smooth.out = t1 + (ring2[y, x] * 0.7865707278251648)

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
  %v9 = sub i64 %first_row, 2
  %v10 = add i64 %last_row, 2
  %low0 = call i64 @llvm.smax.i64(i64 %v9, i64 0)
  %high0 = call i64 @llvm.smin.i64(i64 %v10, i64 48)
  %v11 = sub i64 %first_row, 2
  %v12 = add i64 %last_row, 2
  %low1 = call i64 @llvm.smax.i64(i64 %v11, i64 0)
  %high1 = call i64 @llvm.smin.i64(i64 %v12, i64 48)
  %v13 = sub i64 %first_row, 0
  %v14 = add i64 %last_row, 0
  %low2 = call i64 @llvm.smax.i64(i64 %v13, i64 0)
  %high2 = call i64 @llvm.smin.i64(i64 %v14, i64 48)
  %v15 = sub i64 %low0, 2
  %v16 = sub i64 %low1, 2
  %v17 = sub i64 %low2, 0
  %v18 = sub i64 %high0, 2
  %v19 = sub i64 %high1, 2
  %v20 = sub i64 %high2, 0
  %v21 = call i64 @llvm.smin.i64(i64 %v15, i64 %v16)
  %v22 = call i64 @llvm.smin.i64(i64 %v21, i64 %v17)
  %v23 = call i64 @llvm.smax.i64(i64 %v18, i64 %v19)
  %v24 = call i64 @llvm.smax.i64(i64 %v23, i64 %v20)
  %ring1 = getelementptr i8, ptr %scratch, i64 128
  %ring2 = getelementptr i8, ptr %scratch, i64 640
  br label %t.25
t.25:
  %t.28 = phi i64 [ %first_frame, %entry ], [ %t.28.next, %t.next.29 ]
  %v30 = icmp slt i64 %t.28, %last_frame
  br i1 %v30, label %t.do.26, label %t.end.27
t.do.26:
  %v315 = mul i64 %frames, 0
  %v316 = add i64 %v315, %t.28
  %v317 = getelementptr ptr, ptr %images, i64 %v316
  %input0 = load ptr, ptr %v317, align 8
  %v318 = mul i64 %frames, 1
  %v319 = add i64 %v318, %t.28
  %v320 = getelementptr ptr, ptr %images, i64 %v319
  %output0 = load ptr, ptr %v320, align 8
  %v31 = icmp eq i64 %t.28, 0
  %v32 = icmp ne i64 %is_first, 0
  %v33 = and i1 %v31, %v32
  br label %step.34
step.34:
  %s.37 = phi i64 [ %v22, %t.do.26 ], [ %s.37.next, %step.next.38 ]
  %v39 = icmp slt i64 %s.37, %v24
  br i1 %v39, label %step.do.35, label %step.end.36
step.do.35:
  ; group 0: plane ring1; 2 rows ahead; 2 more above, 2 below
  %r.40 = add nsw i64 %s.37, 2
  %v41 = icmp sge i64 %r.40, %low0
  %v42 = icmp slt i64 %r.40, %high0
  %v43 = and i1 %v41, %v42
  br i1 %v43, label %group0.44, label %group0.end.45
group0.44:
  %v46 = icmp sge i64 %r.40, %first_row
  %v47 = icmp slt i64 %r.40, %last_row
  %v48 = and i1 %v46, %v47
  %v50 = mul nsw i64 %r.40, 64
  %in.row.51 = getelementptr i8, ptr %input0, i64 %v50
  br label %across.64
across.64:
  %x.49 = phi i64 [ 0, %group0.44 ], [ %x.49.next, %across.64 ]
  %v52 = getelementptr i8, ptr %in.row.51, i64 %x.49
  %v53 = getelementptr i8, ptr %v52, i64 128
  call void @llvm.prefetch.p0(ptr %v53, i32 0, i32 3, i32 1)
  %v54 = load <16 x i8>, ptr %v52, align 1
  %v55 = zext <16 x i8> %v54 to <16 x i32>
  %v56 = sitofp <16 x i32> %v55 to <16 x float>
  %v57 = getelementptr float, ptr %ring1, i64 %x.49
  store <16 x float> %v56, ptr %v57, align 64
  %v58 = add i64 %x.49, 16
  %v59 = getelementptr i8, ptr %in.row.51, i64 %v58
  %v60 = load <16 x i8>, ptr %v59, align 1
  %v61 = zext <16 x i8> %v60 to <16 x i32>
  %v62 = sitofp <16 x i32> %v61 to <16 x float>
  %v63 = getelementptr float, ptr %ring1, i64 %v58
  store <16 x float> %v62, ptr %v63, align 64
  %x.49.next = add nuw nsw i64 %x.49, 32
  %x.49.more = icmp ult i64 %x.49.next, 64
  br i1 %x.49.more, label %across.64, label %across.end.65
across.end.65:
  %v66 = getelementptr float, ptr %ring1, i64 2
  %v67 = load float, ptr %v66
  %v68 = getelementptr float, ptr %ring1, i64 -2
  store float %v67, ptr %v68
  %v69 = getelementptr float, ptr %ring1, i64 1
  %v70 = load float, ptr %v69
  %v71 = getelementptr float, ptr %ring1, i64 -1
  store float %v70, ptr %v71
  %v72 = getelementptr float, ptr %ring1, i64 62
  %v73 = load float, ptr %v72
  %v74 = getelementptr float, ptr %ring1, i64 64
  store float %v73, ptr %v74
  %v75 = getelementptr float, ptr %ring1, i64 61
  %v76 = load float, ptr %v75
  %v77 = getelementptr float, ptr %ring1, i64 65
  store float %v76, ptr %v77
  br label %group0.end.45
group0.end.45:
  ; group 1: plane ring2; 2 rows ahead; 2 more above, 2 below
  %r.78 = add nsw i64 %s.37, 2
  %v79 = icmp sge i64 %r.78, %low1
  %v80 = icmp slt i64 %r.78, %high1
  %v81 = and i1 %v79, %v80
  ; group 2: output; 0 rows ahead; 0 more above, 0 below
  %r.82 = add nsw i64 %s.37, 0
  %v83 = icmp sge i64 %r.82, %low2
  %v84 = icmp slt i64 %r.82, %high2
  %v85 = and i1 %v83, %v84
  %v86 = icmp sge i64 %r.82, 2
  %v87 = and i1 %v81, %v85
  %v88 = and i1 %v86, %v87
  br i1 %v88, label %together.89, label %apart.90
together.89:
  %v92 = icmp sge i64 %r.78, %first_row
  %v93 = icmp slt i64 %r.78, %last_row
  %v94 = and i1 %v92, %v93
  %v104 = load <16 x i32>, ptr %ring1, align 64
  %v105 = bitcast <16 x i32> %v104 to <16 x float>
  %v106 = shufflevector <16 x float> %v105, <16 x float> poison, <16 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 2, i32 1>
  %v107 = bitcast <16 x float> %v106 to <16 x i32>
  %v108 = load <16 x i32>, ptr %ring1, align 64
  %v162 = urem i64 %r.78, 4
  %v163 = mul nsw i64 %v162, 112
  %ring2.row.164 = getelementptr float, ptr %ring2, i64 %v163
  %v123 = urem i64 %r.82, 4
  %v124 = mul nsw i64 %v123, 112
  %ring2.row.125 = getelementptr float, ptr %ring2, i64 %v124
  %v129 = add i64 %r.82, 1
  %v130 = call i64 @llvm.abs.i64(i64 %v129, i1 false)
  %v131 = sub i64 94, %v130
  %v132 = call i64 @llvm.smin.i64(i64 %v130, i64 %v131)
  %v133 = urem i64 %v132, 4
  %v134 = mul nsw i64 %v133, 112
  %ring2.row.135 = getelementptr float, ptr %ring2, i64 %v134
  %v138 = add i64 %r.82, -1
  %v139 = call i64 @llvm.abs.i64(i64 %v138, i1 false)
  %v140 = sub i64 94, %v139
  %v141 = call i64 @llvm.smin.i64(i64 %v139, i64 %v140)
  %v142 = urem i64 %v141, 4
  %v143 = mul nsw i64 %v142, 112
  %ring2.row.144 = getelementptr float, ptr %ring2, i64 %v143
  %v149 = add i64 %r.82, -2
  %v150 = call i64 @llvm.abs.i64(i64 %v149, i1 false)
  %v151 = sub i64 94, %v150
  %v152 = call i64 @llvm.smin.i64(i64 %v150, i64 %v151)
  %v153 = urem i64 %v152, 4
  %v154 = mul nsw i64 %v153, 112
  %ring2.row.155 = getelementptr float, ptr %ring2, i64 %v154
  %v166 = mul nsw i64 %r.82, 64
  %out.row.167 = getelementptr float, ptr %output0, i64 %v166
  br label %across.209
across.209:
  %x.95 = phi i64 [ 0, %together.89 ], [ %x.95.next, %across.209 ]
  %before.99 = phi <16 x i32> [ %v107, %together.89 ], [ %v103, %across.209 ]
  %here.100 = phi <16 x i32> [ %v108, %together.89 ], [ %v176, %across.209 ]
  %v96 = getelementptr float, ptr %ring1, i64 %x.95
  %v97 = load <16 x float>, ptr %v96, align 64
  %v98 = fmul <16 x float> %v97, splat (float 0x3FE92B9660000000)
  %v101 = getelementptr float, ptr %ring1, i64 %x.95
  %v102 = getelementptr float, ptr %v101, i64 16
  %v103 = load <16 x i32>, ptr %v102, align 64
  %v109 = shufflevector <16 x i32> %here.100, <16 x i32> %v103, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16>
  %v110 = bitcast <16 x i32> %v109 to <16 x float>
  %v111 = shufflevector <16 x i32> %before.99, <16 x i32> %here.100, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v112 = bitcast <16 x i32> %v111 to <16 x float>
  %v113 = fadd <16 x float> %v112, %v110
  %v114 = fmul <16 x float> %v113, splat (float 0x3FBB405BA0000000)
  %v115 = shufflevector <16 x i32> %here.100, <16 x i32> %v103, <16 x i32> <i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17>
  %v116 = bitcast <16 x i32> %v115 to <16 x float>
  %v117 = shufflevector <16 x i32> %before.99, <16 x i32> %here.100, <16 x i32> <i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29>
  %v118 = bitcast <16 x i32> %v117 to <16 x float>
  %v119 = fadd <16 x float> %v118, %v116
  %v120 = fmul <16 x float> %v119, splat (float 0x3F314AEBE0000000)
  %v121 = fadd <16 x float> %v120, %v114
  %v122 = fadd <16 x float> %v121, %v98
  %v126 = getelementptr float, ptr %ring2.row.125, i64 %x.95
  %v127 = load <16 x float>, ptr %v126, align 64
  %v128 = fmul <16 x float> %v127, splat (float 0x3FE92B9660000000)
  %v136 = getelementptr float, ptr %ring2.row.135, i64 %x.95
  %v137 = load <16 x float>, ptr %v136, align 64
  %v145 = getelementptr float, ptr %ring2.row.144, i64 %x.95
  %v146 = load <16 x float>, ptr %v145, align 64
  %v147 = fadd <16 x float> %v146, %v137
  %v148 = fmul <16 x float> %v147, splat (float 0x3FBB405BA0000000)
  %v156 = getelementptr float, ptr %ring2.row.155, i64 %x.95
  %v157 = load <16 x float>, ptr %v156, align 64
  %v158 = fadd <16 x float> %v157, %v122
  %v159 = fmul <16 x float> %v158, splat (float 0x3F314AEBE0000000)
  %v160 = fadd <16 x float> %v159, %v148
  %v161 = fadd <16 x float> %v160, %v128
  %v165 = getelementptr float, ptr %ring2.row.164, i64 %x.95
  store <16 x float> %v122, ptr %v165, align 64
  %v168 = getelementptr float, ptr %out.row.167, i64 %x.95
  %v169 = getelementptr i8, ptr %v168, i64 512
  call void @llvm.prefetch.p0(ptr %v169, i32 1, i32 3, i32 1)
  store <16 x float> %v161, ptr %v168, align 4
  %v170 = add i64 %x.95, 16
  %v171 = getelementptr float, ptr %ring1, i64 %v170
  %v172 = load <16 x float>, ptr %v171, align 64
  %v173 = fmul <16 x float> %v172, splat (float 0x3FE92B9660000000)
  %v174 = getelementptr float, ptr %ring1, i64 %v170
  %v175 = getelementptr float, ptr %v174, i64 16
  %v176 = load <16 x i32>, ptr %v175, align 64
  %v177 = shufflevector <16 x i32> %v103, <16 x i32> %v176, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16>
  %v178 = bitcast <16 x i32> %v177 to <16 x float>
  %v179 = shufflevector <16 x i32> %here.100, <16 x i32> %v103, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v180 = bitcast <16 x i32> %v179 to <16 x float>
  %v181 = fadd <16 x float> %v180, %v178
  %v182 = fmul <16 x float> %v181, splat (float 0x3FBB405BA0000000)
  %v183 = shufflevector <16 x i32> %v103, <16 x i32> %v176, <16 x i32> <i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17>
  %v184 = bitcast <16 x i32> %v183 to <16 x float>
  %v185 = shufflevector <16 x i32> %here.100, <16 x i32> %v103, <16 x i32> <i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29>
  %v186 = bitcast <16 x i32> %v185 to <16 x float>
  %v187 = fadd <16 x float> %v186, %v184
  %v188 = fmul <16 x float> %v187, splat (float 0x3F314AEBE0000000)
  %v189 = fadd <16 x float> %v188, %v182
  %v190 = fadd <16 x float> %v189, %v173
  %v191 = getelementptr float, ptr %ring2.row.125, i64 %v170
  %v192 = load <16 x float>, ptr %v191, align 64
  %v193 = fmul <16 x float> %v192, splat (float 0x3FE92B9660000000)
  %v194 = getelementptr float, ptr %ring2.row.135, i64 %v170
  %v195 = load <16 x float>, ptr %v194, align 64
  %v196 = getelementptr float, ptr %ring2.row.144, i64 %v170
  %v197 = load <16 x float>, ptr %v196, align 64
  %v198 = fadd <16 x float> %v197, %v195
  %v199 = fmul <16 x float> %v198, splat (float 0x3FBB405BA0000000)
  %v200 = getelementptr float, ptr %ring2.row.155, i64 %v170
  %v201 = load <16 x float>, ptr %v200, align 64
  %v202 = fadd <16 x float> %v201, %v190
  %v203 = fmul <16 x float> %v202, splat (float 0x3F314AEBE0000000)
  %v204 = fadd <16 x float> %v203, %v199
  %v205 = fadd <16 x float> %v204, %v193
  %v206 = getelementptr float, ptr %ring2.row.164, i64 %v170
  store <16 x float> %v190, ptr %v206, align 64
  %v207 = getelementptr float, ptr %out.row.167, i64 %v170
  %v208 = getelementptr i8, ptr %v207, i64 512
  call void @llvm.prefetch.p0(ptr %v208, i32 1, i32 3, i32 1)
  store <16 x float> %v205, ptr %v207, align 4
  %x.95.next = add nuw nsw i64 %x.95, 32
  %x.95.more = icmp ult i64 %x.95.next, 64
  br i1 %x.95.more, label %across.209, label %across.end.210
across.end.210:
  br label %joined.91
apart.90:
  ; group 1: plane ring2; 2 rows ahead; 2 more above, 2 below
  %r.211 = add nsw i64 %s.37, 2
  %v212 = icmp sge i64 %r.211, %low1
  %v213 = icmp slt i64 %r.211, %high1
  %v214 = and i1 %v212, %v213
  br i1 %v214, label %group1.215, label %group1.end.216
group1.215:
  %v217 = icmp sge i64 %r.211, %first_row
  %v218 = icmp slt i64 %r.211, %last_row
  %v219 = and i1 %v217, %v218
  %v229 = load <16 x i32>, ptr %ring1, align 64
  %v230 = bitcast <16 x i32> %v229 to <16 x float>
  %v231 = shufflevector <16 x float> %v230, <16 x float> poison, <16 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 2, i32 1>
  %v232 = bitcast <16 x float> %v231 to <16 x i32>
  %v233 = load <16 x i32>, ptr %ring1, align 64
  %v248 = urem i64 %r.211, 4
  %v249 = mul nsw i64 %v248, 112
  %ring2.row.250 = getelementptr float, ptr %ring2, i64 %v249
  br label %across.252
across.252:
  %x.220 = phi i64 [ 0, %group1.215 ], [ %x.220.next, %across.252 ]
  %before.224 = phi <16 x i32> [ %v232, %group1.215 ], [ %here.225, %across.252 ]
  %here.225 = phi <16 x i32> [ %v233, %group1.215 ], [ %v228, %across.252 ]
  %v221 = getelementptr float, ptr %ring1, i64 %x.220
  %v222 = load <16 x float>, ptr %v221, align 64
  %v223 = fmul <16 x float> %v222, splat (float 0x3FE92B9660000000)
  %v226 = getelementptr float, ptr %ring1, i64 %x.220
  %v227 = getelementptr float, ptr %v226, i64 16
  %v228 = load <16 x i32>, ptr %v227, align 64
  %v234 = shufflevector <16 x i32> %here.225, <16 x i32> %v228, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16>
  %v235 = bitcast <16 x i32> %v234 to <16 x float>
  %v236 = shufflevector <16 x i32> %before.224, <16 x i32> %here.225, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v237 = bitcast <16 x i32> %v236 to <16 x float>
  %v238 = fadd <16 x float> %v237, %v235
  %v239 = fmul <16 x float> %v238, splat (float 0x3FBB405BA0000000)
  %v240 = shufflevector <16 x i32> %here.225, <16 x i32> %v228, <16 x i32> <i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17>
  %v241 = bitcast <16 x i32> %v240 to <16 x float>
  %v242 = shufflevector <16 x i32> %before.224, <16 x i32> %here.225, <16 x i32> <i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29>
  %v243 = bitcast <16 x i32> %v242 to <16 x float>
  %v244 = fadd <16 x float> %v243, %v241
  %v245 = fmul <16 x float> %v244, splat (float 0x3F314AEBE0000000)
  %v246 = fadd <16 x float> %v245, %v239
  %v247 = fadd <16 x float> %v246, %v223
  %v251 = getelementptr float, ptr %ring2.row.250, i64 %x.220
  store <16 x float> %v247, ptr %v251, align 64
  %x.220.next = add nuw nsw i64 %x.220, 16
  %x.220.more = icmp ult i64 %x.220.next, 64
  br i1 %x.220.more, label %across.252, label %across.end.253
across.end.253:
  br label %group1.end.216
group1.end.216:
  ; group 2: output; 0 rows ahead; 0 more above, 0 below
  %r.254 = add nsw i64 %s.37, 0
  %v255 = icmp sge i64 %r.254, %low2
  %v256 = icmp slt i64 %r.254, %high2
  %v257 = and i1 %v255, %v256
  br i1 %v257, label %group2.258, label %group2.end.259
group2.258:
  %v261 = urem i64 %r.254, 4
  %v262 = mul nsw i64 %v261, 112
  %ring2.row.263 = getelementptr float, ptr %ring2, i64 %v262
  %v267 = add i64 %r.254, 1
  %v268 = call i64 @llvm.abs.i64(i64 %v267, i1 false)
  %v269 = sub i64 94, %v268
  %v270 = call i64 @llvm.smin.i64(i64 %v268, i64 %v269)
  %v271 = urem i64 %v270, 4
  %v272 = mul nsw i64 %v271, 112
  %ring2.row.273 = getelementptr float, ptr %ring2, i64 %v272
  %v276 = add i64 %r.254, -1
  %v277 = call i64 @llvm.abs.i64(i64 %v276, i1 false)
  %v278 = sub i64 94, %v277
  %v279 = call i64 @llvm.smin.i64(i64 %v277, i64 %v278)
  %v280 = urem i64 %v279, 4
  %v281 = mul nsw i64 %v280, 112
  %ring2.row.282 = getelementptr float, ptr %ring2, i64 %v281
  %v287 = add i64 %r.254, 2
  %v288 = call i64 @llvm.abs.i64(i64 %v287, i1 false)
  %v289 = sub i64 94, %v288
  %v290 = call i64 @llvm.smin.i64(i64 %v288, i64 %v289)
  %v291 = urem i64 %v290, 4
  %v292 = mul nsw i64 %v291, 112
  %ring2.row.293 = getelementptr float, ptr %ring2, i64 %v292
  %v296 = add i64 %r.254, -2
  %v297 = call i64 @llvm.abs.i64(i64 %v296, i1 false)
  %v298 = sub i64 94, %v297
  %v299 = call i64 @llvm.smin.i64(i64 %v297, i64 %v298)
  %v300 = urem i64 %v299, 4
  %v301 = mul nsw i64 %v300, 112
  %ring2.row.302 = getelementptr float, ptr %ring2, i64 %v301
  %v309 = mul nsw i64 %r.254, 64
  %out.row.310 = getelementptr float, ptr %output0, i64 %v309
  br label %across.313
across.313:
  %x.260 = phi i64 [ 0, %group2.258 ], [ %x.260.next, %across.313 ]
  %v264 = getelementptr float, ptr %ring2.row.263, i64 %x.260
  %v265 = load <16 x float>, ptr %v264, align 64
  %v266 = fmul <16 x float> %v265, splat (float 0x3FE92B9660000000)
  %v274 = getelementptr float, ptr %ring2.row.273, i64 %x.260
  %v275 = load <16 x float>, ptr %v274, align 64
  %v283 = getelementptr float, ptr %ring2.row.282, i64 %x.260
  %v284 = load <16 x float>, ptr %v283, align 64
  %v285 = fadd <16 x float> %v284, %v275
  %v286 = fmul <16 x float> %v285, splat (float 0x3FBB405BA0000000)
  %v294 = getelementptr float, ptr %ring2.row.293, i64 %x.260
  %v295 = load <16 x float>, ptr %v294, align 64
  %v303 = getelementptr float, ptr %ring2.row.302, i64 %x.260
  %v304 = load <16 x float>, ptr %v303, align 64
  %v305 = fadd <16 x float> %v304, %v295
  %v306 = fmul <16 x float> %v305, splat (float 0x3F314AEBE0000000)
  %v307 = fadd <16 x float> %v306, %v286
  %v308 = fadd <16 x float> %v307, %v266
  %v311 = getelementptr float, ptr %out.row.310, i64 %x.260
  %v312 = getelementptr i8, ptr %v311, i64 512
  call void @llvm.prefetch.p0(ptr %v312, i32 1, i32 3, i32 1)
  store <16 x float> %v308, ptr %v311, align 4
  %x.260.next = add nuw nsw i64 %x.260, 16
  %x.260.more = icmp ult i64 %x.260.next, 64
  br i1 %x.260.more, label %across.313, label %across.end.314
across.end.314:
  br label %group2.end.259
group2.end.259:
  br label %joined.91
joined.91:
  br label %step.next.38
step.next.38:
  %s.37.next = add nsw i64 %s.37, 1
  br label %step.34
step.end.36:
  br label %t.next.29
t.next.29:
  %t.28.next = add nsw i64 %t.28, 1
  br label %t.25
t.end.27:
  ret void
}

declare i64 @llvm.abs.i64(i64, i1)
declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.smin.i64(i64, i64)
declare void @llvm.prefetch.p0(ptr, i32, i32, i32)
