; gray+smooth
;
; in0: 64x48 u8
; smooth.out: 64x48 f32, leaves
; pass 0, images of 64x48
;   ring1: f32, 1 row, reflect101 4 px left and 4 px right
;   ring2: f32, 8 rows
;   row y+4, from 4 above the strip to 4 below, 16 pixels a vector:
;     ring1 = f32(in0[y, x])
;   row y+4, from 4 above the strip to 4 below, 16 pixels a vector:
;     t1 = ((ring1[y, x-4] + ring1[y, x+4]) * 0.0001338306174147874) + ((ring1[y, x-3] + ring1[y, x+3]) * 0.004431861452758312)
;     t2 = ((ring1[y, x-2] + ring1[y, x+2]) * 0.053991127759218216) + ((ring1[y, x-1] + ring1[y, x+1]) * 0.2419714480638504)
;     ring2 = (t1 + t2) + (ring1[y, x] * 0.3989434838294983)
;   row y, 16 pixels a vector:
;     t1 = ((ring2[y-4, x]{reflect101} + ring2[y+4, x]{reflect101}) * 0.0001338306174147874) + ((ring2[y-3, x]{reflect101} + ring2[y+3, x]{reflect101}) * 0.004431861452758312)
;     t2 = ((ring2[y-2, x]{reflect101} + ring2[y+2, x]{reflect101}) * 0.053991127759218216) + ((ring2[y-1, x]{reflect101} + ring2[y+1, x]{reflect101}) * 0.2419714480638504)
;     smooth.out = (t1 + t2) + (ring2[y, x] * 0.3989434838294983)

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
  %v9 = sub i64 %first_row, 4
  %v10 = add i64 %last_row, 4
  %low0 = call i64 @llvm.smax.i64(i64 %v9, i64 0)
  %high0 = call i64 @llvm.smin.i64(i64 %v10, i64 48)
  %v11 = sub i64 %first_row, 4
  %v12 = add i64 %last_row, 4
  %low1 = call i64 @llvm.smax.i64(i64 %v11, i64 0)
  %high1 = call i64 @llvm.smin.i64(i64 %v12, i64 48)
  %v13 = sub i64 %first_row, 0
  %v14 = add i64 %last_row, 0
  %low2 = call i64 @llvm.smax.i64(i64 %v13, i64 0)
  %high2 = call i64 @llvm.smin.i64(i64 %v14, i64 48)
  %v15 = sub i64 %low0, 4
  %v16 = sub i64 %low1, 4
  %v17 = sub i64 %low2, 0
  %v18 = sub i64 %high0, 4
  %v19 = sub i64 %high1, 4
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
  %v467 = mul i64 %frames, 0
  %v468 = add i64 %v467, %t.28
  %v469 = getelementptr ptr, ptr %images, i64 %v468
  %input0 = load ptr, ptr %v469, align 8
  %v470 = mul i64 %frames, 1
  %v471 = add i64 %v470, %t.28
  %v472 = getelementptr ptr, ptr %images, i64 %v471
  %output0 = load ptr, ptr %v472, align 8
  %v31 = icmp eq i64 %t.28, 0
  %v32 = icmp ne i64 %is_first, 0
  %v33 = and i1 %v31, %v32
  br label %step.34
step.34:
  %s.37 = phi i64 [ %v22, %t.do.26 ], [ %s.37.next, %step.next.38 ]
  %v39 = icmp slt i64 %s.37, %v24
  br i1 %v39, label %step.do.35, label %step.end.36
