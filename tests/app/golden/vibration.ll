; gray+smooth
;
; in0: 64x48 u8
; smooth.out: 64x48 f32, leaves
; pass 0, images of 64x48
;   ring1: f32, 1 row, reflect101 3 px left and 3 px right
;   ring2: f32, 6 rows
;   row y+3, from 3 above the strip to 3 below, 16 pixels a vector:
;     ring1 = f32(in0[y, x])
;   row y+3, from 3 above the strip to 3 below, 16 pixels a vector:
;     t1 = ((ring1[y, x-3] * 5.852462345501408e-05) + (ring1[y, x-2] * 0.009618930518627167)) + (ring1[y, x-1] * 0.20539964735507965)
;     t2 = ((t1 + (ring1[y, x] * 0.5698457956314087)) + (ring1[y, x+1] * 0.20539964735507965)) + (ring1[y, x+2] * 0.009618930518627167)
;     ring2 = t2 + (ring1[y, x+3] * 5.852462345501408e-05)
;   row y, 16 pixels a vector:
;     t1 = (ring2[y-3, x]{reflect101} * 5.852462345501408e-05) + (ring2[y-2, x]{reflect101} * 0.009618930518627167)
;     t2 = (t1 + (ring2[y-1, x]{reflect101} * 0.20539964735507965)) + (ring2[y, x] * 0.5698457956314087)
;     t3 = (t2 + (ring2[y+1, x]{reflect101} * 0.20539964735507965)) + (ring2[y+2, x]{reflect101} * 0.009618930518627167)
;     smooth.out = t3 + (ring2[y+3, x]{reflect101} * 5.852462345501408e-05)

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
  %v7 = sub i64 %first_row, 3
  %v8 = add i64 %last_row, 3
  %low0 = call i64 @llvm.smax.i64(i64 %v7, i64 0)
  %high0 = call i64 @llvm.smin.i64(i64 %v8, i64 48)
  %v9 = sub i64 %first_row, 3
  %v10 = add i64 %last_row, 3
  %low1 = call i64 @llvm.smax.i64(i64 %v9, i64 0)
  %high1 = call i64 @llvm.smin.i64(i64 %v10, i64 48)
  %v11 = sub i64 %first_row, 0
  %v12 = add i64 %last_row, 0
  %low2 = call i64 @llvm.smax.i64(i64 %v11, i64 0)
  %high2 = call i64 @llvm.smin.i64(i64 %v12, i64 48)
  %v13 = sub i64 %low0, 3
  %v14 = sub i64 %low1, 3
  %v15 = sub i64 %low2, 0
  %v16 = sub i64 %high0, 3
  %v17 = sub i64 %high1, 3
  %v18 = sub i64 %high2, 0
  %v19 = call i64 @llvm.smin.i64(i64 %v13, i64 %v14)
  %v20 = call i64 @llvm.smin.i64(i64 %v19, i64 %v15)
  %v21 = call i64 @llvm.smax.i64(i64 %v16, i64 %v17)
  %v22 = call i64 @llvm.smax.i64(i64 %v21, i64 %v18)
  %ring1 = getelementptr i8, ptr %scratch, i64 128
  %ring2 = getelementptr i8, ptr %scratch, i64 640
  br label %t.23
t.23:
  %t.26 = phi i64 [ 0, %entry ], [ %t.26.next, %t.next.27 ]
  %v28 = icmp slt i64 %t.26, %frames
  br i1 %v28, label %t.do.24, label %t.end.25
t.do.24:
  %v404 = mul i64 %frames, 0
  %v405 = add i64 %v404, %t.26
  %v406 = getelementptr ptr, ptr %images, i64 %v405
  %input0 = load ptr, ptr %v406, align 8
  %v407 = mul i64 %frames, 1
  %v408 = add i64 %v407, %t.26
  %v409 = getelementptr ptr, ptr %images, i64 %v408
  %output0 = load ptr, ptr %v409, align 8
  %v29 = icmp eq i64 %t.26, 0
  %v30 = icmp ne i64 %is_first, 0
  %v31 = and i1 %v29, %v30
  br label %step.32
