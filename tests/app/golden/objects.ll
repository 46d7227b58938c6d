; gray+scale+smooth+mask
;
; in0: 64x48 u8
; scale.out: 64x48 f32, leaves
; mask.out: 64x48 bool, leaves
; mask.level: f32, an argument
; pass 0, images of 64x48
;   ring1: f32, 1 row, reflect101 4 px left and 4 px right
;   ring2: f32, 8 rows
;   row y+4, from 4 above the strip to 4 below, 16 pixels a vector:
;     t1 = f32(in0[y, x])
;     ring1 = (t1 * 0.003921627998352051) + (t1 * -5.9370901084321304e-08)
;     scale.out = ring1
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
  %frames = load i64, ptr %v3, align 8
  %v4 = getelementptr i8, ptr %args, i64 24
  %is_first = load i64, ptr %v4, align 8
  %v5 = getelementptr i8, ptr %args, i64 32
  %images = load ptr, ptr %v5, align 8
  %v6 = getelementptr i8, ptr %args, i64 40
  %scratch = load ptr, ptr %v6, align 8
  %v7 = sub i64 %first_row, 4
  %v8 = add i64 %last_row, 4
  %low0 = call i64 @llvm.smax.i64(i64 %v7, i64 0)
  %high0 = call i64 @llvm.smin.i64(i64 %v8, i64 48)
  %v9 = sub i64 %first_row, 4
  %v10 = add i64 %last_row, 4
  %low1 = call i64 @llvm.smax.i64(i64 %v9, i64 0)
  %high1 = call i64 @llvm.smin.i64(i64 %v10, i64 48)
  %v11 = sub i64 %first_row, 0
  %v12 = add i64 %last_row, 0
  %low2 = call i64 @llvm.smax.i64(i64 %v11, i64 0)
  %high2 = call i64 @llvm.smin.i64(i64 %v12, i64 48)
  %v13 = sub i64 %low0, 4
  %v14 = sub i64 %low1, 4
  %v15 = sub i64 %low2, 0
  %v16 = sub i64 %high0, 4
  %v17 = sub i64 %high1, 4
  %v18 = sub i64 %high2, 0
  %v19 = call i64 @llvm.smin.i64(i64 %v13, i64 %v14)
  %v20 = call i64 @llvm.smin.i64(i64 %v19, i64 %v15)
  %v21 = call i64 @llvm.smax.i64(i64 %v16, i64 %v17)
  %v22 = call i64 @llvm.smax.i64(i64 %v21, i64 %v18)
  %ring1 = getelementptr i8, ptr %scratch, i64 128
  %ring2 = getelementptr i8, ptr %scratch, i64 640
  %v242 = getelementptr i8, ptr %args, i64 48
  %param.243 = load float, ptr %v242, align 8
  %v244 = insertelement <16 x float> poison, float %param.243, i64 0
  %v245 = shufflevector <16 x float> %v244, <16 x float> poison, <16 x i32> zeroinitializer
  br label %t.23
t.23:
  %t.26 = phi i64 [ 0, %entry ], [ %t.26.next, %t.next.27 ]
  %v28 = icmp slt i64 %t.26, %frames
  br i1 %v28, label %t.do.24, label %t.end.25
t.do.24:
  %v420 = mul i64 %frames, 0
  %v421 = add i64 %v420, %t.26
  %v422 = getelementptr ptr, ptr %images, i64 %v421
  %input0 = load ptr, ptr %v422, align 8
  %v423 = mul i64 %frames, 1
  %v424 = add i64 %v423, %t.26
  %v425 = getelementptr ptr, ptr %images, i64 %v424
  %output0 = load ptr, ptr %v425, align 8
  %v426 = mul i64 %frames, 2
  %v427 = add i64 %v426, %t.26
  %v428 = getelementptr ptr, ptr %images, i64 %v427
  %output1 = load ptr, ptr %v428, align 8
  %v29 = icmp eq i64 %t.26, 0
  %v30 = icmp ne i64 %is_first, 0
  %v31 = and i1 %v29, %v30
  br label %step.32
