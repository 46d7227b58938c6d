; gray+sound+scale+even+smooth+mask
;
; in0: 64x48 u8
; even.out: 64x48 f32, leaves
; mask.out: 64x48 bool, leaves
; mask.level: f32, an argument
; pass 0, images of 64x48
;   ring1: f32, 1 row, reflect101 4 px left and 4 px right
;   ring2: f32, 8 rows
;   row y+4, from 4 above the strip to 4 below, 16 pixels a vector:
;     t1 = f32(in0[y, x])
;     ring1 = (t1 * 0.003921627998352051) + (t1 * -5.9370901084321304e-08)
;     even.out = ring1
;   row y+4, from 4 above the strip to 4 below, 16 pixels a vector:
;     t1 = ((ring1[y, x-4] + ring1[y, x+4]) * 0.0001338306174147874) + ((ring1[y, x-3] + ring1[y, x+3]) * 0.004431861452758312)
;     t2 = ((ring1[y, x-2] + ring1[y, x+2]) * 0.053991127759218216) + ((ring1[y, x-1] + ring1[y, x+1]) * 0.2419714480638504)
;     ring2 = (t1 + t2) + (ring1[y, x] * 0.3989434838294983)
;   row y, 16 pixels a vector:
;     t1 = ((ring2[y-4, x]{reflect101} + ring2[y+4, x]{reflect101}) * 0.0001338306174147874) + ((ring2[y-3, x]{reflect101} + ring2[y+3, x]{reflect101}) * 0.004431861452758312)
;     t2 = ((ring2[y-2, x]{reflect101} + ring2[y+2, x]{reflect101}) * 0.053991127759218216) + ((ring2[y-1, x]{reflect101} + ring2[y+1, x]{reflect101}) * 0.2419714480638504)
;     mask.out = mask.level < ((t1 + t2) + (ring2[y, x] * 0.3989434838294983))

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
  %v244 = getelementptr i8, ptr %args, i64 64
  %param.245 = load float, ptr %v244, align 8
  %v246 = insertelement <16 x float> poison, float %param.245, i64 0
  %v247 = shufflevector <16 x float> %v246, <16 x float> poison, <16 x i32> zeroinitializer
  br label %t.25
t.25:
  %t.28 = phi i64 [ %first_frame, %entry ], [ %t.28.next, %t.next.29 ]
  %v30 = icmp slt i64 %t.28, %last_frame
  br i1 %v30, label %t.do.26, label %t.end.27
t.do.26:
  %v422 = mul i64 %frames, 0
  %v423 = add i64 %v422, %t.28
  %v424 = getelementptr ptr, ptr %images, i64 %v423
  %input0 = load ptr, ptr %v424, align 8
  %v425 = mul i64 %frames, 1
  %v426 = add i64 %v425, %t.28
  %v427 = getelementptr ptr, ptr %images, i64 %v426
  %output0 = load ptr, ptr %v427, align 8
  %v428 = mul i64 %frames, 2
  %v429 = add i64 %v428, %t.28
  %v430 = getelementptr ptr, ptr %images, i64 %v429
  %output1 = load ptr, ptr %v430, align 8
  %v31 = icmp eq i64 %t.28, 0
  %v32 = icmp ne i64 %is_first, 0
  %v33 = and i1 %v31, %v32
  br label %step.34
step.34:
  %s.37 = phi i64 [ %v22, %t.do.26 ], [ %s.37.next, %step.next.38 ]
  %v39 = icmp slt i64 %s.37, %v24
  br i1 %v39, label %step.do.35, label %step.end.36
step.do.35:
  ; group 0: plane ring1, output; 4 rows ahead; 4 more above, 4 below
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
  %v61 = mul nsw i64 %r.40, 64
  %out.row.62 = getelementptr float, ptr %output0, i64 %v61
  %v63 = getelementptr i8, ptr %scratch, i64 4224
  %out.row.64 = select i1 %v48, ptr %out.row.62, ptr %v63
  br label %across.78