step.32:
  %s.35 = phi i64 [ %v20, %t.do.24 ], [ %s.35.next, %step.next.36 ]
  %v37 = icmp slt i64 %s.35, %v22
  br i1 %v37, label %step.do.33, label %step.end.34
step.do.33:
  ; group 0: plane ring1; 3 rows ahead; 3 more above, 3 below
  %r.38 = add nsw i64 %s.35, 3
  %v39 = icmp sge i64 %r.38, %low0
  %v40 = icmp slt i64 %r.38, %high0
  %v41 = and i1 %v39, %v40
  br i1 %v41, label %group0.42, label %group0.end.43
group0.42:
  %v44 = icmp sge i64 %r.38, %first_row
  %v45 = icmp slt i64 %r.38, %last_row
  %v46 = and i1 %v44, %v45
  %v48 = mul nsw i64 %r.38, 64
  %in.row.49 = getelementptr i8, ptr %input0, i64 %v48
  br label %across.62
across.62:
  %x.47 = phi i64 [ 0, %group0.42 ], [ %x.47.next, %across.62 ]
  %v50 = getelementptr i8, ptr %in.row.49, i64 %x.47
  %v51 = getelementptr i8, ptr %v50, i64 128
  call void @llvm.prefetch.p0(ptr %v51, i32 0, i32 3, i32 1)
  %v52 = load <16 x i8>, ptr %v50, align 1
  %v53 = zext <16 x i8> %v52 to <16 x i32>
  %v54 = sitofp <16 x i32> %v53 to <16 x float>
  %v55 = getelementptr float, ptr %ring1, i64 %x.47
  store <16 x float> %v54, ptr %v55, align 64
  %v56 = add i64 %x.47, 16
  %v57 = getelementptr i8, ptr %in.row.49, i64 %v56
  %v58 = load <16 x i8>, ptr %v57, align 1
  %v59 = zext <16 x i8> %v58 to <16 x i32>
  %v60 = sitofp <16 x i32> %v59 to <16 x float>
  %v61 = getelementptr float, ptr %ring1, i64 %v56
  store <16 x float> %v60, ptr %v61, align 64
  %x.47.next = add nuw nsw i64 %x.47, 32
  %x.47.more = icmp ult i64 %x.47.next, 64
  br i1 %x.47.more, label %across.62, label %across.end.63
across.end.63:
  %v64 = getelementptr float, ptr %ring1, i64 3
  %v65 = load float, ptr %v64
  %v66 = getelementptr float, ptr %ring1, i64 -3
  store float %v65, ptr %v66
  %v67 = getelementptr float, ptr %ring1, i64 2
  %v68 = load float, ptr %v67
  %v69 = getelementptr float, ptr %ring1, i64 -2
  store float %v68, ptr %v69
  %v70 = getelementptr float, ptr %ring1, i64 1
  %v71 = load float, ptr %v70
  %v72 = getelementptr float, ptr %ring1, i64 -1
  store float %v71, ptr %v72
  %v73 = getelementptr float, ptr %ring1, i64 62
  %v74 = load float, ptr %v73
  %v75 = getelementptr float, ptr %ring1, i64 64
  store float %v74, ptr %v75
  %v76 = getelementptr float, ptr %ring1, i64 61
  %v77 = load float, ptr %v76
  %v78 = getelementptr float, ptr %ring1, i64 65
  store float %v77, ptr %v78
  %v79 = getelementptr float, ptr %ring1, i64 60
  %v80 = load float, ptr %v79
  %v81 = getelementptr float, ptr %ring1, i64 66
  store float %v80, ptr %v81
  br label %group0.end.43
group0.end.43:
  ; group 1: plane ring2; 3 rows ahead; 3 more above, 3 below
  %r.82 = add nsw i64 %s.35, 3
  %v83 = icmp sge i64 %r.82, %low1
  %v84 = icmp slt i64 %r.82, %high1
  %v85 = and i1 %v83, %v84
  ; group 2: output; 0 rows ahead; 0 more above, 0 below
  %r.86 = add nsw i64 %s.35, 0
  %v87 = icmp sge i64 %r.86, %low2
  %v88 = icmp slt i64 %r.86, %high2
  %v89 = and i1 %v87, %v88
  %v90 = icmp sge i64 %r.86, 3
  %v91 = and i1 %v85, %v89
  %v92 = and i1 %v90, %v91
  br i1 %v92, label %together.93, label %apart.94
