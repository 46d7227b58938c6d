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
;     t1 = ((ring1[y, x-3] + ring1[y, x+3]) * 5.852462345501408e-05) + ((ring1[y, x-2] + ring1[y, x+2]) * 0.009618930518627167)
;     t2 = ((ring1[y, x-1] + ring1[y, x+1]) * 0.20539964735507965) + (ring1[y, x] * 0.5698457956314087)
;     ring2 = t1 + t2
;   row y, 16 pixels a vector:
;     t1 = ((ring2[y-3, x]{reflect101} + ring2[y+3, x]{reflect101}) * 5.852462345501408e-05) + ((ring2[y-2, x]{reflect101} + ring2[y+2, x]{reflect101}) * 0.009618930518627167)
;     t2 = ((ring2[y-1, x]{reflect101} + ring2[y+1, x]{reflect101}) * 0.20539964735507965) + (ring2[y, x] * 0.5698457956314087)
;     smooth.out = t1 + t2

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
  %v389 = mul i64 %frames, 0
  %v390 = add i64 %v389, %t.26
  %v391 = getelementptr ptr, ptr %images, i64 %v390
  %input0 = load ptr, ptr %v391, align 8
  %v392 = mul i64 %frames, 1
  %v393 = add i64 %v392, %t.26
  %v394 = getelementptr ptr, ptr %images, i64 %v393
  %output0 = load ptr, ptr %v394, align 8
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
  %v108 = load <16 x i32>, ptr %ring1, align 64
  %v109 = bitcast <16 x i32> %v108 to <16 x float>
  %v110 = shufflevector <16 x float> %v109, <16 x float> poison, <16 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 3, i32 2, i32 1>
  %v111 = bitcast <16 x float> %v110 to <16 x i32>
  %v112 = load <16 x i32>, ptr %ring1, align 64
  %v194 = urem i64 %r.82, 6
  %v195 = mul nsw i64 %v194, 112
  %ring2.row.196 = getelementptr float, ptr %ring2, i64 %v195
  %v134 = urem i64 %r.86, 6
  %v135 = mul nsw i64 %v134, 112
  %ring2.row.136 = getelementptr float, ptr %ring2, i64 %v135
  %v140 = add i64 %r.86, 1
  %v141 = call i64 @llvm.abs.i64(i64 %v140, i1 false)
  %v142 = sub i64 94, %v141
  %v143 = call i64 @llvm.smin.i64(i64 %v141, i64 %v142)
  %v144 = urem i64 %v143, 6
  %v145 = mul nsw i64 %v144, 112
  %ring2.row.146 = getelementptr float, ptr %ring2, i64 %v145
  %v149 = add i64 %r.86, -1
  %v150 = call i64 @llvm.abs.i64(i64 %v149, i1 false)
  %v151 = sub i64 94, %v150
  %v152 = call i64 @llvm.smin.i64(i64 %v150, i64 %v151)
  %v153 = urem i64 %v152, 6
  %v154 = mul nsw i64 %v153, 112
  %ring2.row.155 = getelementptr float, ptr %ring2, i64 %v154
  %v161 = add i64 %r.86, 2
  %v162 = call i64 @llvm.abs.i64(i64 %v161, i1 false)
  %v163 = sub i64 94, %v162
  %v164 = call i64 @llvm.smin.i64(i64 %v162, i64 %v163)
  %v165 = urem i64 %v164, 6
  %v166 = mul nsw i64 %v165, 112
  %ring2.row.167 = getelementptr float, ptr %ring2, i64 %v166
  %v170 = add i64 %r.86, -2
  %v171 = call i64 @llvm.abs.i64(i64 %v170, i1 false)
  %v172 = sub i64 94, %v171
  %v173 = call i64 @llvm.smin.i64(i64 %v171, i64 %v172)
  %v174 = urem i64 %v173, 6
  %v175 = mul nsw i64 %v174, 112
  %ring2.row.176 = getelementptr float, ptr %ring2, i64 %v175
  %v181 = add i64 %r.86, -3
  %v182 = call i64 @llvm.abs.i64(i64 %v181, i1 false)
  %v183 = sub i64 94, %v182
  %v184 = call i64 @llvm.smin.i64(i64 %v182, i64 %v183)
  %v185 = urem i64 %v184, 6
  %v186 = mul nsw i64 %v185, 112
  %ring2.row.187 = getelementptr float, ptr %ring2, i64 %v186
  %v198 = mul nsw i64 %r.86, 64
  %out.row.199 = getelementptr float, ptr %output0, i64 %v198
  br label %across.255
