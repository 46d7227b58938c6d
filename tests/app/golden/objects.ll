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
;     t1 = ((ring1[y, x-4] * 0.0001338306174147874) + (ring1[y, x-3] * 0.004431861452758312)) + (ring1[y, x-2] * 0.053991127759218216)
;     t2 = ((t1 + (ring1[y, x-1] * 0.2419714480638504)) + (ring1[y, x] * 0.3989434838294983)) + (ring1[y, x+1] * 0.2419714480638504)
;     ring2 = ((t2 + (ring1[y, x+2] * 0.053991127759218216)) + (ring1[y, x+3] * 0.004431861452758312)) + (ring1[y, x+4] * 0.0001338306174147874)
;   row y, 16 pixels a vector:
;     t1 = (ring2[y-4, x]{reflect101} * 0.0001338306174147874) + (ring2[y-3, x]{reflect101} * 0.004431861452758312)
;     t2 = (t1 + (ring2[y-2, x]{reflect101} * 0.053991127759218216)) + (ring2[y-1, x]{reflect101} * 0.2419714480638504)
;     t3 = (t2 + (ring2[y, x] * 0.3989434838294983)) + (ring2[y+1, x]{reflect101} * 0.2419714480638504)
;     t4 = (t3 + (ring2[y+2, x]{reflect101} * 0.053991127759218216)) + (ring2[y+3, x]{reflect101} * 0.004431861452758312)
;     mask.out = mask.level < (t4 + (ring2[y+4, x]{reflect101} * 0.0001338306174147874))

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
  %v249 = getelementptr i8, ptr %args, i64 48
  %param.250 = load float, ptr %v249, align 8
  %v251 = insertelement <16 x float> poison, float %param.250, i64 0
  %v252 = shufflevector <16 x float> %v251, <16 x float> poison, <16 x i32> zeroinitializer
  br label %t.23
t.23:
  %t.26 = phi i64 [ 0, %entry ], [ %t.26.next, %t.next.27 ]
  %v28 = icmp slt i64 %t.26, %frames
  br i1 %v28, label %t.do.24, label %t.end.25
