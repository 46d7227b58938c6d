; gray+sound+scale+even+smooth+mask
;
; in0: 64x48 u8
; mask.out: 64x48 bool, leaves
; mask.level: f32, an argument
; pass 0, images of 64x48
;   ring1: f32, 1 row, reflect101 4 px left and 4 px right
;   ring2: f32, 8 rows
;   row y+4, from 4 above the strip to 4 below, 16 pixels a vector:
;     t1 = f32(in0[y, x])
;     ring1 = (t1 * 0.003921627998352051) + (t1 * -5.9370901084321304e-08)
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
  %v236 = getelementptr i8, ptr %args, i64 64
  %param.237 = load float, ptr %v236, align 8
  %v238 = insertelement <16 x float> poison, float %param.237, i64 0
  %v239 = shufflevector <16 x float> %v238, <16 x float> poison, <16 x i32> zeroinitializer
  br label %t.25
t.25:
  %t.28 = phi i64 [ %first_frame, %entry ], [ %t.28.next, %t.next.29 ]
  %v30 = icmp slt i64 %t.28, %last_frame
  br i1 %v30, label %t.do.26, label %t.end.27
t.do.26:
  %v414 = mul i64 %frames, 0
  %v415 = add i64 %v414, %t.28
  %v416 = getelementptr ptr, ptr %images, i64 %v415
  %input0 = load ptr, ptr %v416, align 8
  %v417 = mul i64 %frames, 1
  %v418 = add i64 %v417, %t.28
  %v419 = getelementptr ptr, ptr %images, i64 %v418
  %output0 = load ptr, ptr %v419, align 8
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
  br label %across.70
across.70:
  %x.49 = phi i64 [ 0, %group0.44 ], [ %x.49.next, %across.70 ]
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
  %v61 = add i64 %x.49, 16
  %v62 = getelementptr i8, ptr %in.row.51, i64 %v61
  %v63 = load <16 x i8>, ptr %v62, align 1
  %v64 = zext <16 x i8> %v63 to <16 x i32>
  %v65 = sitofp <16 x i32> %v64 to <16 x float>
  %v66 = fmul <16 x float> %v65, splat (float 0xBE6FDFDFE0000000)
  %v67 = fmul <16 x float> %v65, splat (float 0x3F70102000000000)
  %v68 = fadd <16 x float> %v67, %v66
  %v69 = getelementptr float, ptr %ring1, i64 %v61
  store <16 x float> %v68, ptr %v69, align 64
  %x.49.next = add nuw nsw i64 %x.49, 32
  %x.49.more = icmp ult i64 %x.49.next, 64
  br i1 %x.49.more, label %across.70, label %across.end.71
across.end.71:
  %v72 = getelementptr float, ptr %ring1, i64 4
  %v73 = load float, ptr %v72
  %v74 = getelementptr float, ptr %ring1, i64 -4
  store float %v73, ptr %v74
  %v75 = getelementptr float, ptr %ring1, i64 3
  %v76 = load float, ptr %v75
  %v77 = getelementptr float, ptr %ring1, i64 -3
  store float %v76, ptr %v77
  %v78 = getelementptr float, ptr %ring1, i64 2
  %v79 = load float, ptr %v78
  %v80 = getelementptr float, ptr %ring1, i64 -2
  store float %v79, ptr %v80
  %v81 = getelementptr float, ptr %ring1, i64 1
  %v82 = load float, ptr %v81
  %v83 = getelementptr float, ptr %ring1, i64 -1
  store float %v82, ptr %v83
  %v84 = getelementptr float, ptr %ring1, i64 62
  %v85 = load float, ptr %v84
  %v86 = getelementptr float, ptr %ring1, i64 64
  store float %v85, ptr %v86
  %v87 = getelementptr float, ptr %ring1, i64 61
  %v88 = load float, ptr %v87
  %v89 = getelementptr float, ptr %ring1, i64 65
  store float %v88, ptr %v89
  %v90 = getelementptr float, ptr %ring1, i64 60
  %v91 = load float, ptr %v90
  %v92 = getelementptr float, ptr %ring1, i64 66
  store float %v91, ptr %v92
  %v93 = getelementptr float, ptr %ring1, i64 59
  %v94 = load float, ptr %v93
  %v95 = getelementptr float, ptr %ring1, i64 67
  store float %v94, ptr %v95
  br label %group0.end.45