across.255:
  %x.99 = phi i64 [ 0, %together.93 ], [ %x.99.next, %across.255 ]
  %before.103 = phi <16 x i32> [ %v111, %together.93 ], [ %v107, %across.255 ]
  %here.104 = phi <16 x i32> [ %v112, %together.93 ], [ %v208, %across.255 ]
  %v100 = getelementptr float, ptr %ring1, i64 %x.99
  %v101 = load <16 x float>, ptr %v100, align 64
  %v102 = fmul <16 x float> %v101, splat (float 0x3FE23C2D40000000)
  %v105 = getelementptr float, ptr %ring1, i64 %x.99
  %v106 = getelementptr float, ptr %v105, i64 16
  %v107 = load <16 x i32>, ptr %v106, align 64
  %v113 = shufflevector <16 x i32> %here.104, <16 x i32> %v107, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16>
  %v114 = bitcast <16 x i32> %v113 to <16 x float>
  %v115 = shufflevector <16 x i32> %before.103, <16 x i32> %here.104, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v116 = bitcast <16 x i32> %v115 to <16 x float>
  %v117 = fadd <16 x float> %v116, %v114
  %v118 = fmul <16 x float> %v117, splat (float 0x3FCA4A8920000000)
  %v119 = fadd <16 x float> %v118, %v102
  %v120 = shufflevector <16 x i32> %here.104, <16 x i32> %v107, <16 x i32> <i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17>
  %v121 = bitcast <16 x i32> %v120 to <16 x float>
  %v122 = shufflevector <16 x i32> %before.103, <16 x i32> %here.104, <16 x i32> <i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29>
  %v123 = bitcast <16 x i32> %v122 to <16 x float>
  %v124 = fadd <16 x float> %v123, %v121
  %v125 = fmul <16 x float> %v124, splat (float 0x3F83B31700000000)
  %v126 = shufflevector <16 x i32> %here.104, <16 x i32> %v107, <16 x i32> <i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18>
  %v127 = bitcast <16 x i32> %v126 to <16 x float>
  %v128 = shufflevector <16 x i32> %before.103, <16 x i32> %here.104, <16 x i32> <i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28>
  %v129 = bitcast <16 x i32> %v128 to <16 x float>
  %v130 = fadd <16 x float> %v129, %v127
  %v131 = fmul <16 x float> %v130, splat (float 0x3F0EAF0AC0000000)
  %v132 = fadd <16 x float> %v131, %v125
  %v133 = fadd <16 x float> %v132, %v119
  %v137 = getelementptr float, ptr %ring2.row.136, i64 %x.99
  %v138 = load <16 x float>, ptr %v137, align 64
  %v139 = fmul <16 x float> %v138, splat (float 0x3FE23C2D40000000)
  %v147 = getelementptr float, ptr %ring2.row.146, i64 %x.99
  %v148 = load <16 x float>, ptr %v147, align 64
  %v156 = getelementptr float, ptr %ring2.row.155, i64 %x.99
  %v157 = load <16 x float>, ptr %v156, align 64
  %v158 = fadd <16 x float> %v157, %v148
  %v159 = fmul <16 x float> %v158, splat (float 0x3FCA4A8920000000)
  %v160 = fadd <16 x float> %v159, %v139
  %v168 = getelementptr float, ptr %ring2.row.167, i64 %x.99
  %v169 = load <16 x float>, ptr %v168, align 64
  %v177 = getelementptr float, ptr %ring2.row.176, i64 %x.99
  %v178 = load <16 x float>, ptr %v177, align 64
  %v179 = fadd <16 x float> %v178, %v169
  %v180 = fmul <16 x float> %v179, splat (float 0x3F83B31700000000)
  %v188 = getelementptr float, ptr %ring2.row.187, i64 %x.99
  %v189 = load <16 x float>, ptr %v188, align 64
  %v190 = fadd <16 x float> %v189, %v133
  %v191 = fmul <16 x float> %v190, splat (float 0x3F0EAF0AC0000000)
  %v192 = fadd <16 x float> %v191, %v180
  %v193 = fadd <16 x float> %v192, %v160
  %v197 = getelementptr float, ptr %ring2.row.196, i64 %x.99
  store <16 x float> %v133, ptr %v197, align 64
  %v200 = getelementptr float, ptr %out.row.199, i64 %x.99
  %v201 = getelementptr i8, ptr %v200, i64 512
  call void @llvm.prefetch.p0(ptr %v201, i32 1, i32 3, i32 1)
  store <16 x float> %v193, ptr %v200, align 4
  %v202 = add i64 %x.99, 16
  %v203 = getelementptr float, ptr %ring1, i64 %v202
  %v204 = load <16 x float>, ptr %v203, align 64
  %v205 = fmul <16 x float> %v204, splat (float 0x3FE23C2D40000000)
  %v206 = getelementptr float, ptr %ring1, i64 %v202
  %v207 = getelementptr float, ptr %v206, i64 16
  %v208 = load <16 x i32>, ptr %v207, align 64
  %v209 = shufflevector <16 x i32> %v107, <16 x i32> %v208, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16>
  %v210 = bitcast <16 x i32> %v209 to <16 x float>
  %v211 = shufflevector <16 x i32> %here.104, <16 x i32> %v107, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v212 = bitcast <16 x i32> %v211 to <16 x float>
  %v213 = fadd <16 x float> %v212, %v210
  %v214 = fmul <16 x float> %v213, splat (float 0x3FCA4A8920000000)
  %v215 = fadd <16 x float> %v214, %v205
  %v216 = shufflevector <16 x i32> %v107, <16 x i32> %v208, <16 x i32> <i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17>
  %v217 = bitcast <16 x i32> %v216 to <16 x float>
  %v218 = shufflevector <16 x i32> %here.104, <16 x i32> %v107, <16 x i32> <i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29>
  %v219 = bitcast <16 x i32> %v218 to <16 x float>
  %v220 = fadd <16 x float> %v219, %v217
  %v221 = fmul <16 x float> %v220, splat (float 0x3F83B31700000000)
  %v222 = shufflevector <16 x i32> %v107, <16 x i32> %v208, <16 x i32> <i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18>
  %v223 = bitcast <16 x i32> %v222 to <16 x float>
  %v224 = shufflevector <16 x i32> %here.104, <16 x i32> %v107, <16 x i32> <i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28>
  %v225 = bitcast <16 x i32> %v224 to <16 x float>
  %v226 = fadd <16 x float> %v225, %v223
  %v227 = fmul <16 x float> %v226, splat (float 0x3F0EAF0AC0000000)
  %v228 = fadd <16 x float> %v227, %v221
  %v229 = fadd <16 x float> %v228, %v215
  %v230 = getelementptr float, ptr %ring2.row.136, i64 %v202
  %v231 = load <16 x float>, ptr %v230, align 64
  %v232 = fmul <16 x float> %v231, splat (float 0x3FE23C2D40000000)
  %v233 = getelementptr float, ptr %ring2.row.146, i64 %v202
  %v234 = load <16 x float>, ptr %v233, align 64
  %v235 = getelementptr float, ptr %ring2.row.155, i64 %v202
  %v236 = load <16 x float>, ptr %v235, align 64
  %v237 = fadd <16 x float> %v236, %v234
  %v238 = fmul <16 x float> %v237, splat (float 0x3FCA4A8920000000)
  %v239 = fadd <16 x float> %v238, %v232
  %v240 = getelementptr float, ptr %ring2.row.167, i64 %v202
  %v241 = load <16 x float>, ptr %v240, align 64
  %v242 = getelementptr float, ptr %ring2.row.176, i64 %v202
  %v243 = load <16 x float>, ptr %v242, align 64
  %v244 = fadd <16 x float> %v243, %v241
  %v245 = fmul <16 x float> %v244, splat (float 0x3F83B31700000000)
  %v246 = getelementptr float, ptr %ring2.row.187, i64 %v202
  %v247 = load <16 x float>, ptr %v246, align 64
  %v248 = fadd <16 x float> %v247, %v229
  %v249 = fmul <16 x float> %v248, splat (float 0x3F0EAF0AC0000000)
  %v250 = fadd <16 x float> %v249, %v245
  %v251 = fadd <16 x float> %v250, %v239
  %v252 = getelementptr float, ptr %ring2.row.196, i64 %v202
  store <16 x float> %v229, ptr %v252, align 64
  %v253 = getelementptr float, ptr %out.row.199, i64 %v202
  %v254 = getelementptr i8, ptr %v253, i64 512
  call void @llvm.prefetch.p0(ptr %v254, i32 1, i32 3, i32 1)
  store <16 x float> %v251, ptr %v253, align 4
  %x.99.next = add nuw nsw i64 %x.99, 32
  %x.99.more = icmp ult i64 %x.99.next, 64
  br i1 %x.99.more, label %across.255, label %across.end.256