step.do.35:
  ; group 0: plane ring1; 4 rows ahead; 4 more above, 4 below
  %r.40 = add nsw i64 %s.37, 4
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
  %v66 = getelementptr float, ptr %ring1, i64 4
  %v67 = load float, ptr %v66
  %v68 = getelementptr float, ptr %ring1, i64 -4
  store float %v67, ptr %v68
  %v69 = getelementptr float, ptr %ring1, i64 3
  %v70 = load float, ptr %v69
  %v71 = getelementptr float, ptr %ring1, i64 -3
  store float %v70, ptr %v71
  %v72 = getelementptr float, ptr %ring1, i64 2
  %v73 = load float, ptr %v72
  %v74 = getelementptr float, ptr %ring1, i64 -2
  store float %v73, ptr %v74
  %v75 = getelementptr float, ptr %ring1, i64 1
  %v76 = load float, ptr %v75
  %v77 = getelementptr float, ptr %ring1, i64 -1
  store float %v76, ptr %v77
  %v78 = getelementptr float, ptr %ring1, i64 62
  %v79 = load float, ptr %v78
  %v80 = getelementptr float, ptr %ring1, i64 64
  store float %v79, ptr %v80
  %v81 = getelementptr float, ptr %ring1, i64 61
  %v82 = load float, ptr %v81
  %v83 = getelementptr float, ptr %ring1, i64 65
  store float %v82, ptr %v83
  %v84 = getelementptr float, ptr %ring1, i64 60
  %v85 = load float, ptr %v84
  %v86 = getelementptr float, ptr %ring1, i64 66
  store float %v85, ptr %v86
  %v87 = getelementptr float, ptr %ring1, i64 59
  %v88 = load float, ptr %v87
  %v89 = getelementptr float, ptr %ring1, i64 67
  store float %v88, ptr %v89
  br label %group0.end.45
group0.end.45:
  ; group 1: plane ring2; 4 rows ahead; 4 more above, 4 below
  %r.90 = add nsw i64 %s.37, 4
  %v91 = icmp sge i64 %r.90, %low1
  %v92 = icmp slt i64 %r.90, %high1
  %v93 = and i1 %v91, %v92
  ; group 2: output; 0 rows ahead; 0 more above, 0 below
  %r.94 = add nsw i64 %s.37, 0
  %v95 = icmp sge i64 %r.94, %low2
  %v96 = icmp slt i64 %r.94, %high2
  %v97 = and i1 %v95, %v96
  %v98 = icmp sge i64 %r.94, 4
  %v99 = and i1 %v93, %v97
  %v100 = and i1 %v98, %v99
  br i1 %v100, label %together.101, label %apart.102
together.101:
  %v104 = icmp sge i64 %r.90, %first_row
  %v105 = icmp slt i64 %r.90, %last_row
  %v106 = and i1 %v104, %v105
  %v116 = load <16 x i32>, ptr %ring1, align 64
  %v117 = bitcast <16 x i32> %v116 to <16 x float>
  %v118 = shufflevector <16 x float> %v117, <16 x float> poison, <16 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 4, i32 3, i32 2, i32 1>
  %v119 = bitcast <16 x float> %v118 to <16 x i32>
  %v120 = load <16 x i32>, ptr %ring1, align 64
  %v230 = urem i64 %r.90, 8
  %v231 = mul nsw i64 %v230, 112
  %ring2.row.232 = getelementptr float, ptr %ring2, i64 %v231
  %v149 = urem i64 %r.94, 8
  %v150 = mul nsw i64 %v149, 112
  %ring2.row.151 = getelementptr float, ptr %ring2, i64 %v150
  %v155 = add i64 %r.94, 1
  %v156 = call i64 @llvm.abs.i64(i64 %v155, i1 false)
  %v157 = sub i64 94, %v156
  %v158 = call i64 @llvm.smin.i64(i64 %v156, i64 %v157)
  %v159 = urem i64 %v158, 8
  %v160 = mul nsw i64 %v159, 112
  %ring2.row.161 = getelementptr float, ptr %ring2, i64 %v160
  %v164 = add i64 %r.94, -1
  %v165 = call i64 @llvm.abs.i64(i64 %v164, i1 false)
  %v166 = sub i64 94, %v165
  %v167 = call i64 @llvm.smin.i64(i64 %v165, i64 %v166)
  %v168 = urem i64 %v167, 8
  %v169 = mul nsw i64 %v168, 112
  %ring2.row.170 = getelementptr float, ptr %ring2, i64 %v169
  %v175 = add i64 %r.94, 2
  %v176 = call i64 @llvm.abs.i64(i64 %v175, i1 false)
  %v177 = sub i64 94, %v176
  %v178 = call i64 @llvm.smin.i64(i64 %v176, i64 %v177)
  %v179 = urem i64 %v178, 8
  %v180 = mul nsw i64 %v179, 112
  %ring2.row.181 = getelementptr float, ptr %ring2, i64 %v180
  %v184 = add i64 %r.94, -2
  %v185 = call i64 @llvm.abs.i64(i64 %v184, i1 false)
  %v186 = sub i64 94, %v185
  %v187 = call i64 @llvm.smin.i64(i64 %v185, i64 %v186)
  %v188 = urem i64 %v187, 8
  %v189 = mul nsw i64 %v188, 112
  %ring2.row.190 = getelementptr float, ptr %ring2, i64 %v189
  %v196 = add i64 %r.94, 3
  %v197 = call i64 @llvm.abs.i64(i64 %v196, i1 false)
  %v198 = sub i64 94, %v197
  %v199 = call i64 @llvm.smin.i64(i64 %v197, i64 %v198)
  %v200 = urem i64 %v199, 8
  %v201 = mul nsw i64 %v200, 112
  %ring2.row.202 = getelementptr float, ptr %ring2, i64 %v201
  %v205 = add i64 %r.94, -3
  %v206 = call i64 @llvm.abs.i64(i64 %v205, i1 false)
  %v207 = sub i64 94, %v206
  %v208 = call i64 @llvm.smin.i64(i64 %v206, i64 %v207)
  %v209 = urem i64 %v208, 8
  %v210 = mul nsw i64 %v209, 112
  %ring2.row.211 = getelementptr float, ptr %ring2, i64 %v210
  %v216 = add i64 %r.94, -4
  %v217 = call i64 @llvm.abs.i64(i64 %v216, i1 false)
  %v218 = sub i64 94, %v217
  %v219 = call i64 @llvm.smin.i64(i64 %v217, i64 %v218)
  %v220 = urem i64 %v219, 8
  %v221 = mul nsw i64 %v220, 112
  %ring2.row.222 = getelementptr float, ptr %ring2, i64 %v221
  %v234 = mul nsw i64 %r.94, 64
  %out.row.235 = getelementptr float, ptr %output0, i64 %v234
  br label %across.305