across.78:
  %x.49 = phi i64 [ 0, %group0.44 ], [ %x.49.next, %across.78 ]
  %v52 = getelementptr i8, ptr %in.row.51, i64 %x.49
  %v53 = getelementptr i8, ptr %v52, i64 128
  call void @llvm.prefetch.p0(ptr %v53, i32 0, i32 3, i32 1)
  %v54 = load <16 x i8>, ptr %v52, align 1
  %v55 = zext <16 x i8> %v54 to <16 x i32>
  %v56 = sitofp <16 x i32> %v55 to <16 x float>
  %v57 = fmul <16 x float> %v56, splat (float 0xBE6FDFDFE0000000)
  %v58 = fmul <16 x float> %v56, splat (float 0x3F70102000000000)
  %v59 = fadd <16 x float> %v58, %v57
  %v60 = getelementptr float, ptr %ring1, i64 %x.49
  store <16 x float> %v59, ptr %v60, align 64
  %v65 = getelementptr float, ptr %out.row.64, i64 %x.49
  %v66 = getelementptr i8, ptr %v65, i64 512
  call void @llvm.prefetch.p0(ptr %v66, i32 1, i32 3, i32 1)
  store <16 x float> %v59, ptr %v65, align 4
  %v67 = add i64 %x.49, 16
  %v68 = getelementptr i8, ptr %in.row.51, i64 %v67
  %v69 = load <16 x i8>, ptr %v68, align 1
  %v70 = zext <16 x i8> %v69 to <16 x i32>
  %v71 = sitofp <16 x i32> %v70 to <16 x float>
  %v72 = fmul <16 x float> %v71, splat (float 0xBE6FDFDFE0000000)
  %v73 = fmul <16 x float> %v71, splat (float 0x3F70102000000000)
  %v74 = fadd <16 x float> %v73, %v72
  %v75 = getelementptr float, ptr %ring1, i64 %v67
  store <16 x float> %v74, ptr %v75, align 64
  %v76 = getelementptr float, ptr %out.row.64, i64 %v67
  %v77 = getelementptr i8, ptr %v76, i64 512
  call void @llvm.prefetch.p0(ptr %v77, i32 1, i32 3, i32 1)
  store <16 x float> %v74, ptr %v76, align 4
  %x.49.next = add nuw nsw i64 %x.49, 32
  %x.49.more = icmp ult i64 %x.49.next, 64
  br i1 %x.49.more, label %across.78, label %across.end.79
across.end.79:
  %v80 = getelementptr float, ptr %ring1, i64 4
  %v81 = load float, ptr %v80
  %v82 = getelementptr float, ptr %ring1, i64 -4
  store float %v81, ptr %v82
  %v83 = getelementptr float, ptr %ring1, i64 3
  %v84 = load float, ptr %v83
  %v85 = getelementptr float, ptr %ring1, i64 -3
  store float %v84, ptr %v85
  %v86 = getelementptr float, ptr %ring1, i64 2
  %v87 = load float, ptr %v86
  %v88 = getelementptr float, ptr %ring1, i64 -2
  store float %v87, ptr %v88
  %v89 = getelementptr float, ptr %ring1, i64 1
  %v90 = load float, ptr %v89
  %v91 = getelementptr float, ptr %ring1, i64 -1
  store float %v90, ptr %v91
  %v92 = getelementptr float, ptr %ring1, i64 62
  %v93 = load float, ptr %v92
  %v94 = getelementptr float, ptr %ring1, i64 64
  store float %v93, ptr %v94
  %v95 = getelementptr float, ptr %ring1, i64 61
  %v96 = load float, ptr %v95
  %v97 = getelementptr float, ptr %ring1, i64 65
  store float %v96, ptr %v97
  %v98 = getelementptr float, ptr %ring1, i64 60
  %v99 = load float, ptr %v98
  %v100 = getelementptr float, ptr %ring1, i64 66
  store float %v99, ptr %v100
  %v101 = getelementptr float, ptr %ring1, i64 59
  %v102 = load float, ptr %v101
  %v103 = getelementptr float, ptr %ring1, i64 67
  store float %v102, ptr %v103
  br label %group0.end.45