group0.end.45:
  ; group 1: plane ring2; 4 rows ahead; 4 more above, 4 below
  %r.96 = add nsw i64 %s.37, 4
  %v97 = icmp sge i64 %r.96, %low1
  %v98 = icmp slt i64 %r.96, %high1
  %v99 = and i1 %v97, %v98
  ; group 2: output; 0 rows ahead; 0 more above, 0 below
  %r.100 = add nsw i64 %s.37, 0
  %v101 = icmp sge i64 %r.100, %low2
  %v102 = icmp slt i64 %r.100, %high2
  %v103 = and i1 %v101, %v102
  %v104 = icmp sge i64 %r.100, 4
  %v105 = and i1 %v99, %v103
  %v106 = and i1 %v104, %v105
  br i1 %v106, label %together.107, label %apart.108
together.107:
  %v110 = icmp sge i64 %r.96, %first_row
  %v111 = icmp slt i64 %r.96, %last_row
  %v112 = and i1 %v110, %v111
  %v122 = load <16 x i32>, ptr %ring1, align 64
  %v123 = bitcast <16 x i32> %v122 to <16 x float>
  %v124 = shufflevector <16 x float> %v123, <16 x float> poison, <16 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 4, i32 3, i32 2, i32 1>
  %v125 = bitcast <16 x float> %v124 to <16 x i32>
  %v126 = load <16 x i32>, ptr %ring1, align 64
  %v241 = urem i64 %r.96, 8
  %v242 = mul nsw i64 %v241, 112
  %ring2.row.243 = getelementptr float, ptr %ring2, i64 %v242
  %v155 = urem i64 %r.100, 8
  %v156 = mul nsw i64 %v155, 112
  %ring2.row.157 = getelementptr float, ptr %ring2, i64 %v156
  %v161 = add i64 %r.100, 1
  %v162 = call i64 @llvm.abs.i64(i64 %v161, i1 false)
  %v163 = sub i64 94, %v162
  %v164 = call i64 @llvm.smin.i64(i64 %v162, i64 %v163)
  %v165 = urem i64 %v164, 8
  %v166 = mul nsw i64 %v165, 112
  %ring2.row.167 = getelementptr float, ptr %ring2, i64 %v166
  %v170 = add i64 %r.100, -1
  %v171 = call i64 @llvm.abs.i64(i64 %v170, i1 false)
  %v172 = sub i64 94, %v171
  %v173 = call i64 @llvm.smin.i64(i64 %v171, i64 %v172)
  %v174 = urem i64 %v173, 8
  %v175 = mul nsw i64 %v174, 112
  %ring2.row.176 = getelementptr float, ptr %ring2, i64 %v175
  %v181 = add i64 %r.100, 2
  %v182 = call i64 @llvm.abs.i64(i64 %v181, i1 false)
  %v183 = sub i64 94, %v182
  %v184 = call i64 @llvm.smin.i64(i64 %v182, i64 %v183)
  %v185 = urem i64 %v184, 8
  %v186 = mul nsw i64 %v185, 112
  %ring2.row.187 = getelementptr float, ptr %ring2, i64 %v186
  %v190 = add i64 %r.100, -2
  %v191 = call i64 @llvm.abs.i64(i64 %v190, i1 false)
  %v192 = sub i64 94, %v191
  %v193 = call i64 @llvm.smin.i64(i64 %v191, i64 %v192)
  %v194 = urem i64 %v193, 8
  %v195 = mul nsw i64 %v194, 112
  %ring2.row.196 = getelementptr float, ptr %ring2, i64 %v195
  %v202 = add i64 %r.100, 3
  %v203 = call i64 @llvm.abs.i64(i64 %v202, i1 false)
  %v204 = sub i64 94, %v203
  %v205 = call i64 @llvm.smin.i64(i64 %v203, i64 %v204)
  %v206 = urem i64 %v205, 8
  %v207 = mul nsw i64 %v206, 112
  %ring2.row.208 = getelementptr float, ptr %ring2, i64 %v207
  %v211 = add i64 %r.100, -3
  %v212 = call i64 @llvm.abs.i64(i64 %v211, i1 false)
  %v213 = sub i64 94, %v212
  %v214 = call i64 @llvm.smin.i64(i64 %v212, i64 %v213)
  %v215 = urem i64 %v214, 8
  %v216 = mul nsw i64 %v215, 112
  %ring2.row.217 = getelementptr float, ptr %ring2, i64 %v216
  %v222 = add i64 %r.100, -4
  %v223 = call i64 @llvm.abs.i64(i64 %v222, i1 false)
  %v224 = sub i64 94, %v223
  %v225 = call i64 @llvm.smin.i64(i64 %v223, i64 %v224)
  %v226 = urem i64 %v225, 8
  %v227 = mul nsw i64 %v226, 112
  %ring2.row.228 = getelementptr float, ptr %ring2, i64 %v227
  %v245 = mul nsw i64 %r.100, 64
  %out.row.246 = getelementptr i8, ptr %output0, i64 %v245
  br label %across.250