together.93:
  %v96 = icmp sge i64 %r.82, %first_row
  %v97 = icmp slt i64 %r.82, %last_row
  %v98 = and i1 %v96, %v97
  %v105 = load <16 x i32>, ptr %ring1, align 64
  %v106 = bitcast <16 x i32> %v105 to <16 x float>
  %v107 = shufflevector <16 x float> %v106, <16 x float> poison, <16 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 3, i32 2, i32 1>
  %v108 = bitcast <16 x float> %v107 to <16 x i32>
  %v109 = load <16 x i32>, ptr %ring1, align 64
  %v199 = urem i64 %r.82, 6
  %v200 = mul nsw i64 %v199, 112
  %ring2.row.201 = getelementptr float, ptr %ring2, i64 %v200
  %v137 = add i64 %r.86, 2
  %v138 = call i64 @llvm.abs.i64(i64 %v137, i1 false)
  %v139 = sub i64 94, %v138
  %v140 = call i64 @llvm.smin.i64(i64 %v138, i64 %v139)
  %v141 = urem i64 %v140, 6
  %v142 = mul nsw i64 %v141, 112
  %ring2.row.143 = getelementptr float, ptr %ring2, i64 %v142
  %v147 = add i64 %r.86, 1
  %v148 = call i64 @llvm.abs.i64(i64 %v147, i1 false)
  %v149 = sub i64 94, %v148
  %v150 = call i64 @llvm.smin.i64(i64 %v148, i64 %v149)
  %v151 = urem i64 %v150, 6
  %v152 = mul nsw i64 %v151, 112
  %ring2.row.153 = getelementptr float, ptr %ring2, i64 %v152
  %v157 = urem i64 %r.86, 6
  %v158 = mul nsw i64 %v157, 112
  %ring2.row.159 = getelementptr float, ptr %ring2, i64 %v158
  %v163 = add i64 %r.86, -1
  %v164 = call i64 @llvm.abs.i64(i64 %v163, i1 false)
  %v165 = sub i64 94, %v164
  %v166 = call i64 @llvm.smin.i64(i64 %v164, i64 %v165)
  %v167 = urem i64 %v166, 6
  %v168 = mul nsw i64 %v167, 112
  %ring2.row.169 = getelementptr float, ptr %ring2, i64 %v168
  %v173 = add i64 %r.86, -2
  %v174 = call i64 @llvm.abs.i64(i64 %v173, i1 false)
  %v175 = sub i64 94, %v174
  %v176 = call i64 @llvm.smin.i64(i64 %v174, i64 %v175)
  %v177 = urem i64 %v176, 6
  %v178 = mul nsw i64 %v177, 112
  %ring2.row.179 = getelementptr float, ptr %ring2, i64 %v178
  %v183 = add i64 %r.86, -3
  %v184 = call i64 @llvm.abs.i64(i64 %v183, i1 false)
  %v185 = sub i64 94, %v184
  %v186 = call i64 @llvm.smin.i64(i64 %v184, i64 %v185)
  %v187 = urem i64 %v186, 6
  %v188 = mul nsw i64 %v187, 112
  %ring2.row.189 = getelementptr float, ptr %ring2, i64 %v188
  %v203 = mul nsw i64 %r.86, 64
  %out.row.204 = getelementptr float, ptr %output0, i64 %v203
  br label %across.265