across.end.256:
  br label %joined.95
apart.94:
  ; group 1: plane ring2; 3 rows ahead; 3 more above, 3 below
  %r.257 = add nsw i64 %s.35, 3
  %v258 = icmp sge i64 %r.257, %low1
  %v259 = icmp slt i64 %r.257, %high1
  %v260 = and i1 %v258, %v259
  br i1 %v260, label %group1.261, label %group1.end.262
group1.261:
  %v263 = icmp sge i64 %r.257, %first_row
  %v264 = icmp slt i64 %r.257, %last_row
  %v265 = and i1 %v263, %v264
  %v275 = load <16 x i32>, ptr %ring1, align 64
  %v276 = bitcast <16 x i32> %v275 to <16 x float>
  %v277 = shufflevector <16 x float> %v276, <16 x float> poison, <16 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 3, i32 2, i32 1>
  %v278 = bitcast <16 x float> %v277 to <16 x i32>
  %v279 = load <16 x i32>, ptr %ring1, align 64
  %v301 = urem i64 %r.257, 6
  %v302 = mul nsw i64 %v301, 112
  %ring2.row.303 = getelementptr float, ptr %ring2, i64 %v302
  br label %across.305
across.305:
  %x.266 = phi i64 [ 0, %group1.261 ], [ %x.266.next, %across.305 ]
  %before.270 = phi <16 x i32> [ %v278, %group1.261 ], [ %here.271, %across.305 ]
  %here.271 = phi <16 x i32> [ %v279, %group1.261 ], [ %v274, %across.305 ]
  %v267 = getelementptr float, ptr %ring1, i64 %x.266
  %v268 = load <16 x float>, ptr %v267, align 64
  %v269 = fmul <16 x float> %v268, splat (float 0x3FE23C2D40000000)
  %v272 = getelementptr float, ptr %ring1, i64 %x.266
  %v273 = getelementptr float, ptr %v272, i64 16
  %v274 = load <16 x i32>, ptr %v273, align 64
  %v280 = shufflevector <16 x i32> %here.271, <16 x i32> %v274, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16>
  %v281 = bitcast <16 x i32> %v280 to <16 x float>
  %v282 = shufflevector <16 x i32> %before.270, <16 x i32> %here.271, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v283 = bitcast <16 x i32> %v282 to <16 x float>
  %v284 = fadd <16 x float> %v283, %v281
  %v285 = fmul <16 x float> %v284, splat (float 0x3FCA4A8920000000)
  %v286 = fadd <16 x float> %v285, %v269
  %v287 = shufflevector <16 x i32> %here.271, <16 x i32> %v274, <16 x i32> <i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17>
  %v288 = bitcast <16 x i32> %v287 to <16 x float>
  %v289 = shufflevector <16 x i32> %before.270, <16 x i32> %here.271, <16 x i32> <i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29>
  %v290 = bitcast <16 x i32> %v289 to <16 x float>
  %v291 = fadd <16 x float> %v290, %v288
  %v292 = fmul <16 x float> %v291, splat (float 0x3F83B31700000000)
  %v293 = shufflevector <16 x i32> %here.271, <16 x i32> %v274, <16 x i32> <i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18>
  %v294 = bitcast <16 x i32> %v293 to <16 x float>
  %v295 = shufflevector <16 x i32> %before.270, <16 x i32> %here.271, <16 x i32> <i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28>
  %v296 = bitcast <16 x i32> %v295 to <16 x float>
  %v297 = fadd <16 x float> %v296, %v294
  %v298 = fmul <16 x float> %v297, splat (float 0x3F0EAF0AC0000000)
  %v299 = fadd <16 x float> %v298, %v292
  %v300 = fadd <16 x float> %v299, %v286
  %v304 = getelementptr float, ptr %ring2.row.303, i64 %x.266
  store <16 x float> %v300, ptr %v304, align 64
  %x.266.next = add nuw nsw i64 %x.266, 16
  %x.266.more = icmp ult i64 %x.266.next, 64
  br i1 %x.266.more, label %across.305, label %across.end.306