t.do.24:
  %v434 = mul i64 %frames, 0
  %v435 = add i64 %v434, %t.26
  %v436 = getelementptr ptr, ptr %images, i64 %v435
  %input0 = load ptr, ptr %v436, align 8
  %v437 = mul i64 %frames, 1
  %v438 = add i64 %v437, %t.26
  %v439 = getelementptr ptr, ptr %images, i64 %v438
  %output0 = load ptr, ptr %v439, align 8
  %v440 = mul i64 %frames, 2
  %v441 = add i64 %v440, %t.26
  %v442 = getelementptr ptr, ptr %images, i64 %v441
  %output1 = load ptr, ptr %v442, align 8
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
  %v125 = load <16 x i32>, ptr %ring1, align 64
  %v126 = bitcast <16 x i32> %v125 to <16 x float>
  %v127 = shufflevector <16 x float> %v126, <16 x float> poison, <16 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 4, i32 3, i32 2, i32 1>
  %v128 = bitcast <16 x float> %v127 to <16 x i32>
  %v129 = load <16 x i32>, ptr %ring1, align 64
  %v254 = urem i64 %r.102, 8
  %v255 = mul nsw i64 %v254, 112
  %ring2.row.256 = getelementptr float, ptr %ring2, i64 %v255
  %v165 = add i64 %r.106, 3
  %v166 = call i64 @llvm.abs.i64(i64 %v165, i1 false)
  %v167 = sub i64 94, %v166
  %v168 = call i64 @llvm.smin.i64(i64 %v166, i64 %v167)
  %v169 = urem i64 %v168, 8
  %v170 = mul nsw i64 %v169, 112
  %ring2.row.171 = getelementptr float, ptr %ring2, i64 %v170
  %v175 = add i64 %r.106, 2
  %v176 = call i64 @llvm.abs.i64(i64 %v175, i1 false)
  %v177 = sub i64 94, %v176
  %v178 = call i64 @llvm.smin.i64(i64 %v176, i64 %v177)
  %v179 = urem i64 %v178, 8
  %v180 = mul nsw i64 %v179, 112
  %ring2.row.181 = getelementptr float, ptr %ring2, i64 %v180
  %v185 = add i64 %r.106, 1
  %v186 = call i64 @llvm.abs.i64(i64 %v185, i1 false)
  %v187 = sub i64 94, %v186
  %v188 = call i64 @llvm.smin.i64(i64 %v186, i64 %v187)
  %v189 = urem i64 %v188, 8
  %v190 = mul nsw i64 %v189, 112
  %ring2.row.191 = getelementptr float, ptr %ring2, i64 %v190
  %v195 = urem i64 %r.106, 8
  %v196 = mul nsw i64 %v195, 112
  %ring2.row.197 = getelementptr float, ptr %ring2, i64 %v196
  %v201 = add i64 %r.106, -1
  %v202 = call i64 @llvm.abs.i64(i64 %v201, i1 false)
  %v203 = sub i64 94, %v202
  %v204 = call i64 @llvm.smin.i64(i64 %v202, i64 %v203)
  %v205 = urem i64 %v204, 8
  %v206 = mul nsw i64 %v205, 112
  %ring2.row.207 = getelementptr float, ptr %ring2, i64 %v206
  %v211 = add i64 %r.106, -2
  %v212 = call i64 @llvm.abs.i64(i64 %v211, i1 false)
  %v213 = sub i64 94, %v212
  %v214 = call i64 @llvm.smin.i64(i64 %v212, i64 %v213)
  %v215 = urem i64 %v214, 8
  %v216 = mul nsw i64 %v215, 112
  %ring2.row.217 = getelementptr float, ptr %ring2, i64 %v216
  %v221 = add i64 %r.106, -3
  %v222 = call i64 @llvm.abs.i64(i64 %v221, i1 false)
  %v223 = sub i64 94, %v222
  %v224 = call i64 @llvm.smin.i64(i64 %v222, i64 %v223)
  %v225 = urem i64 %v224, 8
  %v226 = mul nsw i64 %v225, 112
  %ring2.row.227 = getelementptr float, ptr %ring2, i64 %v226
  %v231 = add i64 %r.106, -4
  %v232 = call i64 @llvm.abs.i64(i64 %v231, i1 false)
  %v233 = sub i64 94, %v232
  %v234 = call i64 @llvm.smin.i64(i64 %v232, i64 %v233)
  %v235 = urem i64 %v234, 8
  %v236 = mul nsw i64 %v235, 112
  %ring2.row.237 = getelementptr float, ptr %ring2, i64 %v236
  %v258 = mul nsw i64 %r.106, 64
  %out.row.259 = getelementptr i8, ptr %output1, i64 %v258
  br label %across.263