group0.end.45:
  ; group 1: plane ring2; 4 rows ahead; 4 more above, 4 below
  %r.104 = add nsw i64 %s.37, 4
  %v105 = icmp sge i64 %r.104, %low1
  %v106 = icmp slt i64 %r.104, %high1
  %v107 = and i1 %v105, %v106
  ; group 2: output; 0 rows ahead; 0 more above, 0 below
  %r.108 = add nsw i64 %s.37, 0
  %v109 = icmp sge i64 %r.108, %low2
  %v110 = icmp slt i64 %r.108, %high2
  %v111 = and i1 %v109, %v110
  %v112 = icmp sge i64 %r.108, 4
  %v113 = and i1 %v107, %v111
  %v114 = and i1 %v112, %v113
  br i1 %v114, label %together.115, label %apart.116
together.115:
  %v118 = icmp sge i64 %r.104, %first_row
  %v119 = icmp slt i64 %r.104, %last_row
  %v120 = and i1 %v118, %v119
  %v130 = load <16 x i32>, ptr %ring1, align 64
  %v131 = bitcast <16 x i32> %v130 to <16 x float>
  %v132 = shufflevector <16 x float> %v131, <16 x float> poison, <16 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 4, i32 3, i32 2, i32 1>
  %v133 = bitcast <16 x float> %v132 to <16 x i32>
  %v134 = load <16 x i32>, ptr %ring1, align 64
  %v249 = urem i64 %r.104, 8
  %v250 = mul nsw i64 %v249, 112
  %ring2.row.251 = getelementptr float, ptr %ring2, i64 %v250
  %v163 = urem i64 %r.108, 8
  %v164 = mul nsw i64 %v163, 112
  %ring2.row.165 = getelementptr float, ptr %ring2, i64 %v164
  %v169 = add i64 %r.108, 1
  %v170 = call i64 @llvm.abs.i64(i64 %v169, i1 false)
  %v171 = sub i64 94, %v170
  %v172 = call i64 @llvm.smin.i64(i64 %v170, i64 %v171)
  %v173 = urem i64 %v172, 8
  %v174 = mul nsw i64 %v173, 112
  %ring2.row.175 = getelementptr float, ptr %ring2, i64 %v174
  %v178 = add i64 %r.108, -1
  %v179 = call i64 @llvm.abs.i64(i64 %v178, i1 false)
  %v180 = sub i64 94, %v179
  %v181 = call i64 @llvm.smin.i64(i64 %v179, i64 %v180)
  %v182 = urem i64 %v181, 8
  %v183 = mul nsw i64 %v182, 112
  %ring2.row.184 = getelementptr float, ptr %ring2, i64 %v183
  %v189 = add i64 %r.108, 2
  %v190 = call i64 @llvm.abs.i64(i64 %v189, i1 false)
  %v191 = sub i64 94, %v190
  %v192 = call i64 @llvm.smin.i64(i64 %v190, i64 %v191)
  %v193 = urem i64 %v192, 8
  %v194 = mul nsw i64 %v193, 112
  %ring2.row.195 = getelementptr float, ptr %ring2, i64 %v194
  %v198 = add i64 %r.108, -2
  %v199 = call i64 @llvm.abs.i64(i64 %v198, i1 false)
  %v200 = sub i64 94, %v199
  %v201 = call i64 @llvm.smin.i64(i64 %v199, i64 %v200)
  %v202 = urem i64 %v201, 8
  %v203 = mul nsw i64 %v202, 112
  %ring2.row.204 = getelementptr float, ptr %ring2, i64 %v203
  %v210 = add i64 %r.108, 3
  %v211 = call i64 @llvm.abs.i64(i64 %v210, i1 false)
  %v212 = sub i64 94, %v211
  %v213 = call i64 @llvm.smin.i64(i64 %v211, i64 %v212)
  %v214 = urem i64 %v213, 8
  %v215 = mul nsw i64 %v214, 112
  %ring2.row.216 = getelementptr float, ptr %ring2, i64 %v215
  %v219 = add i64 %r.108, -3
  %v220 = call i64 @llvm.abs.i64(i64 %v219, i1 false)
  %v221 = sub i64 94, %v220
  %v222 = call i64 @llvm.smin.i64(i64 %v220, i64 %v221)
  %v223 = urem i64 %v222, 8
  %v224 = mul nsw i64 %v223, 112
  %ring2.row.225 = getelementptr float, ptr %ring2, i64 %v224
  %v230 = add i64 %r.108, -4
  %v231 = call i64 @llvm.abs.i64(i64 %v230, i1 false)
  %v232 = sub i64 94, %v231
  %v233 = call i64 @llvm.smin.i64(i64 %v231, i64 %v232)
  %v234 = urem i64 %v233, 8
  %v235 = mul nsw i64 %v234, 112
  %ring2.row.236 = getelementptr float, ptr %ring2, i64 %v235
  %v253 = mul nsw i64 %r.108, 64
  %out.row.254 = getelementptr i8, ptr %output1, i64 %v253
  br label %across.258