step.32:
  %s.35 = phi i64 [ %v20, %t.do.24 ], [ %s.35.next, %step.next.36 ]
  %v37 = icmp slt i64 %s.35, %v22
  br i1 %v37, label %step.do.33, label %step.end.34
step.do.33:
  ; group 0: plane ring1, output; 4 rows ahead; 4 more above, 4 below
  %r.38 = add nsw i64 %s.35, 4
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
  %v59 = mul nsw i64 %r.38, 64
  %out.row.60 = getelementptr float, ptr %output0, i64 %v59
  %v61 = getelementptr i8, ptr %scratch, i64 4224
  %out.row.62 = select i1 %v46, ptr %out.row.60, ptr %v61
  br label %across.76
across.76:
  %x.47 = phi i64 [ 0, %group0.42 ], [ %x.47.next, %across.76 ]
  %v50 = getelementptr i8, ptr %in.row.49, i64 %x.47
  %v51 = getelementptr i8, ptr %v50, i64 128
  call void @llvm.prefetch.p0(ptr %v51, i32 0, i32 3, i32 1)
  %v52 = load <16 x i8>, ptr %v50, align 1
  %v53 = zext <16 x i8> %v52 to <16 x i32>
  %v54 = sitofp <16 x i32> %v53 to <16 x float>
  %v55 = fmul <16 x float> %v54, splat (float 0xBE6FDFDFE0000000)
  %v56 = fmul <16 x float> %v54, splat (float 0x3F70102000000000)
  %v57 = fadd <16 x float> %v56, %v55
  %v58 = getelementptr float, ptr %ring1, i64 %x.47
  store <16 x float> %v57, ptr %v58, align 64
  %v63 = getelementptr float, ptr %out.row.62, i64 %x.47
  %v64 = getelementptr i8, ptr %v63, i64 512
  call void @llvm.prefetch.p0(ptr %v64, i32 1, i32 3, i32 1)
  store <16 x float> %v57, ptr %v63, align 4
  %v65 = add i64 %x.47, 16
  %v66 = getelementptr i8, ptr %in.row.49, i64 %v65
  %v67 = load <16 x i8>, ptr %v66, align 1
  %v68 = zext <16 x i8> %v67 to <16 x i32>
  %v69 = sitofp <16 x i32> %v68 to <16 x float>
  %v70 = fmul <16 x float> %v69, splat (float 0xBE6FDFDFE0000000)
  %v71 = fmul <16 x float> %v69, splat (float 0x3F70102000000000)
  %v72 = fadd <16 x float> %v71, %v70
  %v73 = getelementptr float, ptr %ring1, i64 %v65
  store <16 x float> %v72, ptr %v73, align 64
  %v74 = getelementptr float, ptr %out.row.62, i64 %v65
  %v75 = getelementptr i8, ptr %v74, i64 512
  call void @llvm.prefetch.p0(ptr %v75, i32 1, i32 3, i32 1)
  store <16 x float> %v72, ptr %v74, align 4
  %x.47.next = add nuw nsw i64 %x.47, 32
  %x.47.more = icmp ult i64 %x.47.next, 64
  br i1 %x.47.more, label %across.76, label %across.end.77