across.250:
  %x.113 = phi i64 [ 0, %together.107 ], [ %x.113.next, %across.250 ]
  %before.117 = phi <16 x i32> [ %v125, %together.107 ], [ %here.118, %across.250 ]
  %here.118 = phi <16 x i32> [ %v126, %together.107 ], [ %v121, %across.250 ]
  %v114 = getelementptr float, ptr %ring1, i64 %x.113
  %v115 = load <16 x float>, ptr %v114, align 64
  %v116 = fmul <16 x float> %v115, splat (float 0x3FD9884A40000000)
  %v119 = getelementptr float, ptr %ring1, i64 %x.113
  %v120 = getelementptr float, ptr %v119, i64 16
  %v121 = load <16 x i32>, ptr %v120, align 64
  %v127 = shufflevector <16 x i32> %here.118, <16 x i32> %v121, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16>
  %v128 = bitcast <16 x i32> %v127 to <16 x float>
  %v129 = shufflevector <16 x i32> %before.117, <16 x i32> %here.118, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v130 = bitcast <16 x i32> %v129 to <16 x float>
  %v131 = fadd <16 x float> %v130, %v128
  %v132 = fmul <16 x float> %v131, splat (float 0x3FCEF8EBA0000000)
  %v133 = shufflevector <16 x i32> %here.118, <16 x i32> %v121, <16 x i32> <i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17>
  %v134 = bitcast <16 x i32> %v133 to <16 x float>
  %v135 = shufflevector <16 x i32> %before.117, <16 x i32> %here.118, <16 x i32> <i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29>
  %v136 = bitcast <16 x i32> %v135 to <16 x float>
  %v137 = fadd <16 x float> %v136, %v134
  %v138 = fmul <16 x float> %v137, splat (float 0x3FABA4B9A0000000)
  %v139 = fadd <16 x float> %v138, %v132
  %v140 = shufflevector <16 x i32> %here.118, <16 x i32> %v121, <16 x i32> <i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18>
  %v141 = bitcast <16 x i32> %v140 to <16 x float>
  %v142 = shufflevector <16 x i32> %before.117, <16 x i32> %here.118, <16 x i32> <i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28>
  %v143 = bitcast <16 x i32> %v142 to <16 x float>
  %v144 = fadd <16 x float> %v143, %v141
  %v145 = fmul <16 x float> %v144, splat (float 0x3F722724C0000000)
  %v146 = shufflevector <16 x i32> %here.118, <16 x i32> %v121, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19>
  %v147 = bitcast <16 x i32> %v146 to <16 x float>
  %v148 = shufflevector <16 x i32> %before.117, <16 x i32> %here.118, <16 x i32> <i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27>
  %v149 = bitcast <16 x i32> %v148 to <16 x float>
  %v150 = fadd <16 x float> %v149, %v147
  %v151 = fmul <16 x float> %v150, splat (float 0x3F218A9C40000000)
  %v152 = fadd <16 x float> %v151, %v145
  %v153 = fadd <16 x float> %v152, %v139
  %v154 = fadd <16 x float> %v153, %v116
  %v158 = getelementptr float, ptr %ring2.row.157, i64 %x.113
  %v159 = load <16 x float>, ptr %v158, align 64
  %v160 = fmul <16 x float> %v159, splat (float 0x3FD9884A40000000)
  %v168 = getelementptr float, ptr %ring2.row.167, i64 %x.113
  %v169 = load <16 x float>, ptr %v168, align 64
  %v177 = getelementptr float, ptr %ring2.row.176, i64 %x.113
  %v178 = load <16 x float>, ptr %v177, align 64
  %v179 = fadd <16 x float> %v178, %v169
  %v180 = fmul <16 x float> %v179, splat (float 0x3FCEF8EBA0000000)
  %v188 = getelementptr float, ptr %ring2.row.187, i64 %x.113
  %v189 = load <16 x float>, ptr %v188, align 64
  %v197 = getelementptr float, ptr %ring2.row.196, i64 %x.113
  %v198 = load <16 x float>, ptr %v197, align 64
  %v199 = fadd <16 x float> %v198, %v189
  %v200 = fmul <16 x float> %v199, splat (float 0x3FABA4B9A0000000)
  %v201 = fadd <16 x float> %v200, %v180
  %v209 = getelementptr float, ptr %ring2.row.208, i64 %x.113
  %v210 = load <16 x float>, ptr %v209, align 64
  %v218 = getelementptr float, ptr %ring2.row.217, i64 %x.113
  %v219 = load <16 x float>, ptr %v218, align 64
  %v220 = fadd <16 x float> %v219, %v210
  %v221 = fmul <16 x float> %v220, splat (float 0x3F722724C0000000)
  %v229 = getelementptr float, ptr %ring2.row.228, i64 %x.113
  %v230 = load <16 x float>, ptr %v229, align 64
  %v231 = fadd <16 x float> %v230, %v154
  %v232 = fmul <16 x float> %v231, splat (float 0x3F218A9C40000000)
  %v233 = fadd <16 x float> %v232, %v221
  %v234 = fadd <16 x float> %v233, %v201
  %v235 = fadd <16 x float> %v234, %v160
  %v240 = fcmp olt <16 x float> %v239, %v235
  %v244 = getelementptr float, ptr %ring2.row.243, i64 %x.113
  store <16 x float> %v154, ptr %v244, align 64
  %v247 = getelementptr i8, ptr %out.row.246, i64 %x.113
  %v248 = zext <16 x i1> %v240 to <16 x i8>
  %v249 = getelementptr i8, ptr %v247, i64 128
  call void @llvm.prefetch.p0(ptr %v249, i32 1, i32 3, i32 1)
  store <16 x i8> %v248, ptr %v247, align 1
  %x.113.next = add nuw nsw i64 %x.113, 16
  %x.113.more = icmp ult i64 %x.113.next, 64
  br i1 %x.113.more, label %across.250, label %across.end.251