across.258:
  %x.121 = phi i64 [ 0, %together.115 ], [ %x.121.next, %across.258 ]
  %before.125 = phi <16 x i32> [ %v133, %together.115 ], [ %here.126, %across.258 ]
  %here.126 = phi <16 x i32> [ %v134, %together.115 ], [ %v129, %across.258 ]
  %v122 = getelementptr float, ptr %ring1, i64 %x.121
  %v123 = load <16 x float>, ptr %v122, align 64
  %v124 = fmul <16 x float> %v123, splat (float 0x3FD9884A40000000)
  %v127 = getelementptr float, ptr %ring1, i64 %x.121
  %v128 = getelementptr float, ptr %v127, i64 16
  %v129 = load <16 x i32>, ptr %v128, align 64
  %v135 = shufflevector <16 x i32> %here.126, <16 x i32> %v129, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16>
  %v136 = bitcast <16 x i32> %v135 to <16 x float>
  %v137 = shufflevector <16 x i32> %before.125, <16 x i32> %here.126, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v138 = bitcast <16 x i32> %v137 to <16 x float>
  %v139 = fadd <16 x float> %v138, %v136
  %v140 = fmul <16 x float> %v139, splat (float 0x3FCEF8EBA0000000)
  %v141 = shufflevector <16 x i32> %here.126, <16 x i32> %v129, <16 x i32> <i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17>
  %v142 = bitcast <16 x i32> %v141 to <16 x float>
  %v143 = shufflevector <16 x i32> %before.125, <16 x i32> %here.126, <16 x i32> <i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29>
  %v144 = bitcast <16 x i32> %v143 to <16 x float>
  %v145 = fadd <16 x float> %v144, %v142
  %v146 = fmul <16 x float> %v145, splat (float 0x3FABA4B9A0000000)
  %v147 = fadd <16 x float> %v146, %v140
  %v148 = shufflevector <16 x i32> %here.126, <16 x i32> %v129, <16 x i32> <i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18>
  %v149 = bitcast <16 x i32> %v148 to <16 x float>
  %v150 = shufflevector <16 x i32> %before.125, <16 x i32> %here.126, <16 x i32> <i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28>
  %v151 = bitcast <16 x i32> %v150 to <16 x float>
  %v152 = fadd <16 x float> %v151, %v149
  %v153 = fmul <16 x float> %v152, splat (float 0x3F722724C0000000)
  %v154 = shufflevector <16 x i32> %here.126, <16 x i32> %v129, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19>
  %v155 = bitcast <16 x i32> %v154 to <16 x float>
  %v156 = shufflevector <16 x i32> %before.125, <16 x i32> %here.126, <16 x i32> <i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27>
  %v157 = bitcast <16 x i32> %v156 to <16 x float>
  %v158 = fadd <16 x float> %v157, %v155
  %v159 = fmul <16 x float> %v158, splat (float 0x3F218A9C40000000)
  %v160 = fadd <16 x float> %v159, %v153
  %v161 = fadd <16 x float> %v160, %v147
  %v162 = fadd <16 x float> %v161, %v124
  %v166 = getelementptr float, ptr %ring2.row.165, i64 %x.121
  %v167 = load <16 x float>, ptr %v166, align 64
  %v168 = fmul <16 x float> %v167, splat (float 0x3FD9884A40000000)
  %v176 = getelementptr float, ptr %ring2.row.175, i64 %x.121
  %v177 = load <16 x float>, ptr %v176, align 64
  %v185 = getelementptr float, ptr %ring2.row.184, i64 %x.121
  %v186 = load <16 x float>, ptr %v185, align 64
  %v187 = fadd <16 x float> %v186, %v177
  %v188 = fmul <16 x float> %v187, splat (float 0x3FCEF8EBA0000000)
  %v196 = getelementptr float, ptr %ring2.row.195, i64 %x.121
  %v197 = load <16 x float>, ptr %v196, align 64
  %v205 = getelementptr float, ptr %ring2.row.204, i64 %x.121
  %v206 = load <16 x float>, ptr %v205, align 64
  %v207 = fadd <16 x float> %v206, %v197
  %v208 = fmul <16 x float> %v207, splat (float 0x3FABA4B9A0000000)
  %v209 = fadd <16 x float> %v208, %v188
  %v217 = getelementptr float, ptr %ring2.row.216, i64 %x.121
  %v218 = load <16 x float>, ptr %v217, align 64
  %v226 = getelementptr float, ptr %ring2.row.225, i64 %x.121
  %v227 = load <16 x float>, ptr %v226, align 64
  %v228 = fadd <16 x float> %v227, %v218
  %v229 = fmul <16 x float> %v228, splat (float 0x3F722724C0000000)
  %v237 = getelementptr float, ptr %ring2.row.236, i64 %x.121
  %v238 = load <16 x float>, ptr %v237, align 64
  %v239 = fadd <16 x float> %v238, %v162
  %v240 = fmul <16 x float> %v239, splat (float 0x3F218A9C40000000)
  %v241 = fadd <16 x float> %v240, %v229
  %v242 = fadd <16 x float> %v241, %v209
  %v243 = fadd <16 x float> %v242, %v168
  %v248 = fcmp olt <16 x float> %v247, %v243
  %v252 = getelementptr float, ptr %ring2.row.251, i64 %x.121
  store <16 x float> %v162, ptr %v252, align 64
  %v255 = getelementptr i8, ptr %out.row.254, i64 %x.121
  %v256 = zext <16 x i1> %v248 to <16 x i8>
  %v257 = getelementptr i8, ptr %v255, i64 128
  call void @llvm.prefetch.p0(ptr %v257, i32 1, i32 3, i32 1)
  store <16 x i8> %v256, ptr %v255, align 1
  %x.121.next = add nuw nsw i64 %x.121, 16
  %x.121.more = icmp ult i64 %x.121.next, 64
  br i1 %x.121.more, label %across.258, label %across.end.259