across.263:
  %x.119 = phi i64 [ 0, %together.113 ], [ %x.119.next, %across.263 ]
  %before.120 = phi <16 x i32> [ %v128, %together.113 ], [ %here.121, %across.263 ]
  %here.121 = phi <16 x i32> [ %v129, %together.113 ], [ %v124, %across.263 ]
  %v122 = getelementptr float, ptr %ring1, i64 %x.119
  %v123 = getelementptr float, ptr %v122, i64 16
  %v124 = load <16 x i32>, ptr %v123, align 64
  %v130 = shufflevector <16 x i32> %here.121, <16 x i32> %v124, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19>
  %v131 = bitcast <16 x i32> %v130 to <16 x float>
  %v132 = fmul <16 x float> %v131, splat (float 0x3F218A9C40000000)
  %v133 = shufflevector <16 x i32> %here.121, <16 x i32> %v124, <16 x i32> <i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18>
  %v134 = bitcast <16 x i32> %v133 to <16 x float>
  %v135 = fmul <16 x float> %v134, splat (float 0x3F722724C0000000)
  %v136 = shufflevector <16 x i32> %here.121, <16 x i32> %v124, <16 x i32> <i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17>
  %v137 = bitcast <16 x i32> %v136 to <16 x float>
  %v138 = fmul <16 x float> %v137, splat (float 0x3FABA4B9A0000000)
  %v139 = shufflevector <16 x i32> %here.121, <16 x i32> %v124, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16>
  %v140 = bitcast <16 x i32> %v139 to <16 x float>
  %v141 = fmul <16 x float> %v140, splat (float 0x3FCEF8EBA0000000)
  %v142 = bitcast <16 x i32> %here.121 to <16 x float>
  %v143 = fmul <16 x float> %v142, splat (float 0x3FD9884A40000000)
  %v144 = shufflevector <16 x i32> %before.120, <16 x i32> %here.121, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v145 = bitcast <16 x i32> %v144 to <16 x float>
  %v146 = fmul <16 x float> %v145, splat (float 0x3FCEF8EBA0000000)
  %v147 = shufflevector <16 x i32> %before.120, <16 x i32> %here.121, <16 x i32> <i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29>
  %v148 = bitcast <16 x i32> %v147 to <16 x float>
  %v149 = fmul <16 x float> %v148, splat (float 0x3FABA4B9A0000000)
  %v150 = shufflevector <16 x i32> %before.120, <16 x i32> %here.121, <16 x i32> <i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28>
  %v151 = bitcast <16 x i32> %v150 to <16 x float>
  %v152 = fmul <16 x float> %v151, splat (float 0x3F722724C0000000)
  %v153 = shufflevector <16 x i32> %before.120, <16 x i32> %here.121, <16 x i32> <i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27>
  %v154 = bitcast <16 x i32> %v153 to <16 x float>
  %v155 = fmul <16 x float> %v154, splat (float 0x3F218A9C40000000)
  %v156 = fadd <16 x float> %v155, %v152
  %v157 = fadd <16 x float> %v156, %v149
  %v158 = fadd <16 x float> %v157, %v146
  %v159 = fadd <16 x float> %v158, %v143
  %v160 = fadd <16 x float> %v159, %v141
  %v161 = fadd <16 x float> %v160, %v138
  %v162 = fadd <16 x float> %v161, %v135
  %v163 = fadd <16 x float> %v162, %v132
  %v164 = fmul <16 x float> %v163, splat (float 0x3F218A9C40000000)
  %v172 = getelementptr float, ptr %ring2.row.171, i64 %x.119
  %v173 = load <16 x float>, ptr %v172, align 64
  %v174 = fmul <16 x float> %v173, splat (float 0x3F722724C0000000)
  %v182 = getelementptr float, ptr %ring2.row.181, i64 %x.119
  %v183 = load <16 x float>, ptr %v182, align 64
  %v184 = fmul <16 x float> %v183, splat (float 0x3FABA4B9A0000000)
  %v192 = getelementptr float, ptr %ring2.row.191, i64 %x.119
  %v193 = load <16 x float>, ptr %v192, align 64
  %v194 = fmul <16 x float> %v193, splat (float 0x3FCEF8EBA0000000)
  %v198 = getelementptr float, ptr %ring2.row.197, i64 %x.119
  %v199 = load <16 x float>, ptr %v198, align 64
  %v200 = fmul <16 x float> %v199, splat (float 0x3FD9884A40000000)
  %v208 = getelementptr float, ptr %ring2.row.207, i64 %x.119
  %v209 = load <16 x float>, ptr %v208, align 64
  %v210 = fmul <16 x float> %v209, splat (float 0x3FCEF8EBA0000000)
  %v218 = getelementptr float, ptr %ring2.row.217, i64 %x.119
  %v219 = load <16 x float>, ptr %v218, align 64
  %v220 = fmul <16 x float> %v219, splat (float 0x3FABA4B9A0000000)
  %v228 = getelementptr float, ptr %ring2.row.227, i64 %x.119
  %v229 = load <16 x float>, ptr %v228, align 64
  %v230 = fmul <16 x float> %v229, splat (float 0x3F722724C0000000)
  %v238 = getelementptr float, ptr %ring2.row.237, i64 %x.119
  %v239 = load <16 x float>, ptr %v238, align 64
  %v240 = fmul <16 x float> %v239, splat (float 0x3F218A9C40000000)
  %v241 = fadd <16 x float> %v240, %v230
  %v242 = fadd <16 x float> %v241, %v220
  %v243 = fadd <16 x float> %v242, %v210
  %v244 = fadd <16 x float> %v243, %v200
  %v245 = fadd <16 x float> %v244, %v194
  %v246 = fadd <16 x float> %v245, %v184
  %v247 = fadd <16 x float> %v246, %v174
  %v248 = fadd <16 x float> %v247, %v164
  %v253 = fcmp olt <16 x float> %v252, %v248
  %v257 = getelementptr float, ptr %ring2.row.256, i64 %x.119
  store <16 x float> %v163, ptr %v257, align 64
  %v260 = getelementptr i8, ptr %out.row.259, i64 %x.119
  %v261 = zext <16 x i1> %v253 to <16 x i8>
  %v262 = getelementptr i8, ptr %v260, i64 128
  call void @llvm.prefetch.p0(ptr %v262, i32 1, i32 3, i32 1)
  store <16 x i8> %v261, ptr %v260, align 1
  %x.119.next = add nuw nsw i64 %x.119, 16
  %x.119.more = icmp ult i64 %x.119.next, 64
  br i1 %x.119.more, label %across.263, label %across.end.264