across.end.251:
  br label %joined.109
apart.108:
  ; group 1: plane ring2; 4 rows ahead; 4 more above, 4 below
  %r.252 = add nsw i64 %s.37, 4
  %v253 = icmp sge i64 %r.252, %low1
  %v254 = icmp slt i64 %r.252, %high1
  %v255 = and i1 %v253, %v254
  br i1 %v255, label %group1.256, label %group1.end.257
group1.256:
  %v258 = icmp sge i64 %r.252, %first_row
  %v259 = icmp slt i64 %r.252, %last_row
  %v260 = and i1 %v258, %v259
  %v270 = load <16 x i32>, ptr %ring1, align 64
  %v271 = bitcast <16 x i32> %v270 to <16 x float>
  %v272 = shufflevector <16 x float> %v271, <16 x float> poison, <16 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 4, i32 3, i32 2, i32 1>
  %v273 = bitcast <16 x float> %v272 to <16 x i32>
  %v274 = load <16 x i32>, ptr %ring1, align 64
  %v303 = urem i64 %r.252, 8
  %v304 = mul nsw i64 %v303, 112
  %ring2.row.305 = getelementptr float, ptr %ring2, i64 %v304
  br label %across.307
across.307:
  %x.261 = phi i64 [ 0, %group1.256 ], [ %x.261.next, %across.307 ]
  %before.265 = phi <16 x i32> [ %v273, %group1.256 ], [ %here.266, %across.307 ]
  %here.266 = phi <16 x i32> [ %v274, %group1.256 ], [ %v269, %across.307 ]
  %v262 = getelementptr float, ptr %ring1, i64 %x.261
  %v263 = load <16 x float>, ptr %v262, align 64
  %v264 = fmul <16 x float> %v263, splat (float 0x3FD9884A40000000)
  %v267 = getelementptr float, ptr %ring1, i64 %x.261
  %v268 = getelementptr float, ptr %v267, i64 16
  %v269 = load <16 x i32>, ptr %v268, align 64
  %v275 = shufflevector <16 x i32> %here.266, <16 x i32> %v269, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16>
  %v276 = bitcast <16 x i32> %v275 to <16 x float>
  %v277 = shufflevector <16 x i32> %before.265, <16 x i32> %here.266, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v278 = bitcast <16 x i32> %v277 to <16 x float>
  %v279 = fadd <16 x float> %v278, %v276
  %v280 = fmul <16 x float> %v279, splat (float 0x3FCEF8EBA0000000)
  %v281 = shufflevector <16 x i32> %here.266, <16 x i32> %v269, <16 x i32> <i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17>
  %v282 = bitcast <16 x i32> %v281 to <16 x float>
  %v283 = shufflevector <16 x i32> %before.265, <16 x i32> %here.266, <16 x i32> <i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29>
  %v284 = bitcast <16 x i32> %v283 to <16 x float>
  %v285 = fadd <16 x float> %v284, %v282
  %v286 = fmul <16 x float> %v285, splat (float 0x3FABA4B9A0000000)
  %v287 = fadd <16 x float> %v286, %v280
  %v288 = shufflevector <16 x i32> %here.266, <16 x i32> %v269, <16 x i32> <i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18>
  %v289 = bitcast <16 x i32> %v288 to <16 x float>
  %v290 = shufflevector <16 x i32> %before.265, <16 x i32> %here.266, <16 x i32> <i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28>
  %v291 = bitcast <16 x i32> %v290 to <16 x float>
  %v292 = fadd <16 x float> %v291, %v289
  %v293 = fmul <16 x float> %v292, splat (float 0x3F722724C0000000)
  %v294 = shufflevector <16 x i32> %here.266, <16 x i32> %v269, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19>
  %v295 = bitcast <16 x i32> %v294 to <16 x float>
  %v296 = shufflevector <16 x i32> %before.265, <16 x i32> %here.266, <16 x i32> <i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27>
  %v297 = bitcast <16 x i32> %v296 to <16 x float>
  %v298 = fadd <16 x float> %v297, %v295
  %v299 = fmul <16 x float> %v298, splat (float 0x3F218A9C40000000)
  %v300 = fadd <16 x float> %v299, %v293
  %v301 = fadd <16 x float> %v300, %v287
  %v302 = fadd <16 x float> %v301, %v264
  %v306 = getelementptr float, ptr %ring2.row.305, i64 %x.261
  store <16 x float> %v302, ptr %v306, align 64
  %x.261.next = add nuw nsw i64 %x.261, 16
  %x.261.more = icmp ult i64 %x.261.next, 64
  br i1 %x.261.more, label %across.307, label %across.end.308