across.end.259:
  br label %joined.117
apart.116:
  ; group 1: plane ring2; 4 rows ahead; 4 more above, 4 below
  %r.260 = add nsw i64 %s.37, 4
  %v261 = icmp sge i64 %r.260, %low1
  %v262 = icmp slt i64 %r.260, %high1
  %v263 = and i1 %v261, %v262
  br i1 %v263, label %group1.264, label %group1.end.265
group1.264:
  %v266 = icmp sge i64 %r.260, %first_row
  %v267 = icmp slt i64 %r.260, %last_row
  %v268 = and i1 %v266, %v267
  %v278 = load <16 x i32>, ptr %ring1, align 64
  %v279 = bitcast <16 x i32> %v278 to <16 x float>
  %v280 = shufflevector <16 x float> %v279, <16 x float> poison, <16 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 4, i32 3, i32 2, i32 1>
  %v281 = bitcast <16 x float> %v280 to <16 x i32>
  %v282 = load <16 x i32>, ptr %ring1, align 64
  %v311 = urem i64 %r.260, 8
  %v312 = mul nsw i64 %v311, 112
  %ring2.row.313 = getelementptr float, ptr %ring2, i64 %v312
  br label %across.315
across.315:
  %x.269 = phi i64 [ 0, %group1.264 ], [ %x.269.next, %across.315 ]
  %before.273 = phi <16 x i32> [ %v281, %group1.264 ], [ %here.274, %across.315 ]
  %here.274 = phi <16 x i32> [ %v282, %group1.264 ], [ %v277, %across.315 ]
  %v270 = getelementptr float, ptr %ring1, i64 %x.269
  %v271 = load <16 x float>, ptr %v270, align 64
  %v272 = fmul <16 x float> %v271, splat (float 0x3FD9884A40000000)
  %v275 = getelementptr float, ptr %ring1, i64 %x.269
  %v276 = getelementptr float, ptr %v275, i64 16
  %v277 = load <16 x i32>, ptr %v276, align 64
  %v283 = shufflevector <16 x i32> %here.274, <16 x i32> %v277, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16>
  %v284 = bitcast <16 x i32> %v283 to <16 x float>
  %v285 = shufflevector <16 x i32> %before.273, <16 x i32> %here.274, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v286 = bitcast <16 x i32> %v285 to <16 x float>
  %v287 = fadd <16 x float> %v286, %v284
  %v288 = fmul <16 x float> %v287, splat (float 0x3FCEF8EBA0000000)
  %v289 = shufflevector <16 x i32> %here.274, <16 x i32> %v277, <16 x i32> <i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17>
  %v290 = bitcast <16 x i32> %v289 to <16 x float>
  %v291 = shufflevector <16 x i32> %before.273, <16 x i32> %here.274, <16 x i32> <i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29>
  %v292 = bitcast <16 x i32> %v291 to <16 x float>
  %v293 = fadd <16 x float> %v292, %v290
  %v294 = fmul <16 x float> %v293, splat (float 0x3FABA4B9A0000000)
  %v295 = fadd <16 x float> %v294, %v288
  %v296 = shufflevector <16 x i32> %here.274, <16 x i32> %v277, <16 x i32> <i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18>
  %v297 = bitcast <16 x i32> %v296 to <16 x float>
  %v298 = shufflevector <16 x i32> %before.273, <16 x i32> %here.274, <16 x i32> <i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28>
  %v299 = bitcast <16 x i32> %v298 to <16 x float>
  %v300 = fadd <16 x float> %v299, %v297
  %v301 = fmul <16 x float> %v300, splat (float 0x3F722724C0000000)
  %v302 = shufflevector <16 x i32> %here.274, <16 x i32> %v277, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19>
  %v303 = bitcast <16 x i32> %v302 to <16 x float>
  %v304 = shufflevector <16 x i32> %before.273, <16 x i32> %here.274, <16 x i32> <i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27>
  %v305 = bitcast <16 x i32> %v304 to <16 x float>
  %v306 = fadd <16 x float> %v305, %v303
  %v307 = fmul <16 x float> %v306, splat (float 0x3F218A9C40000000)
  %v308 = fadd <16 x float> %v307, %v301
  %v309 = fadd <16 x float> %v308, %v295
  %v310 = fadd <16 x float> %v309, %v272
  %v314 = getelementptr float, ptr %ring2.row.313, i64 %x.269
  store <16 x float> %v310, ptr %v314, align 64
  %x.269.next = add nuw nsw i64 %x.269, 16
  %x.269.more = icmp ult i64 %x.269.next, 64
  br i1 %x.269.more, label %across.315, label %across.end.316