across.end.77:
  %v78 = getelementptr float, ptr %ring1, i64 4
  %v79 = load float, ptr %v78
  %v80 = getelementptr float, ptr %ring1, i64 -4
  store float %v79, ptr %v80
  %v81 = getelementptr float, ptr %ring1, i64 3
  %v82 = load float, ptr %v81
  %v83 = getelementptr float, ptr %ring1, i64 -3
  store float %v82, ptr %v83
  %v84 = getelementptr float, ptr %ring1, i64 2
  %v85 = load float, ptr %v84
  %v86 = getelementptr float, ptr %ring1, i64 -2
  store float %v85, ptr %v86
  %v87 = getelementptr float, ptr %ring1, i64 1
  %v88 = load float, ptr %v87
  %v89 = getelementptr float, ptr %ring1, i64 -1
  store float %v88, ptr %v89
  %v90 = getelementptr float, ptr %ring1, i64 62
  %v91 = load float, ptr %v90
  %v92 = getelementptr float, ptr %ring1, i64 64
  store float %v91, ptr %v92
  %v93 = getelementptr float, ptr %ring1, i64 61
  %v94 = load float, ptr %v93
  %v95 = getelementptr float, ptr %ring1, i64 65
  store float %v94, ptr %v95
  %v96 = getelementptr float, ptr %ring1, i64 60
  %v97 = load float, ptr %v96
  %v98 = getelementptr float, ptr %ring1, i64 66
  store float %v97, ptr %v98
  %v99 = getelementptr float, ptr %ring1, i64 59
  %v100 = load float, ptr %v99
  %v101 = getelementptr float, ptr %ring1, i64 67
  store float %v100, ptr %v101
  br label %group0.end.43
group0.end.43:
  ; group 1: plane ring2; 4 rows ahead; 4 more above, 4 below
  %r.102 = add nsw i64 %s.35, 4
  %v103 = icmp sge i64 %r.102, %low1
  %v104 = icmp slt i64 %r.102, %high1
  %v105 = and i1 %v103, %v104
  ; group 2: output; 0 rows ahead; 0 more above, 0 below
  %r.106 = add nsw i64 %s.35, 0
  %v107 = icmp sge i64 %r.106, %low2
  %v108 = icmp slt i64 %r.106, %high2
  %v109 = and i1 %v107, %v108
  %v110 = icmp sge i64 %r.106, 4
  %v111 = and i1 %v105, %v109
  %v112 = and i1 %v110, %v111
  br i1 %v112, label %together.113, label %apart.114
together.113:
  %v116 = icmp sge i64 %r.102, %first_row
  %v117 = icmp slt i64 %r.102, %last_row
  %v118 = and i1 %v116, %v117
  %v128 = load <16 x i32>, ptr %ring1, align 64
  %v129 = bitcast <16 x i32> %v128 to <16 x float>
  %v130 = shufflevector <16 x float> %v129, <16 x float> poison, <16 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 4, i32 3, i32 2, i32 1>
  %v131 = bitcast <16 x float> %v130 to <16 x i32>
  %v132 = load <16 x i32>, ptr %ring1, align 64
  %v247 = urem i64 %r.102, 8
  %v248 = mul nsw i64 %v247, 112
  %ring2.row.249 = getelementptr float, ptr %ring2, i64 %v248
  %v161 = urem i64 %r.106, 8
  %v162 = mul nsw i64 %v161, 112
  %ring2.row.163 = getelementptr float, ptr %ring2, i64 %v162
  %v167 = add i64 %r.106, 1
  %v168 = call i64 @llvm.abs.i64(i64 %v167, i1 false)
  %v169 = sub i64 94, %v168
  %v170 = call i64 @llvm.smin.i64(i64 %v168, i64 %v169)
  %v171 = urem i64 %v170, 8
  %v172 = mul nsw i64 %v171, 112
  %ring2.row.173 = getelementptr float, ptr %ring2, i64 %v172
  %v176 = add i64 %r.106, -1
  %v177 = call i64 @llvm.abs.i64(i64 %v176, i1 false)
  %v178 = sub i64 94, %v177
  %v179 = call i64 @llvm.smin.i64(i64 %v177, i64 %v178)
  %v180 = urem i64 %v179, 8
  %v181 = mul nsw i64 %v180, 112
  %ring2.row.182 = getelementptr float, ptr %ring2, i64 %v181
  %v187 = add i64 %r.106, 2
  %v188 = call i64 @llvm.abs.i64(i64 %v187, i1 false)
  %v189 = sub i64 94, %v188
  %v190 = call i64 @llvm.smin.i64(i64 %v188, i64 %v189)
  %v191 = urem i64 %v190, 8
  %v192 = mul nsw i64 %v191, 112
  %ring2.row.193 = getelementptr float, ptr %ring2, i64 %v192
  %v196 = add i64 %r.106, -2
  %v197 = call i64 @llvm.abs.i64(i64 %v196, i1 false)
  %v198 = sub i64 94, %v197
  %v199 = call i64 @llvm.smin.i64(i64 %v197, i64 %v198)
  %v200 = urem i64 %v199, 8
  %v201 = mul nsw i64 %v200, 112
  %ring2.row.202 = getelementptr float, ptr %ring2, i64 %v201
  %v208 = add i64 %r.106, 3
  %v209 = call i64 @llvm.abs.i64(i64 %v208, i1 false)
  %v210 = sub i64 94, %v209
  %v211 = call i64 @llvm.smin.i64(i64 %v209, i64 %v210)
  %v212 = urem i64 %v211, 8
  %v213 = mul nsw i64 %v212, 112
  %ring2.row.214 = getelementptr float, ptr %ring2, i64 %v213
  %v217 = add i64 %r.106, -3
  %v218 = call i64 @llvm.abs.i64(i64 %v217, i1 false)
  %v219 = sub i64 94, %v218
  %v220 = call i64 @llvm.smin.i64(i64 %v218, i64 %v219)
  %v221 = urem i64 %v220, 8
  %v222 = mul nsw i64 %v221, 112
  %ring2.row.223 = getelementptr float, ptr %ring2, i64 %v222
  %v228 = add i64 %r.106, -4
  %v229 = call i64 @llvm.abs.i64(i64 %v228, i1 false)
  %v230 = sub i64 94, %v229
  %v231 = call i64 @llvm.smin.i64(i64 %v229, i64 %v230)
  %v232 = urem i64 %v231, 8
  %v233 = mul nsw i64 %v232, 112
  %ring2.row.234 = getelementptr float, ptr %ring2, i64 %v233
  %v251 = mul nsw i64 %r.106, 64
  %out.row.252 = getelementptr i8, ptr %output1, i64 %v251
  br label %across.256