across.305:
  %x.107 = phi i64 [ 0, %together.101 ], [ %x.107.next, %across.305 ]
  %before.111 = phi <16 x i32> [ %v119, %together.101 ], [ %v115, %across.305 ]
  %here.112 = phi <16 x i32> [ %v120, %together.101 ], [ %v244, %across.305 ]
  %v108 = getelementptr float, ptr %ring1, i64 %x.107
  %v109 = load <16 x float>, ptr %v108, align 64
  %v110 = fmul <16 x float> %v109, splat (float 0x3FD9884A40000000)
  %v113 = getelementptr float, ptr %ring1, i64 %x.107
  %v114 = getelementptr float, ptr %v113, i64 16
  %v115 = load <16 x i32>, ptr %v114, align 64
  %v121 = shufflevector <16 x i32> %here.112, <16 x i32> %v115, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16>
  %v122 = bitcast <16 x i32> %v121 to <16 x float>
  %v123 = shufflevector <16 x i32> %before.111, <16 x i32> %here.112, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v124 = bitcast <16 x i32> %v123 to <16 x float>
  %v125 = fadd <16 x float> %v124, %v122
  %v126 = fmul <16 x float> %v125, splat (float 0x3FCEF8EBA0000000)
  %v127 = shufflevector <16 x i32> %here.112, <16 x i32> %v115, <16 x i32> <i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17>
  %v128 = bitcast <16 x i32> %v127 to <16 x float>
  %v129 = shufflevector <16 x i32> %before.111, <16 x i32> %here.112, <16 x i32> <i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29>
  %v130 = bitcast <16 x i32> %v129 to <16 x float>
  %v131 = fadd <16 x float> %v130, %v128
  %v132 = fmul <16 x float> %v131, splat (float 0x3FABA4B9A0000000)
  %v133 = fadd <16 x float> %v132, %v126
  %v134 = shufflevector <16 x i32> %here.112, <16 x i32> %v115, <16 x i32> <i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18>
  %v135 = bitcast <16 x i32> %v134 to <16 x float>
  %v136 = shufflevector <16 x i32> %before.111, <16 x i32> %here.112, <16 x i32> <i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28>
  %v137 = bitcast <16 x i32> %v136 to <16 x float>
  %v138 = fadd <16 x float> %v137, %v135
  %v139 = fmul <16 x float> %v138, splat (float 0x3F722724C0000000)
  %v140 = shufflevector <16 x i32> %here.112, <16 x i32> %v115, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19>
  %v141 = bitcast <16 x i32> %v140 to <16 x float>
  %v142 = shufflevector <16 x i32> %before.111, <16 x i32> %here.112, <16 x i32> <i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27>
  %v143 = bitcast <16 x i32> %v142 to <16 x float>
  %v144 = fadd <16 x float> %v143, %v141
  %v145 = fmul <16 x float> %v144, splat (float 0x3F218A9C40000000)
  %v146 = fadd <16 x float> %v145, %v139
  %v147 = fadd <16 x float> %v146, %v133
  %v148 = fadd <16 x float> %v147, %v110
  %v152 = getelementptr float, ptr %ring2.row.151, i64 %x.107
  %v153 = load <16 x float>, ptr %v152, align 64
  %v154 = fmul <16 x float> %v153, splat (float 0x3FD9884A40000000)
  %v162 = getelementptr float, ptr %ring2.row.161, i64 %x.107
  %v163 = load <16 x float>, ptr %v162, align 64
  %v171 = getelementptr float, ptr %ring2.row.170, i64 %x.107
  %v172 = load <16 x float>, ptr %v171, align 64
  %v173 = fadd <16 x float> %v172, %v163
  %v174 = fmul <16 x float> %v173, splat (float 0x3FCEF8EBA0000000)
  %v182 = getelementptr float, ptr %ring2.row.181, i64 %x.107
  %v183 = load <16 x float>, ptr %v182, align 64
  %v191 = getelementptr float, ptr %ring2.row.190, i64 %x.107
  %v192 = load <16 x float>, ptr %v191, align 64
  %v193 = fadd <16 x float> %v192, %v183
  %v194 = fmul <16 x float> %v193, splat (float 0x3FABA4B9A0000000)
  %v195 = fadd <16 x float> %v194, %v174
  %v203 = getelementptr float, ptr %ring2.row.202, i64 %x.107
  %v204 = load <16 x float>, ptr %v203, align 64
  %v212 = getelementptr float, ptr %ring2.row.211, i64 %x.107
  %v213 = load <16 x float>, ptr %v212, align 64
  %v214 = fadd <16 x float> %v213, %v204
  %v215 = fmul <16 x float> %v214, splat (float 0x3F722724C0000000)
  %v223 = getelementptr float, ptr %ring2.row.222, i64 %x.107
  %v224 = load <16 x float>, ptr %v223, align 64
  %v225 = fadd <16 x float> %v224, %v148
  %v226 = fmul <16 x float> %v225, splat (float 0x3F218A9C40000000)
  %v227 = fadd <16 x float> %v226, %v215
  %v228 = fadd <16 x float> %v227, %v195
  %v229 = fadd <16 x float> %v228, %v154
  %v233 = getelementptr float, ptr %ring2.row.232, i64 %x.107
  store <16 x float> %v148, ptr %v233, align 64
  %v236 = getelementptr float, ptr %out.row.235, i64 %x.107
  %v237 = getelementptr i8, ptr %v236, i64 512
  call void @llvm.prefetch.p0(ptr %v237, i32 1, i32 3, i32 1)
  store <16 x float> %v229, ptr %v236, align 4
  %v238 = add i64 %x.107, 16
  %v239 = getelementptr float, ptr %ring1, i64 %v238
  %v240 = load <16 x float>, ptr %v239, align 64
  %v241 = fmul <16 x float> %v240, splat (float 0x3FD9884A40000000)
  %v242 = getelementptr float, ptr %ring1, i64 %v238
  %v243 = getelementptr float, ptr %v242, i64 16
  %v244 = load <16 x i32>, ptr %v243, align 64
  %v245 = shufflevector <16 x i32> %v115, <16 x i32> %v244, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16>
  %v246 = bitcast <16 x i32> %v245 to <16 x float>
  %v247 = shufflevector <16 x i32> %here.112, <16 x i32> %v115, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v248 = bitcast <16 x i32> %v247 to <16 x float>
  %v249 = fadd <16 x float> %v248, %v246
  %v250 = fmul <16 x float> %v249, splat (float 0x3FCEF8EBA0000000)
  %v251 = shufflevector <16 x i32> %v115, <16 x i32> %v244, <16 x i32> <i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17>
  %v252 = bitcast <16 x i32> %v251 to <16 x float>
  %v253 = shufflevector <16 x i32> %here.112, <16 x i32> %v115, <16 x i32> <i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29>
  %v254 = bitcast <16 x i32> %v253 to <16 x float>
  %v255 = fadd <16 x float> %v254, %v252
  %v256 = fmul <16 x float> %v255, splat (float 0x3FABA4B9A0000000)
  %v257 = fadd <16 x float> %v256, %v250
  %v258 = shufflevector <16 x i32> %v115, <16 x i32> %v244, <16 x i32> <i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18>
  %v259 = bitcast <16 x i32> %v258 to <16 x float>
  %v260 = shufflevector <16 x i32> %here.112, <16 x i32> %v115, <16 x i32> <i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28>
  %v261 = bitcast <16 x i32> %v260 to <16 x float>
  %v262 = fadd <16 x float> %v261, %v259
  %v263 = fmul <16 x float> %v262, splat (float 0x3F722724C0000000)
  %v264 = shufflevector <16 x i32> %v115, <16 x i32> %v244, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19>
  %v265 = bitcast <16 x i32> %v264 to <16 x float>
  %v266 = shufflevector <16 x i32> %here.112, <16 x i32> %v115, <16 x i32> <i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27>
  %v267 = bitcast <16 x i32> %v266 to <16 x float>
  %v268 = fadd <16 x float> %v267, %v265
  %v269 = fmul <16 x float> %v268, splat (float 0x3F218A9C40000000)
  %v270 = fadd <16 x float> %v269, %v263
  %v271 = fadd <16 x float> %v270, %v257
  %v272 = fadd <16 x float> %v271, %v241
  %v273 = getelementptr float, ptr %ring2.row.151, i64 %v238
  %v274 = load <16 x float>, ptr %v273, align 64
  %v275 = fmul <16 x float> %v274, splat (float 0x3FD9884A40000000)
  %v276 = getelementptr float, ptr %ring2.row.161, i64 %v238
  %v277 = load <16 x float>, ptr %v276, align 64
  %v278 = getelementptr float, ptr %ring2.row.170, i64 %v238
  %v279 = load <16 x float>, ptr %v278, align 64
  %v280 = fadd <16 x float> %v279, %v277
  %v281 = fmul <16 x float> %v280, splat (float 0x3FCEF8EBA0000000)
  %v282 = getelementptr float, ptr %ring2.row.181, i64 %v238
  %v283 = load <16 x float>, ptr %v282, align 64
  %v284 = getelementptr float, ptr %ring2.row.190, i64 %v238
  %v285 = load <16 x float>, ptr %v284, align 64
  %v286 = fadd <16 x float> %v285, %v283
  %v287 = fmul <16 x float> %v286, splat (float 0x3FABA4B9A0000000)
  %v288 = fadd <16 x float> %v287, %v281
  %v289 = getelementptr float, ptr %ring2.row.202, i64 %v238
  %v290 = load <16 x float>, ptr %v289, align 64
  %v291 = getelementptr float, ptr %ring2.row.211, i64 %v238
  %v292 = load <16 x float>, ptr %v291, align 64
  %v293 = fadd <16 x float> %v292, %v290
  %v294 = fmul <16 x float> %v293, splat (float 0x3F722724C0000000)
  %v295 = getelementptr float, ptr %ring2.row.222, i64 %v238
  %v296 = load <16 x float>, ptr %v295, align 64
  %v297 = fadd <16 x float> %v296, %v272
  %v298 = fmul <16 x float> %v297, splat (float 0x3F218A9C40000000)
  %v299 = fadd <16 x float> %v298, %v294
  %v300 = fadd <16 x float> %v299, %v288
  %v301 = fadd <16 x float> %v300, %v275
  %v302 = getelementptr float, ptr %ring2.row.232, i64 %v238
  store <16 x float> %v272, ptr %v302, align 64
  %v303 = getelementptr float, ptr %out.row.235, i64 %v238
  %v304 = getelementptr i8, ptr %v303, i64 512
  call void @llvm.prefetch.p0(ptr %v304, i32 1, i32 3, i32 1)
  store <16 x float> %v301, ptr %v303, align 4
  %x.107.next = add nuw nsw i64 %x.107, 32
  %x.107.more = icmp ult i64 %x.107.next, 64
  br i1 %x.107.more, label %across.305, label %across.end.306