across.end.308:
  br label %group1.end.257
group1.end.257:
  ; group 2: output; 0 rows ahead; 0 more above, 0 below
  %r.309 = add nsw i64 %s.37, 0
  %v310 = icmp sge i64 %r.309, %low2
  %v311 = icmp slt i64 %r.309, %high2
  %v312 = and i1 %v310, %v311
  br i1 %v312, label %group2.313, label %group2.end.314
group2.313:
  %v316 = urem i64 %r.309, 8
  %v317 = mul nsw i64 %v316, 112
  %ring2.row.318 = getelementptr float, ptr %ring2, i64 %v317
  %v322 = add i64 %r.309, 1
  %v323 = call i64 @llvm.abs.i64(i64 %v322, i1 false)
  %v324 = sub i64 94, %v323
  %v325 = call i64 @llvm.smin.i64(i64 %v323, i64 %v324)
  %v326 = urem i64 %v325, 8
  %v327 = mul nsw i64 %v326, 112
  %ring2.row.328 = getelementptr float, ptr %ring2, i64 %v327
  %v331 = add i64 %r.309, -1
  %v332 = call i64 @llvm.abs.i64(i64 %v331, i1 false)
  %v333 = sub i64 94, %v332
  %v334 = call i64 @llvm.smin.i64(i64 %v332, i64 %v333)
  %v335 = urem i64 %v334, 8
  %v336 = mul nsw i64 %v335, 112
  %ring2.row.337 = getelementptr float, ptr %ring2, i64 %v336
  %v342 = add i64 %r.309, 2
  %v343 = call i64 @llvm.abs.i64(i64 %v342, i1 false)
  %v344 = sub i64 94, %v343
  %v345 = call i64 @llvm.smin.i64(i64 %v343, i64 %v344)
  %v346 = urem i64 %v345, 8
  %v347 = mul nsw i64 %v346, 112
  %ring2.row.348 = getelementptr float, ptr %ring2, i64 %v347
  %v351 = add i64 %r.309, -2
  %v352 = call i64 @llvm.abs.i64(i64 %v351, i1 false)
  %v353 = sub i64 94, %v352
  %v354 = call i64 @llvm.smin.i64(i64 %v352, i64 %v353)
  %v355 = urem i64 %v354, 8
  %v356 = mul nsw i64 %v355, 112
  %ring2.row.357 = getelementptr float, ptr %ring2, i64 %v356
  %v363 = add i64 %r.309, 3
  %v364 = call i64 @llvm.abs.i64(i64 %v363, i1 false)
  %v365 = sub i64 94, %v364
  %v366 = call i64 @llvm.smin.i64(i64 %v364, i64 %v365)
  %v367 = urem i64 %v366, 8
  %v368 = mul nsw i64 %v367, 112
  %ring2.row.369 = getelementptr float, ptr %ring2, i64 %v368
  %v372 = add i64 %r.309, -3
  %v373 = call i64 @llvm.abs.i64(i64 %v372, i1 false)
  %v374 = sub i64 94, %v373
  %v375 = call i64 @llvm.smin.i64(i64 %v373, i64 %v374)
  %v376 = urem i64 %v375, 8
  %v377 = mul nsw i64 %v376, 112
  %ring2.row.378 = getelementptr float, ptr %ring2, i64 %v377
  %v383 = add i64 %r.309, 4
  %v384 = call i64 @llvm.abs.i64(i64 %v383, i1 false)
  %v385 = sub i64 94, %v384
  %v386 = call i64 @llvm.smin.i64(i64 %v384, i64 %v385)
  %v387 = urem i64 %v386, 8
  %v388 = mul nsw i64 %v387, 112
  %ring2.row.389 = getelementptr float, ptr %ring2, i64 %v388
  %v392 = add i64 %r.309, -4
  %v393 = call i64 @llvm.abs.i64(i64 %v392, i1 false)
  %v394 = sub i64 94, %v393
  %v395 = call i64 @llvm.smin.i64(i64 %v393, i64 %v394)
  %v396 = urem i64 %v395, 8
  %v397 = mul nsw i64 %v396, 112
  %ring2.row.398 = getelementptr float, ptr %ring2, i64 %v397
  %v407 = mul nsw i64 %r.309, 64
  %out.row.408 = getelementptr i8, ptr %output0, i64 %v407
  br label %across.412