across.256:
  %x.119 = phi i64 [ 0, %together.113 ], [ %x.119.next, %across.256 ]
  %before.123 = phi <16 x i32> [ %v131, %together.113 ], [ %here.124, %across.256 ]
  %here.124 = phi <16 x i32> [ %v132, %together.113 ], [ %v127, %across.256 ]
  %v120 = getelementptr float, ptr %ring1, i64 %x.119
  %v121 = load <16 x float>, ptr %v120, align 64
  %v122 = fmul <16 x float> %v121, splat (float 0x3FD9884A40000000)
  %v125 = getelementptr float, ptr %ring1, i64 %x.119
  %v126 = getelementptr float, ptr %v125, i64 16
  %v127 = load <16 x i32>, ptr %v126, align 64
  %v133 = shufflevector <16 x i32> %here.124, <16 x i32> %v127, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16>
  %v134 = bitcast <16 x i32> %v133 to <16 x float>
  %v135 = shufflevector <16 x i32> %before.123, <16 x i32> %here.124, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v136 = bitcast <16 x i32> %v135 to <16 x float>
  %v137 = fadd <16 x float> %v136, %v134
  %v138 = fmul <16 x float> %v137, splat (float 0x3FCEF8EBA0000000)
  %v139 = shufflevector <16 x i32> %here.124, <16 x i32> %v127, <16 x i32> <i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17>
  %v140 = bitcast <16 x i32> %v139 to <16 x float>
  %v141 = shufflevector <16 x i32> %before.123, <16 x i32> %here.124, <16 x i32> <i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29>
  %v142 = bitcast <16 x i32> %v141 to <16 x float>
  %v143 = fadd <16 x float> %v142, %v140
  %v144 = fmul <16 x float> %v143, splat (float 0x3FABA4B9A0000000)
  %v145 = fadd <16 x float> %v144, %v138
  %v146 = shufflevector <16 x i32> %here.124, <16 x i32> %v127, <16 x i32> <i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18>
  %v147 = bitcast <16 x i32> %v146 to <16 x float>
  %v148 = shufflevector <16 x i32> %before.123, <16 x i32> %here.124, <16 x i32> <i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28>
  %v149 = bitcast <16 x i32> %v148 to <16 x float>
  %v150 = fadd <16 x float> %v149, %v147
  %v151 = fmul <16 x float> %v150, splat (float 0x3F722724C0000000)
  %v152 = shufflevector <16 x i32> %here.124, <16 x i32> %v127, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19>
  %v153 = bitcast <16 x i32> %v152 to <16 x float>
  %v154 = shufflevector <16 x i32> %before.123, <16 x i32> %here.124, <16 x i32> <i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27>
  %v155 = bitcast <16 x i32> %v154 to <16 x float>
  %v156 = fadd <16 x float> %v155, %v153
  %v157 = fmul <16 x float> %v156, splat (float 0x3F218A9C40000000)
  %v158 = fadd <16 x float> %v157, %v151
  %v159 = fadd <16 x float> %v158, %v145
  %v160 = fadd <16 x float> %v159, %v122
  %v164 = getelementptr float, ptr %ring2.row.163, i64 %x.119
  %v165 = load <16 x float>, ptr %v164, align 64
  %v166 = fmul <16 x float> %v165, splat (float 0x3FD9884A40000000)
  %v174 = getelementptr float, ptr %ring2.row.173, i64 %x.119
  %v175 = load <16 x float>, ptr %v174, align 64
  %v183 = getelementptr float, ptr %ring2.row.182, i64 %x.119
  %v184 = load <16 x float>, ptr %v183, align 64
  %v185 = fadd <16 x float> %v184, %v175
  %v186 = fmul <16 x float> %v185, splat (float 0x3FCEF8EBA0000000)
  %v194 = getelementptr float, ptr %ring2.row.193, i64 %x.119
  %v195 = load <16 x float>, ptr %v194, align 64
  %v203 = getelementptr float, ptr %ring2.row.202, i64 %x.119
  %v204 = load <16 x float>, ptr %v203, align 64
  %v205 = fadd <16 x float> %v204, %v195
  %v206 = fmul <16 x float> %v205, splat (float 0x3FABA4B9A0000000)
  %v207 = fadd <16 x float> %v206, %v186
  %v215 = getelementptr float, ptr %ring2.row.214, i64 %x.119
  %v216 = load <16 x float>, ptr %v215, align 64
  %v224 = getelementptr float, ptr %ring2.row.223, i64 %x.119
  %v225 = load <16 x float>, ptr %v224, align 64
  %v226 = fadd <16 x float> %v225, %v216
  %v227 = fmul <16 x float> %v226, splat (float 0x3F722724C0000000)
  %v235 = getelementptr float, ptr %ring2.row.234, i64 %x.119
  %v236 = load <16 x float>, ptr %v235, align 64
  %v237 = fadd <16 x float> %v236, %v160
  %v238 = fmul <16 x float> %v237, splat (float 0x3F218A9C40000000)
  %v239 = fadd <16 x float> %v238, %v227
  %v240 = fadd <16 x float> %v239, %v207
  %v241 = fadd <16 x float> %v240, %v166
  %v246 = fcmp olt <16 x float> %v245, %v241
  %v250 = getelementptr float, ptr %ring2.row.249, i64 %x.119
  store <16 x float> %v160, ptr %v250, align 64
  %v253 = getelementptr i8, ptr %out.row.252, i64 %x.119
  %v254 = zext <16 x i1> %v246 to <16 x i8>
  %v255 = getelementptr i8, ptr %v253, i64 128
  call void @llvm.prefetch.p0(ptr %v255, i32 1, i32 3, i32 1)
  store <16 x i8> %v254, ptr %v253, align 1
  %x.119.next = add nuw nsw i64 %x.119, 16
  %x.119.more = icmp ult i64 %x.119.next, 64
  br i1 %x.119.more, label %across.256, label %across.end.257