across.end.306:
  br label %joined.103
apart.102:
  ; group 1: plane ring2; 4 rows ahead; 4 more above, 4 below
  %r.307 = add nsw i64 %s.37, 4
  %v308 = icmp sge i64 %r.307, %low1
  %v309 = icmp slt i64 %r.307, %high1
  %v310 = and i1 %v308, %v309
  br i1 %v310, label %group1.311, label %group1.end.312
group1.311:
  %v313 = icmp sge i64 %r.307, %first_row
  %v314 = icmp slt i64 %r.307, %last_row
  %v315 = and i1 %v313, %v314
  %v325 = load <16 x i32>, ptr %ring1, align 64
  %v326 = bitcast <16 x i32> %v325 to <16 x float>
  %v327 = shufflevector <16 x float> %v326, <16 x float> poison, <16 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 4, i32 3, i32 2, i32 1>
  %v328 = bitcast <16 x float> %v327 to <16 x i32>
  %v329 = load <16 x i32>, ptr %ring1, align 64
  %v358 = urem i64 %r.307, 8
  %v359 = mul nsw i64 %v358, 112
  %ring2.row.360 = getelementptr float, ptr %ring2, i64 %v359
  br label %across.362
across.362:
  %x.316 = phi i64 [ 0, %group1.311 ], [ %x.316.next, %across.362 ]
  %before.320 = phi <16 x i32> [ %v328, %group1.311 ], [ %here.321, %across.362 ]
  %here.321 = phi <16 x i32> [ %v329, %group1.311 ], [ %v324, %across.362 ]
  %v317 = getelementptr float, ptr %ring1, i64 %x.316
  %v318 = load <16 x float>, ptr %v317, align 64
  %v319 = fmul <16 x float> %v318, splat (float 0x3FD9884A40000000)
  %v322 = getelementptr float, ptr %ring1, i64 %x.316
  %v323 = getelementptr float, ptr %v322, i64 16
  %v324 = load <16 x i32>, ptr %v323, align 64
  %v330 = shufflevector <16 x i32> %here.321, <16 x i32> %v324, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16>
  %v331 = bitcast <16 x i32> %v330 to <16 x float>
  %v332 = shufflevector <16 x i32> %before.320, <16 x i32> %here.321, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v333 = bitcast <16 x i32> %v332 to <16 x float>
  %v334 = fadd <16 x float> %v333, %v331
  %v335 = fmul <16 x float> %v334, splat (float 0x3FCEF8EBA0000000)
  %v336 = shufflevector <16 x i32> %here.321, <16 x i32> %v324, <16 x i32> <i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17>
  %v337 = bitcast <16 x i32> %v336 to <16 x float>
  %v338 = shufflevector <16 x i32> %before.320, <16 x i32> %here.321, <16 x i32> <i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29>
  %v339 = bitcast <16 x i32> %v338 to <16 x float>
  %v340 = fadd <16 x float> %v339, %v337
  %v341 = fmul <16 x float> %v340, splat (float 0x3FABA4B9A0000000)
  %v342 = fadd <16 x float> %v341, %v335
  %v343 = shufflevector <16 x i32> %here.321, <16 x i32> %v324, <16 x i32> <i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18>
  %v344 = bitcast <16 x i32> %v343 to <16 x float>
  %v345 = shufflevector <16 x i32> %before.320, <16 x i32> %here.321, <16 x i32> <i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28>
  %v346 = bitcast <16 x i32> %v345 to <16 x float>
  %v347 = fadd <16 x float> %v346, %v344
  %v348 = fmul <16 x float> %v347, splat (float 0x3F722724C0000000)
  %v349 = shufflevector <16 x i32> %here.321, <16 x i32> %v324, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19>
  %v350 = bitcast <16 x i32> %v349 to <16 x float>
  %v351 = shufflevector <16 x i32> %before.320, <16 x i32> %here.321, <16 x i32> <i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27>
  %v352 = bitcast <16 x i32> %v351 to <16 x float>
  %v353 = fadd <16 x float> %v352, %v350
  %v354 = fmul <16 x float> %v353, splat (float 0x3F218A9C40000000)
  %v355 = fadd <16 x float> %v354, %v348
  %v356 = fadd <16 x float> %v355, %v342
  %v357 = fadd <16 x float> %v356, %v319
  %v361 = getelementptr float, ptr %ring2.row.360, i64 %x.316
  store <16 x float> %v357, ptr %v361, align 64
  %x.316.next = add nuw nsw i64 %x.316, 16
  %x.316.more = icmp ult i64 %x.316.next, 64
  br i1 %x.316.more, label %across.362, label %across.end.363