across.265:
  %x.99 = phi i64 [ 0, %together.93 ], [ %x.99.next, %across.265 ]
  %before.100 = phi <16 x i32> [ %v108, %together.93 ], [ %v104, %across.265 ]
  %here.101 = phi <16 x i32> [ %v109, %together.93 ], [ %v210, %across.265 ]
  %v102 = getelementptr float, ptr %ring1, i64 %x.99
  %v103 = getelementptr float, ptr %v102, i64 16
  %v104 = load <16 x i32>, ptr %v103, align 64
  %v110 = shufflevector <16 x i32> %here.101, <16 x i32> %v104, <16 x i32> <i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18>
  %v111 = bitcast <16 x i32> %v110 to <16 x float>
  %v112 = fmul <16 x float> %v111, splat (float 0x3F0EAF0AC0000000)
  %v113 = shufflevector <16 x i32> %here.101, <16 x i32> %v104, <16 x i32> <i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17>
  %v114 = bitcast <16 x i32> %v113 to <16 x float>
  %v115 = fmul <16 x float> %v114, splat (float 0x3F83B31700000000)
  %v116 = shufflevector <16 x i32> %here.101, <16 x i32> %v104, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16>
  %v117 = bitcast <16 x i32> %v116 to <16 x float>
  %v118 = fmul <16 x float> %v117, splat (float 0x3FCA4A8920000000)
  %v119 = bitcast <16 x i32> %here.101 to <16 x float>
  %v120 = fmul <16 x float> %v119, splat (float 0x3FE23C2D40000000)
  %v121 = shufflevector <16 x i32> %before.100, <16 x i32> %here.101, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v122 = bitcast <16 x i32> %v121 to <16 x float>
  %v123 = fmul <16 x float> %v122, splat (float 0x3FCA4A8920000000)
  %v124 = shufflevector <16 x i32> %before.100, <16 x i32> %here.101, <16 x i32> <i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29>
  %v125 = bitcast <16 x i32> %v124 to <16 x float>
  %v126 = fmul <16 x float> %v125, splat (float 0x3F83B31700000000)
  %v127 = shufflevector <16 x i32> %before.100, <16 x i32> %here.101, <16 x i32> <i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28>
  %v128 = bitcast <16 x i32> %v127 to <16 x float>
  %v129 = fmul <16 x float> %v128, splat (float 0x3F0EAF0AC0000000)
  %v130 = fadd <16 x float> %v129, %v126
  %v131 = fadd <16 x float> %v130, %v123
  %v132 = fadd <16 x float> %v131, %v120
  %v133 = fadd <16 x float> %v132, %v118
  %v134 = fadd <16 x float> %v133, %v115
  %v135 = fadd <16 x float> %v134, %v112
  %v136 = fmul <16 x float> %v135, splat (float 0x3F0EAF0AC0000000)
  %v144 = getelementptr float, ptr %ring2.row.143, i64 %x.99
  %v145 = load <16 x float>, ptr %v144, align 64
  %v146 = fmul <16 x float> %v145, splat (float 0x3F83B31700000000)
  %v154 = getelementptr float, ptr %ring2.row.153, i64 %x.99
  %v155 = load <16 x float>, ptr %v154, align 64
  %v156 = fmul <16 x float> %v155, splat (float 0x3FCA4A8920000000)
  %v160 = getelementptr float, ptr %ring2.row.159, i64 %x.99
  %v161 = load <16 x float>, ptr %v160, align 64
  %v162 = fmul <16 x float> %v161, splat (float 0x3FE23C2D40000000)
  %v170 = getelementptr float, ptr %ring2.row.169, i64 %x.99
  %v171 = load <16 x float>, ptr %v170, align 64
  %v172 = fmul <16 x float> %v171, splat (float 0x3FCA4A8920000000)
  %v180 = getelementptr float, ptr %ring2.row.179, i64 %x.99
  %v181 = load <16 x float>, ptr %v180, align 64
  %v182 = fmul <16 x float> %v181, splat (float 0x3F83B31700000000)
  %v190 = getelementptr float, ptr %ring2.row.189, i64 %x.99
  %v191 = load <16 x float>, ptr %v190, align 64
  %v192 = fmul <16 x float> %v191, splat (float 0x3F0EAF0AC0000000)
  %v193 = fadd <16 x float> %v192, %v182
  %v194 = fadd <16 x float> %v193, %v172
  %v195 = fadd <16 x float> %v194, %v162
  %v196 = fadd <16 x float> %v195, %v156
  %v197 = fadd <16 x float> %v196, %v146
  %v198 = fadd <16 x float> %v197, %v136
  %v202 = getelementptr float, ptr %ring2.row.201, i64 %x.99
  store <16 x float> %v135, ptr %v202, align 64
  %v205 = getelementptr float, ptr %out.row.204, i64 %x.99
  %v206 = getelementptr i8, ptr %v205, i64 512
  call void @llvm.prefetch.p0(ptr %v206, i32 1, i32 3, i32 1)
  store <16 x float> %v198, ptr %v205, align 4
  %v207 = add i64 %x.99, 16
  %v208 = getelementptr float, ptr %ring1, i64 %v207
  %v209 = getelementptr float, ptr %v208, i64 16
  %v210 = load <16 x i32>, ptr %v209, align 64
  %v211 = shufflevector <16 x i32> %v104, <16 x i32> %v210, <16 x i32> <i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18>
  %v212 = bitcast <16 x i32> %v211 to <16 x float>
  %v213 = fmul <16 x float> %v212, splat (float 0x3F0EAF0AC0000000)
  %v214 = shufflevector <16 x i32> %v104, <16 x i32> %v210, <16 x i32> <i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17>
  %v215 = bitcast <16 x i32> %v214 to <16 x float>
  %v216 = fmul <16 x float> %v215, splat (float 0x3F83B31700000000)
  %v217 = shufflevector <16 x i32> %v104, <16 x i32> %v210, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16>
  %v218 = bitcast <16 x i32> %v217 to <16 x float>
  %v219 = fmul <16 x float> %v218, splat (float 0x3FCA4A8920000000)
  %v220 = bitcast <16 x i32> %v104 to <16 x float>
  %v221 = fmul <16 x float> %v220, splat (float 0x3FE23C2D40000000)
  %v222 = shufflevector <16 x i32> %here.101, <16 x i32> %v104, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v223 = bitcast <16 x i32> %v222 to <16 x float>
  %v224 = fmul <16 x float> %v223, splat (float 0x3FCA4A8920000000)
  %v225 = shufflevector <16 x i32> %here.101, <16 x i32> %v104, <16 x i32> <i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29>
  %v226 = bitcast <16 x i32> %v225 to <16 x float>
  %v227 = fmul <16 x float> %v226, splat (float 0x3F83B31700000000)
  %v228 = shufflevector <16 x i32> %here.101, <16 x i32> %v104, <16 x i32> <i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28>
  %v229 = bitcast <16 x i32> %v228 to <16 x float>
  %v230 = fmul <16 x float> %v229, splat (float 0x3F0EAF0AC0000000)
  %v231 = fadd <16 x float> %v230, %v227
  %v232 = fadd <16 x float> %v231, %v224
  %v233 = fadd <16 x float> %v232, %v221
  %v234 = fadd <16 x float> %v233, %v219
  %v235 = fadd <16 x float> %v234, %v216
  %v236 = fadd <16 x float> %v235, %v213
  %v237 = fmul <16 x float> %v236, splat (float 0x3F0EAF0AC0000000)
  %v238 = getelementptr float, ptr %ring2.row.143, i64 %v207
  %v239 = load <16 x float>, ptr %v238, align 64
  %v240 = fmul <16 x float> %v239, splat (float 0x3F83B31700000000)
  %v241 = getelementptr float, ptr %ring2.row.153, i64 %v207
  %v242 = load <16 x float>, ptr %v241, align 64
  %v243 = fmul <16 x float> %v242, splat (float 0x3FCA4A8920000000)
  %v244 = getelementptr float, ptr %ring2.row.159, i64 %v207
  %v245 = load <16 x float>, ptr %v244, align 64
  %v246 = fmul <16 x float> %v245, splat (float 0x3FE23C2D40000000)
  %v247 = getelementptr float, ptr %ring2.row.169, i64 %v207
  %v248 = load <16 x float>, ptr %v247, align 64
  %v249 = fmul <16 x float> %v248, splat (float 0x3FCA4A8920000000)
  %v250 = getelementptr float, ptr %ring2.row.179, i64 %v207
  %v251 = load <16 x float>, ptr %v250, align 64
  %v252 = fmul <16 x float> %v251, splat (float 0x3F83B31700000000)
  %v253 = getelementptr float, ptr %ring2.row.189, i64 %v207
  %v254 = load <16 x float>, ptr %v253, align 64
  %v255 = fmul <16 x float> %v254, splat (float 0x3F0EAF0AC0000000)
  %v256 = fadd <16 x float> %v255, %v252
  %v257 = fadd <16 x float> %v256, %v249
  %v258 = fadd <16 x float> %v257, %v246
  %v259 = fadd <16 x float> %v258, %v243
  %v260 = fadd <16 x float> %v259, %v240
  %v261 = fadd <16 x float> %v260, %v237
  %v262 = getelementptr float, ptr %ring2.row.201, i64 %v207
  store <16 x float> %v236, ptr %v262, align 64
  %v263 = getelementptr float, ptr %out.row.204, i64 %v207
  %v264 = getelementptr i8, ptr %v263, i64 512
  call void @llvm.prefetch.p0(ptr %v264, i32 1, i32 3, i32 1)
  store <16 x float> %v261, ptr %v263, align 4
  %x.99.next = add nuw nsw i64 %x.99, 32
  %x.99.more = icmp ult i64 %x.99.next, 64
  br i1 %x.99.more, label %across.265, label %across.end.266