across.end.257:
  br label %joined.115
apart.114:
  ; group 1: plane ring2; 4 rows ahead; 4 more above, 4 below
  %r.258 = add nsw i64 %s.35, 4
  %v259 = icmp sge i64 %r.258, %low1
  %v260 = icmp slt i64 %r.258, %high1
  %v261 = and i1 %v259, %v260
  br i1 %v261, label %group1.262, label %group1.end.263
group1.262:
  %v264 = icmp sge i64 %r.258, %first_row
  %v265 = icmp slt i64 %r.258, %last_row
  %v266 = and i1 %v264, %v265
  %v276 = load <16 x i32>, ptr %ring1, align 64
  %v277 = bitcast <16 x i32> %v276 to <16 x float>
  %v278 = shufflevector <16 x float> %v277, <16 x float> poison, <16 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 4, i32 3, i32 2, i32 1>
  %v279 = bitcast <16 x float> %v278 to <16 x i32>
  %v280 = load <16 x i32>, ptr %ring1, align 64
  %v309 = urem i64 %r.258, 8
  %v310 = mul nsw i64 %v309, 112
  %ring2.row.311 = getelementptr float, ptr %ring2, i64 %v310
  br label %across.313
across.313:
  %x.267 = phi i64 [ 0, %group1.262 ], [ %x.267.next, %across.313 ]
  %before.271 = phi <16 x i32> [ %v279, %group1.262 ], [ %here.272, %across.313 ]
  %here.272 = phi <16 x i32> [ %v280, %group1.262 ], [ %v275, %across.313 ]
  %v268 = getelementptr float, ptr %ring1, i64 %x.267
  %v269 = load <16 x float>, ptr %v268, align 64
  %v270 = fmul <16 x float> %v269, splat (float 0x3FD9884A40000000)
  %v273 = getelementptr float, ptr %ring1, i64 %x.267
  %v274 = getelementptr float, ptr %v273, i64 16
  %v275 = load <16 x i32>, ptr %v274, align 64
  %v281 = shufflevector <16 x i32> %here.272, <16 x i32> %v275, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16>
  %v282 = bitcast <16 x i32> %v281 to <16 x float>
  %v283 = shufflevector <16 x i32> %before.271, <16 x i32> %here.272, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v284 = bitcast <16 x i32> %v283 to <16 x float>
  %v285 = fadd <16 x float> %v284, %v282
  %v286 = fmul <16 x float> %v285, splat (float 0x3FCEF8EBA0000000)
  %v287 = shufflevector <16 x i32> %here.272, <16 x i32> %v275, <16 x i32> <i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17>
  %v288 = bitcast <16 x i32> %v287 to <16 x float>
  %v289 = shufflevector <16 x i32> %before.271, <16 x i32> %here.272, <16 x i32> <i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29>
  %v290 = bitcast <16 x i32> %v289 to <16 x float>
  %v291 = fadd <16 x float> %v290, %v288
  %v292 = fmul <16 x float> %v291, splat (float 0x3FABA4B9A0000000)
  %v293 = fadd <16 x float> %v292, %v286
  %v294 = shufflevector <16 x i32> %here.272, <16 x i32> %v275, <16 x i32> <i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18>
  %v295 = bitcast <16 x i32> %v294 to <16 x float>
  %v296 = shufflevector <16 x i32> %before.271, <16 x i32> %here.272, <16 x i32> <i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28>
  %v297 = bitcast <16 x i32> %v296 to <16 x float>
  %v298 = fadd <16 x float> %v297, %v295
  %v299 = fmul <16 x float> %v298, splat (float 0x3F722724C0000000)
  %v300 = shufflevector <16 x i32> %here.272, <16 x i32> %v275, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19>
  %v301 = bitcast <16 x i32> %v300 to <16 x float>
  %v302 = shufflevector <16 x i32> %before.271, <16 x i32> %here.272, <16 x i32> <i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27>
  %v303 = bitcast <16 x i32> %v302 to <16 x float>
  %v304 = fadd <16 x float> %v303, %v301
  %v305 = fmul <16 x float> %v304, splat (float 0x3F218A9C40000000)
  %v306 = fadd <16 x float> %v305, %v299
  %v307 = fadd <16 x float> %v306, %v293
  %v308 = fadd <16 x float> %v307, %v270
  %v312 = getelementptr float, ptr %ring2.row.311, i64 %x.267
  store <16 x float> %v308, ptr %v312, align 64
  %x.267.next = add nuw nsw i64 %x.267, 16
  %x.267.more = icmp ult i64 %x.267.next, 64
  br i1 %x.267.more, label %across.313, label %across.end.314