across.end.264:
  br label %joined.115
apart.114:
  ; group 1: plane ring2; 4 rows ahead; 4 more above, 4 below
  %r.265 = add nsw i64 %s.35, 4
  %v266 = icmp sge i64 %r.265, %low1
  %v267 = icmp slt i64 %r.265, %high1
  %v268 = and i1 %v266, %v267
  br i1 %v268, label %group1.269, label %group1.end.270
group1.269:
  %v271 = icmp sge i64 %r.265, %first_row
  %v272 = icmp slt i64 %r.265, %last_row
  %v273 = and i1 %v271, %v272
  %v280 = load <16 x i32>, ptr %ring1, align 64
  %v281 = bitcast <16 x i32> %v280 to <16 x float>
  %v282 = shufflevector <16 x float> %v281, <16 x float> poison, <16 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 4, i32 3, i32 2, i32 1>
  %v283 = bitcast <16 x float> %v282 to <16 x i32>
  %v284 = load <16 x i32>, ptr %ring1, align 64
  %v319 = urem i64 %r.265, 8
  %v320 = mul nsw i64 %v319, 112
  %ring2.row.321 = getelementptr float, ptr %ring2, i64 %v320
  br label %across.323
across.323:
  %x.274 = phi i64 [ 0, %group1.269 ], [ %x.274.next, %across.323 ]
  %before.275 = phi <16 x i32> [ %v283, %group1.269 ], [ %here.276, %across.323 ]
  %here.276 = phi <16 x i32> [ %v284, %group1.269 ], [ %v279, %across.323 ]
  %v277 = getelementptr float, ptr %ring1, i64 %x.274
  %v278 = getelementptr float, ptr %v277, i64 16
  %v279 = load <16 x i32>, ptr %v278, align 64
  %v285 = shufflevector <16 x i32> %here.276, <16 x i32> %v279, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19>
  %v286 = bitcast <16 x i32> %v285 to <16 x float>
  %v287 = fmul <16 x float> %v286, splat (float 0x3F218A9C40000000)
  %v288 = shufflevector <16 x i32> %here.276, <16 x i32> %v279, <16 x i32> <i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18>
  %v289 = bitcast <16 x i32> %v288 to <16 x float>
  %v290 = fmul <16 x float> %v289, splat (float 0x3F722724C0000000)
  %v291 = shufflevector <16 x i32> %here.276, <16 x i32> %v279, <16 x i32> <i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17>
  %v292 = bitcast <16 x i32> %v291 to <16 x float>
  %v293 = fmul <16 x float> %v292, splat (float 0x3FABA4B9A0000000)
  %v294 = shufflevector <16 x i32> %here.276, <16 x i32> %v279, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16>
  %v295 = bitcast <16 x i32> %v294 to <16 x float>
  %v296 = fmul <16 x float> %v295, splat (float 0x3FCEF8EBA0000000)
  %v297 = bitcast <16 x i32> %here.276 to <16 x float>
  %v298 = fmul <16 x float> %v297, splat (float 0x3FD9884A40000000)
  %v299 = shufflevector <16 x i32> %before.275, <16 x i32> %here.276, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v300 = bitcast <16 x i32> %v299 to <16 x float>
  %v301 = fmul <16 x float> %v300, splat (float 0x3FCEF8EBA0000000)
  %v302 = shufflevector <16 x i32> %before.275, <16 x i32> %here.276, <16 x i32> <i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29>
  %v303 = bitcast <16 x i32> %v302 to <16 x float>
  %v304 = fmul <16 x float> %v303, splat (float 0x3FABA4B9A0000000)
  %v305 = shufflevector <16 x i32> %before.275, <16 x i32> %here.276, <16 x i32> <i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28>
  %v306 = bitcast <16 x i32> %v305 to <16 x float>
  %v307 = fmul <16 x float> %v306, splat (float 0x3F722724C0000000)
  %v308 = shufflevector <16 x i32> %before.275, <16 x i32> %here.276, <16 x i32> <i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27>
  %v309 = bitcast <16 x i32> %v308 to <16 x float>
  %v310 = fmul <16 x float> %v309, splat (float 0x3F218A9C40000000)
  %v311 = fadd <16 x float> %v310, %v307
  %v312 = fadd <16 x float> %v311, %v304
  %v313 = fadd <16 x float> %v312, %v301
  %v314 = fadd <16 x float> %v313, %v298
  %v315 = fadd <16 x float> %v314, %v296
  %v316 = fadd <16 x float> %v315, %v293
  %v317 = fadd <16 x float> %v316, %v290
  %v318 = fadd <16 x float> %v317, %v287
  %v322 = getelementptr float, ptr %ring2.row.321, i64 %x.274
  store <16 x float> %v318, ptr %v322, align 64
  %x.274.next = add nuw nsw i64 %x.274, 16
  %x.274.more = icmp ult i64 %x.274.next, 64
  br i1 %x.274.more, label %across.323, label %across.end.324