across.end.363:
  br label %group1.end.312
group1.end.312:
  ; group 2: output; 0 rows ahead; 0 more above, 0 below
  %r.364 = add nsw i64 %s.37, 0
  %v365 = icmp sge i64 %r.364, %low2
  %v366 = icmp slt i64 %r.364, %high2
  %v367 = and i1 %v365, %v366
  br i1 %v367, label %group2.368, label %group2.end.369
group2.368:
  %v371 = urem i64 %r.364, 8
  %v372 = mul nsw i64 %v371, 112
  %ring2.row.373 = getelementptr float, ptr %ring2, i64 %v372
  %v377 = add i64 %r.364, 1
  %v378 = call i64 @llvm.abs.i64(i64 %v377, i1 false)
  %v379 = sub i64 94, %v378
  %v380 = call i64 @llvm.smin.i64(i64 %v378, i64 %v379)
  %v381 = urem i64 %v380, 8
  %v382 = mul nsw i64 %v381, 112
  %ring2.row.383 = getelementptr float, ptr %ring2, i64 %v382
  %v386 = add i64 %r.364, -1
  %v387 = call i64 @llvm.abs.i64(i64 %v386, i1 false)
  %v388 = sub i64 94, %v387
  %v389 = call i64 @llvm.smin.i64(i64 %v387, i64 %v388)
  %v390 = urem i64 %v389, 8
  %v391 = mul nsw i64 %v390, 112
  %ring2.row.392 = getelementptr float, ptr %ring2, i64 %v391
  %v397 = add i64 %r.364, 2
  %v398 = call i64 @llvm.abs.i64(i64 %v397, i1 false)
  %v399 = sub i64 94, %v398
  %v400 = call i64 @llvm.smin.i64(i64 %v398, i64 %v399)
  %v401 = urem i64 %v400, 8
  %v402 = mul nsw i64 %v401, 112
  %ring2.row.403 = getelementptr float, ptr %ring2, i64 %v402
  %v406 = add i64 %r.364, -2
  %v407 = call i64 @llvm.abs.i64(i64 %v406, i1 false)
  %v408 = sub i64 94, %v407
  %v409 = call i64 @llvm.smin.i64(i64 %v407, i64 %v408)
  %v410 = urem i64 %v409, 8
  %v411 = mul nsw i64 %v410, 112
  %ring2.row.412 = getelementptr float, ptr %ring2, i64 %v411
  %v418 = add i64 %r.364, 3
  %v419 = call i64 @llvm.abs.i64(i64 %v418, i1 false)
  %v420 = sub i64 94, %v419
  %v421 = call i64 @llvm.smin.i64(i64 %v419, i64 %v420)
  %v422 = urem i64 %v421, 8
  %v423 = mul nsw i64 %v422, 112
  %ring2.row.424 = getelementptr float, ptr %ring2, i64 %v423
  %v427 = add i64 %r.364, -3
  %v428 = call i64 @llvm.abs.i64(i64 %v427, i1 false)
  %v429 = sub i64 94, %v428
  %v430 = call i64 @llvm.smin.i64(i64 %v428, i64 %v429)
  %v431 = urem i64 %v430, 8
  %v432 = mul nsw i64 %v431, 112
  %ring2.row.433 = getelementptr float, ptr %ring2, i64 %v432
  %v438 = add i64 %r.364, 4
  %v439 = call i64 @llvm.abs.i64(i64 %v438, i1 false)
  %v440 = sub i64 94, %v439
  %v441 = call i64 @llvm.smin.i64(i64 %v439, i64 %v440)
  %v442 = urem i64 %v441, 8
  %v443 = mul nsw i64 %v442, 112
  %ring2.row.444 = getelementptr float, ptr %ring2, i64 %v443
  %v447 = add i64 %r.364, -4
  %v448 = call i64 @llvm.abs.i64(i64 %v447, i1 false)
  %v449 = sub i64 94, %v448
  %v450 = call i64 @llvm.smin.i64(i64 %v448, i64 %v449)
  %v451 = urem i64 %v450, 8
  %v452 = mul nsw i64 %v451, 112
  %ring2.row.453 = getelementptr float, ptr %ring2, i64 %v452
  %v461 = mul nsw i64 %r.364, 64
  %out.row.462 = getelementptr float, ptr %output0, i64 %v461
  br label %across.465