across.end.316:
  br label %group1.end.265
group1.end.265:
  ; group 2: output; 0 rows ahead; 0 more above, 0 below
  %r.317 = add nsw i64 %s.37, 0
  %v318 = icmp sge i64 %r.317, %low2
  %v319 = icmp slt i64 %r.317, %high2
  %v320 = and i1 %v318, %v319
  br i1 %v320, label %group2.321, label %group2.end.322
group2.321:
  %v324 = urem i64 %r.317, 8
  %v325 = mul nsw i64 %v324, 112
  %ring2.row.326 = getelementptr float, ptr %ring2, i64 %v325
  %v330 = add i64 %r.317, 1
  %v331 = call i64 @llvm.abs.i64(i64 %v330, i1 false)
  %v332 = sub i64 94, %v331
  %v333 = call i64 @llvm.smin.i64(i64 %v331, i64 %v332)
  %v334 = urem i64 %v333, 8
  %v335 = mul nsw i64 %v334, 112
  %ring2.row.336 = getelementptr float, ptr %ring2, i64 %v335
  %v339 = add i64 %r.317, -1
  %v340 = call i64 @llvm.abs.i64(i64 %v339, i1 false)
  %v341 = sub i64 94, %v340
  %v342 = call i64 @llvm.smin.i64(i64 %v340, i64 %v341)
  %v343 = urem i64 %v342, 8
  %v344 = mul nsw i64 %v343, 112
  %ring2.row.345 = getelementptr float, ptr %ring2, i64 %v344
  %v350 = add i64 %r.317, 2
  %v351 = call i64 @llvm.abs.i64(i64 %v350, i1 false)
  %v352 = sub i64 94, %v351
  %v353 = call i64 @llvm.smin.i64(i64 %v351, i64 %v352)
  %v354 = urem i64 %v353, 8
  %v355 = mul nsw i64 %v354, 112
  %ring2.row.356 = getelementptr float, ptr %ring2, i64 %v355
  %v359 = add i64 %r.317, -2
  %v360 = call i64 @llvm.abs.i64(i64 %v359, i1 false)
  %v361 = sub i64 94, %v360
  %v362 = call i64 @llvm.smin.i64(i64 %v360, i64 %v361)
  %v363 = urem i64 %v362, 8
  %v364 = mul nsw i64 %v363, 112
  %ring2.row.365 = getelementptr float, ptr %ring2, i64 %v364
  %v371 = add i64 %r.317, 3
  %v372 = call i64 @llvm.abs.i64(i64 %v371, i1 false)
  %v373 = sub i64 94, %v372
  %v374 = call i64 @llvm.smin.i64(i64 %v372, i64 %v373)
  %v375 = urem i64 %v374, 8
  %v376 = mul nsw i64 %v375, 112
  %ring2.row.377 = getelementptr float, ptr %ring2, i64 %v376
  %v380 = add i64 %r.317, -3
  %v381 = call i64 @llvm.abs.i64(i64 %v380, i1 false)
  %v382 = sub i64 94, %v381
  %v383 = call i64 @llvm.smin.i64(i64 %v381, i64 %v382)
  %v384 = urem i64 %v383, 8
  %v385 = mul nsw i64 %v384, 112
  %ring2.row.386 = getelementptr float, ptr %ring2, i64 %v385
  %v391 = add i64 %r.317, 4
  %v392 = call i64 @llvm.abs.i64(i64 %v391, i1 false)
  %v393 = sub i64 94, %v392
  %v394 = call i64 @llvm.smin.i64(i64 %v392, i64 %v393)
  %v395 = urem i64 %v394, 8
  %v396 = mul nsw i64 %v395, 112
  %ring2.row.397 = getelementptr float, ptr %ring2, i64 %v396
  %v400 = add i64 %r.317, -4
  %v401 = call i64 @llvm.abs.i64(i64 %v400, i1 false)
  %v402 = sub i64 94, %v401
  %v403 = call i64 @llvm.smin.i64(i64 %v401, i64 %v402)
  %v404 = urem i64 %v403, 8
  %v405 = mul nsw i64 %v404, 112
  %ring2.row.406 = getelementptr float, ptr %ring2, i64 %v405
  %v415 = mul nsw i64 %r.317, 64
  %out.row.416 = getelementptr i8, ptr %output1, i64 %v415
  br label %across.420