across.end.324:
  br label %group1.end.270
group1.end.270:
  ; group 2: output; 0 rows ahead; 0 more above, 0 below
  %r.325 = add nsw i64 %s.35, 0
  %v326 = icmp sge i64 %r.325, %low2
  %v327 = icmp slt i64 %r.325, %high2
  %v328 = and i1 %v326, %v327
  br i1 %v328, label %group2.329, label %group2.end.330
group2.329:
  %v332 = add i64 %r.325, 4
  %v333 = call i64 @llvm.abs.i64(i64 %v332, i1 false)
  %v334 = sub i64 94, %v333
  %v335 = call i64 @llvm.smin.i64(i64 %v333, i64 %v334)
  %v336 = urem i64 %v335, 8
  %v337 = mul nsw i64 %v336, 112
  %ring2.row.338 = getelementptr float, ptr %ring2, i64 %v337
  %v342 = add i64 %r.325, 3
  %v343 = call i64 @llvm.abs.i64(i64 %v342, i1 false)
  %v344 = sub i64 94, %v343
  %v345 = call i64 @llvm.smin.i64(i64 %v343, i64 %v344)
  %v346 = urem i64 %v345, 8
  %v347 = mul nsw i64 %v346, 112
  %ring2.row.348 = getelementptr float, ptr %ring2, i64 %v347
  %v352 = add i64 %r.325, 2
  %v353 = call i64 @llvm.abs.i64(i64 %v352, i1 false)
  %v354 = sub i64 94, %v353
  %v355 = call i64 @llvm.smin.i64(i64 %v353, i64 %v354)
  %v356 = urem i64 %v355, 8
  %v357 = mul nsw i64 %v356, 112
  %ring2.row.358 = getelementptr float, ptr %ring2, i64 %v357
  %v362 = add i64 %r.325, 1
  %v363 = call i64 @llvm.abs.i64(i64 %v362, i1 false)
  %v364 = sub i64 94, %v363
  %v365 = call i64 @llvm.smin.i64(i64 %v363, i64 %v364)
  %v366 = urem i64 %v365, 8
  %v367 = mul nsw i64 %v366, 112
  %ring2.row.368 = getelementptr float, ptr %ring2, i64 %v367
  %v372 = urem i64 %r.325, 8
  %v373 = mul nsw i64 %v372, 112
  %ring2.row.374 = getelementptr float, ptr %ring2, i64 %v373
  %v378 = add i64 %r.325, -1
  %v379 = call i64 @llvm.abs.i64(i64 %v378, i1 false)
  %v380 = sub i64 94, %v379
  %v381 = call i64 @llvm.smin.i64(i64 %v379, i64 %v380)
  %v382 = urem i64 %v381, 8
  %v383 = mul nsw i64 %v382, 112
  %ring2.row.384 = getelementptr float, ptr %ring2, i64 %v383
  %v388 = add i64 %r.325, -2
  %v389 = call i64 @llvm.abs.i64(i64 %v388, i1 false)
  %v390 = sub i64 94, %v389
  %v391 = call i64 @llvm.smin.i64(i64 %v389, i64 %v390)
  %v392 = urem i64 %v391, 8
  %v393 = mul nsw i64 %v392, 112
  %ring2.row.394 = getelementptr float, ptr %ring2, i64 %v393
  %v398 = add i64 %r.325, -3
  %v399 = call i64 @llvm.abs.i64(i64 %v398, i1 false)
  %v400 = sub i64 94, %v399
  %v401 = call i64 @llvm.smin.i64(i64 %v399, i64 %v400)
  %v402 = urem i64 %v401, 8
  %v403 = mul nsw i64 %v402, 112
  %ring2.row.404 = getelementptr float, ptr %ring2, i64 %v403
  %v408 = add i64 %r.325, -4
  %v409 = call i64 @llvm.abs.i64(i64 %v408, i1 false)
  %v410 = sub i64 94, %v409
  %v411 = call i64 @llvm.smin.i64(i64 %v409, i64 %v410)
  %v412 = urem i64 %v411, 8
  %v413 = mul nsw i64 %v412, 112
  %ring2.row.414 = getelementptr float, ptr %ring2, i64 %v413
  %v427 = mul nsw i64 %r.325, 64
  %out.row.428 = getelementptr i8, ptr %output1, i64 %v427
  br label %across.432