across.end.266:
  br label %joined.95
apart.94:
  ; group 1: plane ring2; 3 rows ahead; 3 more above, 3 below
  %r.267 = add nsw i64 %s.35, 3
  %v268 = icmp sge i64 %r.267, %low1
  %v269 = icmp slt i64 %r.267, %high1
  %v270 = and i1 %v268, %v269
  br i1 %v270, label %group1.271, label %group1.end.272
group1.271:
  %v273 = icmp sge i64 %r.267, %first_row
  %v274 = icmp slt i64 %r.267, %last_row
  %v275 = and i1 %v273, %v274
  %v282 = load <16 x i32>, ptr %ring1, align 64
  %v283 = bitcast <16 x i32> %v282 to <16 x float>
  %v284 = shufflevector <16 x float> %v283, <16 x float> poison, <16 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 3, i32 2, i32 1>
  %v285 = bitcast <16 x float> %v284 to <16 x i32>
  %v286 = load <16 x i32>, ptr %ring1, align 64
  %v313 = urem i64 %r.267, 6
  %v314 = mul nsw i64 %v313, 112
  %ring2.row.315 = getelementptr float, ptr %ring2, i64 %v314
  br label %across.317
across.317:
  %x.276 = phi i64 [ 0, %group1.271 ], [ %x.276.next, %across.317 ]
  %before.277 = phi <16 x i32> [ %v285, %group1.271 ], [ %here.278, %across.317 ]
  %here.278 = phi <16 x i32> [ %v286, %group1.271 ], [ %v281, %across.317 ]
  %v279 = getelementptr float, ptr %ring1, i64 %x.276
  %v280 = getelementptr float, ptr %v279, i64 16
  %v281 = load <16 x i32>, ptr %v280, align 64
  %v287 = shufflevector <16 x i32> %here.278, <16 x i32> %v281, <16 x i32> <i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18>
  %v288 = bitcast <16 x i32> %v287 to <16 x float>
  %v289 = fmul <16 x float> %v288, splat (float 0x3F0EAF0AC0000000)
  %v290 = shufflevector <16 x i32> %here.278, <16 x i32> %v281, <16 x i32> <i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17>
  %v291 = bitcast <16 x i32> %v290 to <16 x float>
  %v292 = fmul <16 x float> %v291, splat (float 0x3F83B31700000000)
  %v293 = shufflevector <16 x i32> %here.278, <16 x i32> %v281, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16>
  %v294 = bitcast <16 x i32> %v293 to <16 x float>
  %v295 = fmul <16 x float> %v294, splat (float 0x3FCA4A8920000000)
  %v296 = bitcast <16 x i32> %here.278 to <16 x float>
  %v297 = fmul <16 x float> %v296, splat (float 0x3FE23C2D40000000)
  %v298 = shufflevector <16 x i32> %before.277, <16 x i32> %here.278, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v299 = bitcast <16 x i32> %v298 to <16 x float>
  %v300 = fmul <16 x float> %v299, splat (float 0x3FCA4A8920000000)
  %v301 = shufflevector <16 x i32> %before.277, <16 x i32> %here.278, <16 x i32> <i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29>
  %v302 = bitcast <16 x i32> %v301 to <16 x float>
  %v303 = fmul <16 x float> %v302, splat (float 0x3F83B31700000000)
  %v304 = shufflevector <16 x i32> %before.277, <16 x i32> %here.278, <16 x i32> <i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28>
  %v305 = bitcast <16 x i32> %v304 to <16 x float>
  %v306 = fmul <16 x float> %v305, splat (float 0x3F0EAF0AC0000000)
  %v307 = fadd <16 x float> %v306, %v303
  %v308 = fadd <16 x float> %v307, %v300
  %v309 = fadd <16 x float> %v308, %v297
  %v310 = fadd <16 x float> %v309, %v295
  %v311 = fadd <16 x float> %v310, %v292
  %v312 = fadd <16 x float> %v311, %v289
  %v316 = getelementptr float, ptr %ring2.row.315, i64 %x.276
  store <16 x float> %v312, ptr %v316, align 64
  %x.276.next = add nuw nsw i64 %x.276, 16
  %x.276.more = icmp ult i64 %x.276.next, 64
  br i1 %x.276.more, label %across.317, label %across.end.318