across.420:
  %x.323 = phi i64 [ 0, %group2.321 ], [ %x.323.next, %across.420 ]
  %v327 = getelementptr float, ptr %ring2.row.326, i64 %x.323
  %v328 = load <16 x float>, ptr %v327, align 64
  %v329 = fmul <16 x float> %v328, splat (float 0x3FD9884A40000000)
  %v337 = getelementptr float, ptr %ring2.row.336, i64 %x.323
  %v338 = load <16 x float>, ptr %v337, align 64
  %v346 = getelementptr float, ptr %ring2.row.345, i64 %x.323
  %v347 = load <16 x float>, ptr %v346, align 64
  %v348 = fadd <16 x float> %v347, %v338
  %v349 = fmul <16 x float> %v348, splat (float 0x3FCEF8EBA0000000)
  %v357 = getelementptr float, ptr %ring2.row.356, i64 %x.323
  %v358 = load <16 x float>, ptr %v357, align 64
  %v366 = getelementptr float, ptr %ring2.row.365, i64 %x.323
  %v367 = load <16 x float>, ptr %v366, align 64
  %v368 = fadd <16 x float> %v367, %v358
  %v369 = fmul <16 x float> %v368, splat (float 0x3FABA4B9A0000000)
  %v370 = fadd <16 x float> %v369, %v349
  %v378 = getelementptr float, ptr %ring2.row.377, i64 %x.323
  %v379 = load <16 x float>, ptr %v378, align 64
  %v387 = getelementptr float, ptr %ring2.row.386, i64 %x.323
  %v388 = load <16 x float>, ptr %v387, align 64
  %v389 = fadd <16 x float> %v388, %v379
  %v390 = fmul <16 x float> %v389, splat (float 0x3F722724C0000000)
  %v398 = getelementptr float, ptr %ring2.row.397, i64 %x.323
  %v399 = load <16 x float>, ptr %v398, align 64
  %v407 = getelementptr float, ptr %ring2.row.406, i64 %x.323
  %v408 = load <16 x float>, ptr %v407, align 64
  %v409 = fadd <16 x float> %v408, %v399
  %v410 = fmul <16 x float> %v409, splat (float 0x3F218A9C40000000)
  %v411 = fadd <16 x float> %v410, %v390
  %v412 = fadd <16 x float> %v411, %v370
  %v413 = fadd <16 x float> %v412, %v329
  %v414 = fcmp olt <16 x float> %v247, %v413
  %v417 = getelementptr i8, ptr %out.row.416, i64 %x.323
  %v418 = zext <16 x i1> %v414 to <16 x i8>
  %v419 = getelementptr i8, ptr %v417, i64 128
  call void @llvm.prefetch.p0(ptr %v419, i32 1, i32 3, i32 1)
  store <16 x i8> %v418, ptr %v417, align 1
  %x.323.next = add nuw nsw i64 %x.323, 16
  %x.323.more = icmp ult i64 %x.323.next, 64
  br i1 %x.323.more, label %across.420, label %across.end.421
across.end.421:
  br label %group2.end.322
group2.end.322:
  br label %joined.117
joined.117:
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

; bodies: a host function, nothing is generated