across.465:
  %x.370 = phi i64 [ 0, %group2.368 ], [ %x.370.next, %across.465 ]
  %v374 = getelementptr float, ptr %ring2.row.373, i64 %x.370
  %v375 = load <16 x float>, ptr %v374, align 64
  %v376 = fmul <16 x float> %v375, splat (float 0x3FD9884A40000000)
  %v384 = getelementptr float, ptr %ring2.row.383, i64 %x.370
  %v385 = load <16 x float>, ptr %v384, align 64
  %v393 = getelementptr float, ptr %ring2.row.392, i64 %x.370
  %v394 = load <16 x float>, ptr %v393, align 64
  %v395 = fadd <16 x float> %v394, %v385
  %v396 = fmul <16 x float> %v395, splat (float 0x3FCEF8EBA0000000)
  %v404 = getelementptr float, ptr %ring2.row.403, i64 %x.370
  %v405 = load <16 x float>, ptr %v404, align 64
  %v413 = getelementptr float, ptr %ring2.row.412, i64 %x.370
  %v414 = load <16 x float>, ptr %v413, align 64
  %v415 = fadd <16 x float> %v414, %v405
  %v416 = fmul <16 x float> %v415, splat (float 0x3FABA4B9A0000000)
  %v417 = fadd <16 x float> %v416, %v396
  %v425 = getelementptr float, ptr %ring2.row.424, i64 %x.370
  %v426 = load <16 x float>, ptr %v425, align 64
  %v434 = getelementptr float, ptr %ring2.row.433, i64 %x.370
  %v435 = load <16 x float>, ptr %v434, align 64
  %v436 = fadd <16 x float> %v435, %v426
  %v437 = fmul <16 x float> %v436, splat (float 0x3F722724C0000000)
  %v445 = getelementptr float, ptr %ring2.row.444, i64 %x.370
  %v446 = load <16 x float>, ptr %v445, align 64
  %v454 = getelementptr float, ptr %ring2.row.453, i64 %x.370
  %v455 = load <16 x float>, ptr %v454, align 64
  %v456 = fadd <16 x float> %v455, %v446
  %v457 = fmul <16 x float> %v456, splat (float 0x3F218A9C40000000)
  %v458 = fadd <16 x float> %v457, %v437
  %v459 = fadd <16 x float> %v458, %v417
  %v460 = fadd <16 x float> %v459, %v376
  %v463 = getelementptr float, ptr %out.row.462, i64 %x.370
  %v464 = getelementptr i8, ptr %v463, i64 512
  call void @llvm.prefetch.p0(ptr %v464, i32 1, i32 3, i32 1)
  store <16 x float> %v460, ptr %v463, align 4
  %x.370.next = add nuw nsw i64 %x.370, 16
  %x.370.more = icmp ult i64 %x.370.next, 64
  br i1 %x.370.more, label %across.465, label %across.end.466
across.end.466:
  br label %group2.end.369
group2.end.369:
  br label %joined.103
joined.103:
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

; dark: a host function, nothing is generated

; pupil: a host function, nothing is generated