across.end.318:
  br label %group1.end.272
group1.end.272:
  ; group 2: output; 0 rows ahead; 0 more above, 0 below
  %r.319 = add nsw i64 %s.35, 0
  %v320 = icmp sge i64 %r.319, %low2
  %v321 = icmp slt i64 %r.319, %high2
  %v322 = and i1 %v320, %v321
  br i1 %v322, label %group2.323, label %group2.end.324
group2.323:
  %v326 = add i64 %r.319, 3
  %v327 = call i64 @llvm.abs.i64(i64 %v326, i1 false)
  %v328 = sub i64 94, %v327
  %v329 = call i64 @llvm.smin.i64(i64 %v327, i64 %v328)
  %v330 = urem i64 %v329, 6
  %v331 = mul nsw i64 %v330, 112
  %ring2.row.332 = getelementptr float, ptr %ring2, i64 %v331
  %v336 = add i64 %r.319, 2
  %v337 = call i64 @llvm.abs.i64(i64 %v336, i1 false)
  %v338 = sub i64 94, %v337
  %v339 = call i64 @llvm.smin.i64(i64 %v337, i64 %v338)
  %v340 = urem i64 %v339, 6
  %v341 = mul nsw i64 %v340, 112
  %ring2.row.342 = getelementptr float, ptr %ring2, i64 %v341
  %v346 = add i64 %r.319, 1
  %v347 = call i64 @llvm.abs.i64(i64 %v346, i1 false)
  %v348 = sub i64 94, %v347
  %v349 = call i64 @llvm.smin.i64(i64 %v347, i64 %v348)
  %v350 = urem i64 %v349, 6
  %v351 = mul nsw i64 %v350, 112
  %ring2.row.352 = getelementptr float, ptr %ring2, i64 %v351
  %v356 = urem i64 %r.319, 6
  %v357 = mul nsw i64 %v356, 112
  %ring2.row.358 = getelementptr float, ptr %ring2, i64 %v357
  %v362 = add i64 %r.319, -1
  %v363 = call i64 @llvm.abs.i64(i64 %v362, i1 false)
  %v364 = sub i64 94, %v363
  %v365 = call i64 @llvm.smin.i64(i64 %v363, i64 %v364)
  %v366 = urem i64 %v365, 6
  %v367 = mul nsw i64 %v366, 112
  %ring2.row.368 = getelementptr float, ptr %ring2, i64 %v367
  %v372 = add i64 %r.319, -2
  %v373 = call i64 @llvm.abs.i64(i64 %v372, i1 false)
  %v374 = sub i64 94, %v373
  %v375 = call i64 @llvm.smin.i64(i64 %v373, i64 %v374)
  %v376 = urem i64 %v375, 6
  %v377 = mul nsw i64 %v376, 112
  %ring2.row.378 = getelementptr float, ptr %ring2, i64 %v377
  %v382 = add i64 %r.319, -3
  %v383 = call i64 @llvm.abs.i64(i64 %v382, i1 false)
  %v384 = sub i64 94, %v383
  %v385 = call i64 @llvm.smin.i64(i64 %v383, i64 %v384)
  %v386 = urem i64 %v385, 6
  %v387 = mul nsw i64 %v386, 112
  %ring2.row.388 = getelementptr float, ptr %ring2, i64 %v387
  %v398 = mul nsw i64 %r.319, 64
  %out.row.399 = getelementptr float, ptr %output0, i64 %v398
  br label %across.402