across.432:
  %x.331 = phi i64 [ 0, %group2.329 ], [ %x.331.next, %across.432 ]
  %v339 = getelementptr float, ptr %ring2.row.338, i64 %x.331
  %v340 = load <16 x float>, ptr %v339, align 64
  %v341 = fmul <16 x float> %v340, splat (float 0x3F218A9C40000000)
  %v349 = getelementptr float, ptr %ring2.row.348, i64 %x.331
  %v350 = load <16 x float>, ptr %v349, align 64
  %v351 = fmul <16 x float> %v350, splat (float 0x3F722724C0000000)
  %v359 = getelementptr float, ptr %ring2.row.358, i64 %x.331
  %v360 = load <16 x float>, ptr %v359, align 64
  %v361 = fmul <16 x float> %v360, splat (float 0x3FABA4B9A0000000)
  %v369 = getelementptr float, ptr %ring2.row.368, i64 %x.331
  %v370 = load <16 x float>, ptr %v369, align 64
  %v371 = fmul <16 x float> %v370, splat (float 0x3FCEF8EBA0000000)
  %v375 = getelementptr float, ptr %ring2.row.374, i64 %x.331
  %v376 = load <16 x float>, ptr %v375, align 64
  %v377 = fmul <16 x float> %v376, splat (float 0x3FD9884A40000000)
  %v385 = getelementptr float, ptr %ring2.row.384, i64 %x.331
  %v386 = load <16 x float>, ptr %v385, align 64
  %v387 = fmul <16 x float> %v386, splat (float 0x3FCEF8EBA0000000)
  %v395 = getelementptr float, ptr %ring2.row.394, i64 %x.331
  %v396 = load <16 x float>, ptr %v395, align 64
  %v397 = fmul <16 x float> %v396, splat (float 0x3FABA4B9A0000000)
  %v405 = getelementptr float, ptr %ring2.row.404, i64 %x.331
  %v406 = load <16 x float>, ptr %v405, align 64
  %v407 = fmul <16 x float> %v406, splat (float 0x3F722724C0000000)
  %v415 = getelementptr float, ptr %ring2.row.414, i64 %x.331
  %v416 = load <16 x float>, ptr %v415, align 64
  %v417 = fmul <16 x float> %v416, splat (float 0x3F218A9C40000000)
  %v418 = fadd <16 x float> %v417, %v407
  %v419 = fadd <16 x float> %v418, %v397
  %v420 = fadd <16 x float> %v419, %v387
  %v421 = fadd <16 x float> %v420, %v377
  %v422 = fadd <16 x float> %v421, %v371
  %v423 = fadd <16 x float> %v422, %v361
  %v424 = fadd <16 x float> %v423, %v351
  %v425 = fadd <16 x float> %v424, %v341
  %v426 = fcmp olt <16 x float> %v252, %v425
  %v429 = getelementptr i8, ptr %out.row.428, i64 %x.331
  %v430 = zext <16 x i1> %v426 to <16 x i8>
  %v431 = getelementptr i8, ptr %v429, i64 128
  call void @llvm.prefetch.p0(ptr %v431, i32 1, i32 3, i32 1)
  store <16 x i8> %v430, ptr %v429, align 1
  %x.331.next = add nuw nsw i64 %x.331, 16
  %x.331.more = icmp ult i64 %x.331.next, 64
  br i1 %x.331.more, label %across.432, label %across.end.433
across.end.433:
  br label %group2.end.330
group2.end.330:
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