across.412:
  %x.315 = phi i64 [ 0, %group2.313 ], [ %x.315.next, %across.412 ]
  %v319 = getelementptr float, ptr %ring2.row.318, i64 %x.315
  %v320 = load <16 x float>, ptr %v319, align 64
  %v321 = fmul <16 x float> %v320, splat (float 0x3FD9884A40000000)
  %v329 = getelementptr float, ptr %ring2.row.328, i64 %x.315
  %v330 = load <16 x float>, ptr %v329, align 64
  %v338 = getelementptr float, ptr %ring2.row.337, i64 %x.315
  %v339 = load <16 x float>, ptr %v338, align 64
  %v340 = fadd <16 x float> %v339, %v330
  %v341 = fmul <16 x float> %v340, splat (float 0x3FCEF8EBA0000000)
  %v349 = getelementptr float, ptr %ring2.row.348, i64 %x.315
  %v350 = load <16 x float>, ptr %v349, align 64
  %v358 = getelementptr float, ptr %ring2.row.357, i64 %x.315
  %v359 = load <16 x float>, ptr %v358, align 64
  %v360 = fadd <16 x float> %v359, %v350
  %v361 = fmul <16 x float> %v360, splat (float 0x3FABA4B9A0000000)
  %v362 = fadd <16 x float> %v361, %v341
  %v370 = getelementptr float, ptr %ring2.row.369, i64 %x.315
  %v371 = load <16 x float>, ptr %v370, align 64
  %v379 = getelementptr float, ptr %ring2.row.378, i64 %x.315
  %v380 = load <16 x float>, ptr %v379, align 64
  %v381 = fadd <16 x float> %v380, %v371
  %v382 = fmul <16 x float> %v381, splat (float 0x3F722724C0000000)
  %v390 = getelementptr float, ptr %ring2.row.389, i64 %x.315
  %v391 = load <16 x float>, ptr %v390, align 64
  %v399 = getelementptr float, ptr %ring2.row.398, i64 %x.315
  %v400 = load <16 x float>, ptr %v399, align 64
  %v401 = fadd <16 x float> %v400, %v391
  %v402 = fmul <16 x float> %v401, splat (float 0x3F218A9C40000000)
  %v403 = fadd <16 x float> %v402, %v382
  %v404 = fadd <16 x float> %v403, %v362
  %v405 = fadd <16 x float> %v404, %v321
  %v406 = fcmp olt <16 x float> %v239, %v405
  %v409 = getelementptr i8, ptr %out.row.408, i64 %x.315
  %v410 = zext <16 x i1> %v406 to <16 x i8>
  %v411 = getelementptr i8, ptr %v409, i64 128
  call void @llvm.prefetch.p0(ptr %v411, i32 1, i32 3, i32 1)
  store <16 x i8> %v410, ptr %v409, align 1
  %x.315.next = add nuw nsw i64 %x.315, 16
  %x.315.more = icmp ult i64 %x.315.next, 64
  br i1 %x.315.more, label %across.412, label %across.end.413
across.end.413:
  br label %group2.end.314
group2.end.314:
  br label %joined.109
joined.109:
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