across.402:
  %x.325 = phi i64 [ 0, %group2.323 ], [ %x.325.next, %across.402 ]
  %v333 = getelementptr float, ptr %ring2.row.332, i64 %x.325
  %v334 = load <16 x float>, ptr %v333, align 64
  %v335 = fmul <16 x float> %v334, splat (float 0x3F0EAF0AC0000000)
  %v343 = getelementptr float, ptr %ring2.row.342, i64 %x.325
  %v344 = load <16 x float>, ptr %v343, align 64
  %v345 = fmul <16 x float> %v344, splat (float 0x3F83B31700000000)
  %v353 = getelementptr float, ptr %ring2.row.352, i64 %x.325
  %v354 = load <16 x float>, ptr %v353, align 64
  %v355 = fmul <16 x float> %v354, splat (float 0x3FCA4A8920000000)
  %v359 = getelementptr float, ptr %ring2.row.358, i64 %x.325
  %v360 = load <16 x float>, ptr %v359, align 64
  %v361 = fmul <16 x float> %v360, splat (float 0x3FE23C2D40000000)
  %v369 = getelementptr float, ptr %ring2.row.368, i64 %x.325
  %v370 = load <16 x float>, ptr %v369, align 64
  %v371 = fmul <16 x float> %v370, splat (float 0x3FCA4A8920000000)
  %v379 = getelementptr float, ptr %ring2.row.378, i64 %x.325
  %v380 = load <16 x float>, ptr %v379, align 64
  %v381 = fmul <16 x float> %v380, splat (float 0x3F83B31700000000)
  %v389 = getelementptr float, ptr %ring2.row.388, i64 %x.325
  %v390 = load <16 x float>, ptr %v389, align 64
  %v391 = fmul <16 x float> %v390, splat (float 0x3F0EAF0AC0000000)
  %v392 = fadd <16 x float> %v391, %v381
  %v393 = fadd <16 x float> %v392, %v371
  %v394 = fadd <16 x float> %v393, %v361
  %v395 = fadd <16 x float> %v394, %v355
  %v396 = fadd <16 x float> %v395, %v345
  %v397 = fadd <16 x float> %v396, %v335
  %v400 = getelementptr float, ptr %out.row.399, i64 %x.325
  %v401 = getelementptr i8, ptr %v400, i64 512
  call void @llvm.prefetch.p0(ptr %v401, i32 1, i32 3, i32 1)
  store <16 x float> %v397, ptr %v400, align 4
  %x.325.next = add nuw nsw i64 %x.325, 16
  %x.325.more = icmp ult i64 %x.325.next, 64
  br i1 %x.325.more, label %across.402, label %across.end.403
across.end.403:
  br label %group2.end.324
group2.end.324:
  br label %joined.95
joined.95:
  br label %step.next.36
step.next.36:
  %s.35.next = add nsw i64 %s.35, 1
  br label %step.32
step.end.34:
  br label %t.next.27
t.next.27:
  %t.26.next = add nsw i64 %t.26, 1
  br label %t.23
t.end.25:
  ret void
}

declare i64 @llvm.abs.i64(i64, i1)
declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.smin.i64(i64, i64)
declare void @llvm.prefetch.p0(ptr, i32, i32, i32)