across.end.314:
  br label %group1.end.263
group1.end.263:
  ; group 2: output; 0 rows ahead; 0 more above, 0 below
  %r.315 = add nsw i64 %s.35, 0
  %v316 = icmp sge i64 %r.315, %low2
  %v317 = icmp slt i64 %r.315, %high2
  %v318 = and i1 %v316, %v317
  br i1 %v318, label %group2.319, label %group2.end.320
group2.319:
  %v322 = urem i64 %r.315, 8
  %v323 = mul nsw i64 %v322, 112
  %ring2.row.324 = getelementptr float, ptr %ring2, i64 %v323
  %v328 = add i64 %r.315, 1
  %v329 = call i64 @llvm.abs.i64(i64 %v328, i1 false)
  %v330 = sub i64 94, %v329
  %v331 = call i64 @llvm.smin.i64(i64 %v329, i64 %v330)
  %v332 = urem i64 %v331, 8
  %v333 = mul nsw i64 %v332, 112
  %ring2.row.334 = getelementptr float, ptr %ring2, i64 %v333
  %v337 = add i64 %r.315, -1
  %v338 = call i64 @llvm.abs.i64(i64 %v337, i1 false)
  %v339 = sub i64 94, %v338
  %v340 = call i64 @llvm.smin.i64(i64 %v338, i64 %v339)
  %v341 = urem i64 %v340, 8
  %v342 = mul nsw i64 %v341, 112
  %ring2.row.343 = getelementptr float, ptr %ring2, i64 %v342
  %v348 = add i64 %r.315, 2
  %v349 = call i64 @llvm.abs.i64(i64 %v348, i1 false)
  %v350 = sub i64 94, %v349
  %v351 = call i64 @llvm.smin.i64(i64 %v349, i64 %v350)
  %v352 = urem i64 %v351, 8
  %v353 = mul nsw i64 %v352, 112
  %ring2.row.354 = getelementptr float, ptr %ring2, i64 %v353
  %v357 = add i64 %r.315, -2
  %v358 = call i64 @llvm.abs.i64(i64 %v357, i1 false)
  %v359 = sub i64 94, %v358
  %v360 = call i64 @llvm.smin.i64(i64 %v358, i64 %v359)
  %v361 = urem i64 %v360, 8
  %v362 = mul nsw i64 %v361, 112
  %ring2.row.363 = getelementptr float, ptr %ring2, i64 %v362
  %v369 = add i64 %r.315, 3
  %v370 = call i64 @llvm.abs.i64(i64 %v369, i1 false)
  %v371 = sub i64 94, %v370
  %v372 = call i64 @llvm.smin.i64(i64 %v370, i64 %v371)
  %v373 = urem i64 %v372, 8
  %v374 = mul nsw i64 %v373, 112
  %ring2.row.375 = getelementptr float, ptr %ring2, i64 %v374
  %v378 = add i64 %r.315, -3
  %v379 = call i64 @llvm.abs.i64(i64 %v378, i1 false)
  %v380 = sub i64 94, %v379
  %v381 = call i64 @llvm.smin.i64(i64 %v379, i64 %v380)
  %v382 = urem i64 %v381, 8
  %v383 = mul nsw i64 %v382, 112
  %ring2.row.384 = getelementptr float, ptr %ring2, i64 %v383
  %v389 = add i64 %r.315, 4
  %v390 = call i64 @llvm.abs.i64(i64 %v389, i1 false)
  %v391 = sub i64 94, %v390
  %v392 = call i64 @llvm.smin.i64(i64 %v390, i64 %v391)
  %v393 = urem i64 %v392, 8
  %v394 = mul nsw i64 %v393, 112
  %ring2.row.395 = getelementptr float, ptr %ring2, i64 %v394
  %v398 = add i64 %r.315, -4
  %v399 = call i64 @llvm.abs.i64(i64 %v398, i1 false)
  %v400 = sub i64 94, %v399
  %v401 = call i64 @llvm.smin.i64(i64 %v399, i64 %v400)
  %v402 = urem i64 %v401, 8
  %v403 = mul nsw i64 %v402, 112
  %ring2.row.404 = getelementptr float, ptr %ring2, i64 %v403
  %v413 = mul nsw i64 %r.315, 64
  %out.row.414 = getelementptr i8, ptr %output1, i64 %v413
  br label %across.418