across.end.306:
  br label %group1.end.262
group1.end.262:
  ; group 2: output; 0 rows ahead; 0 more above, 0 below
  %r.307 = add nsw i64 %s.35, 0
  %v308 = icmp sge i64 %r.307, %low2
  %v309 = icmp slt i64 %r.307, %high2
  %v310 = and i1 %v308, %v309
  br i1 %v310, label %group2.311, label %group2.end.312
group2.311:
  %v314 = urem i64 %r.307, 6
  %v315 = mul nsw i64 %v314, 112
  %ring2.row.316 = getelementptr float, ptr %ring2, i64 %v315
  %v320 = add i64 %r.307, 1
  %v321 = call i64 @llvm.abs.i64(i64 %v320, i1 false)
  %v322 = sub i64 94, %v321
  %v323 = call i64 @llvm.smin.i64(i64 %v321, i64 %v322)
  %v324 = urem i64 %v323, 6
  %v325 = mul nsw i64 %v324, 112
  %ring2.row.326 = getelementptr float, ptr %ring2, i64 %v325
  %v329 = add i64 %r.307, -1
  %v330 = call i64 @llvm.abs.i64(i64 %v329, i1 false)
  %v331 = sub i64 94, %v330
  %v332 = call i64 @llvm.smin.i64(i64 %v330, i64 %v331)
  %v333 = urem i64 %v332, 6
  %v334 = mul nsw i64 %v333, 112
  %ring2.row.335 = getelementptr float, ptr %ring2, i64 %v334
  %v341 = add i64 %r.307, 2
  %v342 = call i64 @llvm.abs.i64(i64 %v341, i1 false)
  %v343 = sub i64 94, %v342
  %v344 = call i64 @llvm.smin.i64(i64 %v342, i64 %v343)
  %v345 = urem i64 %v344, 6
  %v346 = mul nsw i64 %v345, 112
  %ring2.row.347 = getelementptr float, ptr %ring2, i64 %v346
  %v350 = add i64 %r.307, -2
  %v351 = call i64 @llvm.abs.i64(i64 %v350, i1 false)
  %v352 = sub i64 94, %v351
  %v353 = call i64 @llvm.smin.i64(i64 %v351, i64 %v352)
  %v354 = urem i64 %v353, 6
  %v355 = mul nsw i64 %v354, 112
  %ring2.row.356 = getelementptr float, ptr %ring2, i64 %v355
  %v361 = add i64 %r.307, 3
  %v362 = call i64 @llvm.abs.i64(i64 %v361, i1 false)
  %v363 = sub i64 94, %v362
  %v364 = call i64 @llvm.smin.i64(i64 %v362, i64 %v363)
  %v365 = urem i64 %v364, 6
  %v366 = mul nsw i64 %v365, 112
  %ring2.row.367 = getelementptr float, ptr %ring2, i64 %v366
  %v370 = add i64 %r.307, -3
  %v371 = call i64 @llvm.abs.i64(i64 %v370, i1 false)
  %v372 = sub i64 94, %v371
  %v373 = call i64 @llvm.smin.i64(i64 %v371, i64 %v372)
  %v374 = urem i64 %v373, 6
  %v375 = mul nsw i64 %v374, 112
  %ring2.row.376 = getelementptr float, ptr %ring2, i64 %v375
  %v383 = mul nsw i64 %r.307, 64
  %out.row.384 = getelementptr float, ptr %output0, i64 %v383
  br label %across.387