across.418:
  %x.321 = phi i64 [ 0, %group2.319 ], [ %x.321.next, %across.418 ]
  %v325 = getelementptr float, ptr %ring2.row.324, i64 %x.321
  %v326 = load <16 x float>, ptr %v325, align 64
  %v327 = fmul <16 x float> %v326, splat (float 0x3FD9884A40000000)
  %v335 = getelementptr float, ptr %ring2.row.334, i64 %x.321
  %v336 = load <16 x float>, ptr %v335, align 64
  %v344 = getelementptr float, ptr %ring2.row.343, i64 %x.321
  %v345 = load <16 x float>, ptr %v344, align 64
  %v346 = fadd <16 x float> %v345, %v336
  %v347 = fmul <16 x float> %v346, splat (float 0x3FCEF8EBA0000000)
  %v355 = getelementptr float, ptr %ring2.row.354, i64 %x.321
  %v356 = load <16 x float>, ptr %v355, align 64
  %v364 = getelementptr float, ptr %ring2.row.363, i64 %x.321
  %v365 = load <16 x float>, ptr %v364, align 64
  %v366 = fadd <16 x float> %v365, %v356
  %v367 = fmul <16 x float> %v366, splat (float 0x3FABA4B9A0000000)
  %v368 = fadd <16 x float> %v367, %v347
  %v376 = getelementptr float, ptr %ring2.row.375, i64 %x.321
  %v377 = load <16 x float>, ptr %v376, align 64
  %v385 = getelementptr float, ptr %ring2.row.384, i64 %x.321
  %v386 = load <16 x float>, ptr %v385, align 64
  %v387 = fadd <16 x float> %v386, %v377
  %v388 = fmul <16 x float> %v387, splat (float 0x3F722724C0000000)
  %v396 = getelementptr float, ptr %ring2.row.395, i64 %x.321
  %v397 = load <16 x float>, ptr %v396, align 64
  %v405 = getelementptr float, ptr %ring2.row.404, i64 %x.321
  %v406 = load <16 x float>, ptr %v405, align 64
  %v407 = fadd <16 x float> %v406, %v397
  %v408 = fmul <16 x float> %v407, splat (float 0x3F218A9C40000000)
  %v409 = fadd <16 x float> %v408, %v388
  %v410 = fadd <16 x float> %v409, %v368
  %v411 = fadd <16 x float> %v410, %v327
  %v412 = fcmp olt <16 x float> %v245, %v411
  %v415 = getelementptr i8, ptr %out.row.414, i64 %x.321
  %v416 = zext <16 x i1> %v412 to <16 x i8>
  %v417 = getelementptr i8, ptr %v415, i64 128
  call void @llvm.prefetch.p0(ptr %v417, i32 1, i32 3, i32 1)
  store <16 x i8> %v416, ptr %v415, align 1
  %x.321.next = add nuw nsw i64 %x.321, 16
  %x.321.more = icmp ult i64 %x.321.next, 64
  br i1 %x.321.more, label %across.418, label %across.end.419
across.end.419:
  br label %group2.end.320
group2.end.320:
  br label %joined.115
joined.115:
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

; bodies: a host function, nothing is generated