across.387:
  %x.313 = phi i64 [ 0, %group2.311 ], [ %x.313.next, %across.387 ]
  %v317 = getelementptr float, ptr %ring2.row.316, i64 %x.313
  %v318 = load <16 x float>, ptr %v317, align 64
  %v319 = fmul <16 x float> %v318, splat (float 0x3FE23C2D40000000)
  %v327 = getelementptr float, ptr %ring2.row.326, i64 %x.313
  %v328 = load <16 x float>, ptr %v327, align 64
  %v336 = getelementptr float, ptr %ring2.row.335, i64 %x.313
  %v337 = load <16 x float>, ptr %v336, align 64
  %v338 = fadd <16 x float> %v337, %v328
  %v339 = fmul <16 x float> %v338, splat (float 0x3FCA4A8920000000)
  %v340 = fadd <16 x float> %v339, %v319
  %v348 = getelementptr float, ptr %ring2.row.347, i64 %x.313
  %v349 = load <16 x float>, ptr %v348, align 64
  %v357 = getelementptr float, ptr %ring2.row.356, i64 %x.313
  %v358 = load <16 x float>, ptr %v357, align 64
  %v359 = fadd <16 x float> %v358, %v349
  %v360 = fmul <16 x float> %v359, splat (float 0x3F83B31700000000)
  %v368 = getelementptr float, ptr %ring2.row.367, i64 %x.313
  %v369 = load <16 x float>, ptr %v368, align 64
  %v377 = getelementptr float, ptr %ring2.row.376, i64 %x.313
  %v378 = load <16 x float>, ptr %v377, align 64
  %v379 = fadd <16 x float> %v378, %v369
  %v380 = fmul <16 x float> %v379, splat (float 0x3F0EAF0AC0000000)
  %v381 = fadd <16 x float> %v380, %v360
  %v382 = fadd <16 x float> %v381, %v340
  %v385 = getelementptr float, ptr %out.row.384, i64 %x.313
  %v386 = getelementptr i8, ptr %v385, i64 512
  call void @llvm.prefetch.p0(ptr %v386, i32 1, i32 3, i32 1)
  store <16 x float> %v382, ptr %v385, align 4
  %x.313.next = add nuw nsw i64 %x.313, 16
  %x.313.more = icmp ult i64 %x.313.next, 64
  br i1 %x.313.more, label %across.387, label %across.end.388
across.end.388:
  br label %group2.end.312
group2.end.312:
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
