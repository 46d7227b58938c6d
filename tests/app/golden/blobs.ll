; gray+sound+scale+band+bright
;
; in0: 64x48 u8
; scale.out: 64x48 f32, leaves
; bright.out: 64x48 bool, leaves
; bright.level: f32, an argument
; pass 0, images of 64x48
;   ring1: f32, 24 rows
;   ring2: f32, 1 row, reflect101 5 px left and 5 px right
;   ring3: f32, 1 row, reflect101 12 px left and 12 px right
;   row y+12, from 12 above the strip to 12 below, 16 pixels a vector:
;     t1 = f32(in0[y, x])
;     ring1 = (t1 * 0.003921627998352051) + (t1 * -5.9370901084321304e-08)
;     scale.out = ring1
;   row y, 16 pixels a vector:
;     t1 = ring1[y-5, x]{reflect101} + ring1[y+5, x]{reflect101}
;     t2 = ring1[y-4, x]{reflect101} + ring1[y+4, x]{reflect101}
;     t3 = ring1[y-3, x]{reflect101} + ring1[y+3, x]{reflect101}
;     t4 = ring1[y-2, x]{reflect101} + ring1[y+2, x]{reflect101}
;     t5 = ((t1 * 5.646931458613835e-05) + (t2 * 0.0012852357467636466)) + ((t3 * 0.014606953598558903) + (t4 * 0.08289782702922821))
;     t6 = ring1[y-1, x]{reflect101} + ring1[y+1, x]{reflect101}
;     ring2 = t5 + ((t6 * 0.23492714762687683) + (ring1[y, x] * 0.3324527442455292))
;     t8 = ((ring1[y-12, x]{reflect101} + ring1[y+12, x]{reflect101}) * 4.461134449229576e-05) + ((ring1[y-11, x]{reflect101} + ring1[y+11, x]{reflect101}) * 0.00016009477258194238)
;     t9 = ((ring1[y-10, x]{reflect101} + ring1[y+10, x]{reflect101}) * 0.0005141075816936791) + ((ring1[y-9, x]{reflect101} + ring1[y+9, x]{reflect101}) * 0.0014773247530683875)
;     t10 = ((ring1[y-8, x]{reflect101} + ring1[y+8, x]{reflect101}) * 0.0037987700197845697) + ((ring1[y-7, x]{reflect101} + ring1[y+7, x]{reflect101}) * 0.008740877732634544)
;     t11 = ((ring1[y-6, x]{reflect101} + ring1[y+6, x]{reflect101}) * 0.01799749955534935) + (t1 * 0.03315998986363411)
;     t12 = ((t2 * 0.054671578109264374) + (t3 * 0.08065920323133469)) + ((t4 * 0.10648569464683533) + (t6 * 0.12579798698425293))
;     ring3 = ((t8 + t9) + (t10 + t11)) + (t12 + (ring1[y, x] * 0.13298453390598297))
;   row y, 16 pixels a vector:
;     t1 = ((ring2[y, x-5] + ring2[y, x+5]) * 5.646931458613835e-05) + ((ring2[y, x-4] + ring2[y, x+4]) * 0.0012852357467636466)
;     t2 = ((ring2[y, x-3] + ring2[y, x+3]) * 0.014606953598558903) + ((ring2[y, x-2] + ring2[y, x+2]) * 0.08289782702922821)
;     t3 = ((ring2[y, x-1] + ring2[y, x+1]) * 0.23492714762687683) + (ring2[y, x] * 0.3324527442455292)
;     t4 = ((ring3[y, x-12] + ring3[y, x+12]) * 4.461134449229576e-05) + ((ring3[y, x-11] + ring3[y, x+11]) * 0.00016009477258194238)
;     t5 = ((ring3[y, x-10] + ring3[y, x+10]) * 0.0005141075816936791) + ((ring3[y, x-9] + ring3[y, x+9]) * 0.0014773247530683875)
;     t6 = ((ring3[y, x-8] + ring3[y, x+8]) * 0.0037987700197845697) + ((ring3[y, x-7] + ring3[y, x+7]) * 0.008740877732634544)
;     t7 = ((ring3[y, x-6] + ring3[y, x+6]) * 0.01799749955534935) + ((ring3[y, x-5] + ring3[y, x+5]) * 0.03315998986363411)
;     t8 = ((ring3[y, x-4] + ring3[y, x+4]) * 0.054671578109264374) + ((ring3[y, x-3] + ring3[y, x+3]) * 0.08065920323133469)
;     t9 = ((ring3[y, x-2] + ring3[y, x+2]) * 0.10648569464683533) + ((ring3[y, x-1] + ring3[y, x+1]) * 0.12579798698425293)
;     t10 = ((t1 + t2) + t3) - (((t4 + t5) + (t6 + t7)) + ((t8 + t9) + (ring3[y, x] * 0.13298453390598297)))
;     bright.out = bright.level < t10

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
  %v9 = sub i64 %first_row, 12
  %v10 = add i64 %last_row, 12
  %low0 = call i64 @llvm.smax.i64(i64 %v9, i64 0)
  %high0 = call i64 @llvm.smin.i64(i64 %v10, i64 48)
  %v11 = sub i64 %first_row, 0
  %v12 = add i64 %last_row, 0
  %low1 = call i64 @llvm.smax.i64(i64 %v11, i64 0)
  %high1 = call i64 @llvm.smin.i64(i64 %v12, i64 48)
  %v13 = sub i64 %first_row, 0
  %v14 = add i64 %last_row, 0
  %low2 = call i64 @llvm.smax.i64(i64 %v13, i64 0)
  %high2 = call i64 @llvm.smin.i64(i64 %v14, i64 48)
  %v15 = sub i64 %low0, 12
  %v16 = sub i64 %low1, 0
  %v17 = sub i64 %low2, 0
  %v18 = sub i64 %high0, 12
  %v19 = sub i64 %high1, 0
  %v20 = sub i64 %high2, 0
  %v21 = call i64 @llvm.smin.i64(i64 %v15, i64 %v16)
  %v22 = call i64 @llvm.smin.i64(i64 %v21, i64 %v17)
  %v23 = call i64 @llvm.smax.i64(i64 %v18, i64 %v19)
  %v24 = call i64 @llvm.smax.i64(i64 %v23, i64 %v20)
  %ring1 = getelementptr i8, ptr %scratch, i64 0
  %ring2 = getelementptr i8, ptr %scratch, i64 10880
  %ring3 = getelementptr i8, ptr %scratch, i64 11520
  %v1011 = getelementptr i8, ptr %args, i64 64
  %param.1012 = load float, ptr %v1011, align 8
  %v1013 = insertelement <16 x float> poison, float %param.1012, i64 0
  %v1014 = shufflevector <16 x float> %v1013, <16 x float> poison, <16 x i32> zeroinitializer
  br label %t.25
t.25:
  %t.28 = phi i64 [ %first_frame, %entry ], [ %t.28.next, %t.next.29 ]
  %v30 = icmp slt i64 %t.28, %last_frame
  br i1 %v30, label %t.do.26, label %t.end.27
t.do.26:
  %v1023 = mul i64 %frames, 0
  %v1024 = add i64 %v1023, %t.28
  %v1025 = getelementptr ptr, ptr %images, i64 %v1024
  %input0 = load ptr, ptr %v1025, align 8
  %v1026 = mul i64 %frames, 1
  %v1027 = add i64 %v1026, %t.28
  %v1028 = getelementptr ptr, ptr %images, i64 %v1027
  %output0 = load ptr, ptr %v1028, align 8
  %v1029 = mul i64 %frames, 2
  %v1030 = add i64 %v1029, %t.28
  %v1031 = getelementptr ptr, ptr %images, i64 %v1030
  %output1 = load ptr, ptr %v1031, align 8
  %v31 = icmp eq i64 %t.28, 0
  %v32 = icmp ne i64 %is_first, 0
  %v33 = and i1 %v31, %v32
  br label %step.34
step.34:
  %s.37 = phi i64 [ %v22, %t.do.26 ], [ %s.37.next, %step.next.38 ]
  %v39 = icmp slt i64 %s.37, %v24
  br i1 %v39, label %step.do.35, label %step.end.36
step.do.35:
  ; group 0: plane ring1, output; 12 rows ahead; 12 more above, 12 below
  %r.40 = add nsw i64 %s.37, 12
  %v41 = icmp sge i64 %r.40, %low0
  %v42 = icmp slt i64 %r.40, %high0
  %v43 = and i1 %v41, %v42
  ; group 1: plane ring2, plane ring3; 0 rows ahead; 0 more above, 0 below
  %r.44 = add nsw i64 %s.37, 0
  %v45 = icmp sge i64 %r.44, %low1
  %v46 = icmp slt i64 %r.44, %high1
  %v47 = and i1 %v45, %v46
  %v48 = icmp sge i64 %r.44, 12
  %v49 = and i1 %v43, %v47
  %v50 = and i1 %v48, %v49
  br i1 %v50, label %together.51, label %apart.52
together.51:
  %v54 = icmp sge i64 %r.40, %first_row
  %v55 = icmp slt i64 %r.40, %last_row
  %v56 = and i1 %v54, %v55
  %v58 = mul nsw i64 %r.40, 64
  %in.row.59 = getelementptr i8, ptr %input0, i64 %v58
  %v328 = urem i64 %r.40, 24
  %v329 = mul nsw i64 %v328, 112
  %ring1.row.330 = getelementptr float, ptr %ring1, i64 %v329
  %v332 = mul nsw i64 %r.40, 64
  %out.row.333 = getelementptr float, ptr %output0, i64 %v332
  %v334 = getelementptr i8, ptr %scratch, i64 12032
  %out.row.335 = select i1 %v56, ptr %out.row.333, ptr %v334
  %v68 = urem i64 %r.44, 24
  %v69 = mul nsw i64 %v68, 112
  %ring1.row.70 = getelementptr float, ptr %ring1, i64 %v69
  %v74 = add i64 %r.44, 1
  %v75 = call i64 @llvm.abs.i64(i64 %v74, i1 false)
  %v76 = sub i64 94, %v75
  %v77 = call i64 @llvm.smin.i64(i64 %v75, i64 %v76)
  %v78 = urem i64 %v77, 24
  %v79 = mul nsw i64 %v78, 112
  %ring1.row.80 = getelementptr float, ptr %ring1, i64 %v79
  %v83 = add i64 %r.44, -1
  %v84 = call i64 @llvm.abs.i64(i64 %v83, i1 false)
  %v85 = sub i64 94, %v84
  %v86 = call i64 @llvm.smin.i64(i64 %v84, i64 %v85)
  %v87 = urem i64 %v86, 24
  %v88 = mul nsw i64 %v87, 112
  %ring1.row.89 = getelementptr float, ptr %ring1, i64 %v88
  %v95 = add i64 %r.44, 2
  %v96 = call i64 @llvm.abs.i64(i64 %v95, i1 false)
  %v97 = sub i64 94, %v96
  %v98 = call i64 @llvm.smin.i64(i64 %v96, i64 %v97)
  %v99 = urem i64 %v98, 24
  %v100 = mul nsw i64 %v99, 112
  %ring1.row.101 = getelementptr float, ptr %ring1, i64 %v100
  %v104 = add i64 %r.44, -2
  %v105 = call i64 @llvm.abs.i64(i64 %v104, i1 false)
  %v106 = sub i64 94, %v105
  %v107 = call i64 @llvm.smin.i64(i64 %v105, i64 %v106)
  %v108 = urem i64 %v107, 24
  %v109 = mul nsw i64 %v108, 112
  %ring1.row.110 = getelementptr float, ptr %ring1, i64 %v109
  %v115 = add i64 %r.44, 3
  %v116 = call i64 @llvm.abs.i64(i64 %v115, i1 false)
  %v117 = sub i64 94, %v116
  %v118 = call i64 @llvm.smin.i64(i64 %v116, i64 %v117)
  %v119 = urem i64 %v118, 24
  %v120 = mul nsw i64 %v119, 112
  %ring1.row.121 = getelementptr float, ptr %ring1, i64 %v120
  %v124 = add i64 %r.44, -3
  %v125 = call i64 @llvm.abs.i64(i64 %v124, i1 false)
  %v126 = sub i64 94, %v125
  %v127 = call i64 @llvm.smin.i64(i64 %v125, i64 %v126)
  %v128 = urem i64 %v127, 24
  %v129 = mul nsw i64 %v128, 112
  %ring1.row.130 = getelementptr float, ptr %ring1, i64 %v129
  %v136 = add i64 %r.44, 4
  %v137 = call i64 @llvm.abs.i64(i64 %v136, i1 false)
  %v138 = sub i64 94, %v137
  %v139 = call i64 @llvm.smin.i64(i64 %v137, i64 %v138)
  %v140 = urem i64 %v139, 24
  %v141 = mul nsw i64 %v140, 112
  %ring1.row.142 = getelementptr float, ptr %ring1, i64 %v141
  %v145 = add i64 %r.44, -4
  %v146 = call i64 @llvm.abs.i64(i64 %v145, i1 false)
  %v147 = sub i64 94, %v146
  %v148 = call i64 @llvm.smin.i64(i64 %v146, i64 %v147)
  %v149 = urem i64 %v148, 24
  %v150 = mul nsw i64 %v149, 112
  %ring1.row.151 = getelementptr float, ptr %ring1, i64 %v150
  %v156 = add i64 %r.44, 5
  %v157 = call i64 @llvm.abs.i64(i64 %v156, i1 false)
  %v158 = sub i64 94, %v157
  %v159 = call i64 @llvm.smin.i64(i64 %v157, i64 %v158)
  %v160 = urem i64 %v159, 24
  %v161 = mul nsw i64 %v160, 112
  %ring1.row.162 = getelementptr float, ptr %ring1, i64 %v161
  %v165 = add i64 %r.44, -5
  %v166 = call i64 @llvm.abs.i64(i64 %v165, i1 false)
  %v167 = sub i64 94, %v166
  %v168 = call i64 @llvm.smin.i64(i64 %v166, i64 %v167)
  %v169 = urem i64 %v168, 24
  %v170 = mul nsw i64 %v169, 112
  %ring1.row.171 = getelementptr float, ptr %ring1, i64 %v170
  %v189 = add i64 %r.44, 6
  %v190 = call i64 @llvm.abs.i64(i64 %v189, i1 false)
  %v191 = sub i64 94, %v190
  %v192 = call i64 @llvm.smin.i64(i64 %v190, i64 %v191)
  %v193 = urem i64 %v192, 24
  %v194 = mul nsw i64 %v193, 112
  %ring1.row.195 = getelementptr float, ptr %ring1, i64 %v194
  %v198 = add i64 %r.44, -6
  %v199 = call i64 @llvm.abs.i64(i64 %v198, i1 false)
  %v200 = sub i64 94, %v199
  %v201 = call i64 @llvm.smin.i64(i64 %v199, i64 %v200)
  %v202 = urem i64 %v201, 24
  %v203 = mul nsw i64 %v202, 112
  %ring1.row.204 = getelementptr float, ptr %ring1, i64 %v203
  %v210 = add i64 %r.44, 7
  %v211 = call i64 @llvm.abs.i64(i64 %v210, i1 false)
  %v212 = sub i64 94, %v211
  %v213 = call i64 @llvm.smin.i64(i64 %v211, i64 %v212)
  %v214 = urem i64 %v213, 24
  %v215 = mul nsw i64 %v214, 112
  %ring1.row.216 = getelementptr float, ptr %ring1, i64 %v215
  %v219 = add i64 %r.44, -7
  %v220 = call i64 @llvm.abs.i64(i64 %v219, i1 false)
  %v221 = sub i64 94, %v220
  %v222 = call i64 @llvm.smin.i64(i64 %v220, i64 %v221)
  %v223 = urem i64 %v222, 24
  %v224 = mul nsw i64 %v223, 112
  %ring1.row.225 = getelementptr float, ptr %ring1, i64 %v224
  %v230 = add i64 %r.44, 8
  %v231 = call i64 @llvm.abs.i64(i64 %v230, i1 false)
  %v232 = sub i64 94, %v231
  %v233 = call i64 @llvm.smin.i64(i64 %v231, i64 %v232)
  %v234 = urem i64 %v233, 24
  %v235 = mul nsw i64 %v234, 112
  %ring1.row.236 = getelementptr float, ptr %ring1, i64 %v235
  %v239 = add i64 %r.44, -8
  %v240 = call i64 @llvm.abs.i64(i64 %v239, i1 false)
  %v241 = sub i64 94, %v240
  %v242 = call i64 @llvm.smin.i64(i64 %v240, i64 %v241)
  %v243 = urem i64 %v242, 24
  %v244 = mul nsw i64 %v243, 112
  %ring1.row.245 = getelementptr float, ptr %ring1, i64 %v244
  %v252 = add i64 %r.44, 9
  %v253 = call i64 @llvm.abs.i64(i64 %v252, i1 false)
  %v254 = sub i64 94, %v253
  %v255 = call i64 @llvm.smin.i64(i64 %v253, i64 %v254)
  %v256 = urem i64 %v255, 24
  %v257 = mul nsw i64 %v256, 112
  %ring1.row.258 = getelementptr float, ptr %ring1, i64 %v257
  %v261 = add i64 %r.44, -9
  %v262 = call i64 @llvm.abs.i64(i64 %v261, i1 false)
  %v263 = sub i64 94, %v262
  %v264 = call i64 @llvm.smin.i64(i64 %v262, i64 %v263)
  %v265 = urem i64 %v264, 24
  %v266 = mul nsw i64 %v265, 112
  %ring1.row.267 = getelementptr float, ptr %ring1, i64 %v266
  %v272 = add i64 %r.44, 10
  %v273 = call i64 @llvm.abs.i64(i64 %v272, i1 false)
  %v274 = sub i64 94, %v273
  %v275 = call i64 @llvm.smin.i64(i64 %v273, i64 %v274)
  %v276 = urem i64 %v275, 24
  %v277 = mul nsw i64 %v276, 112
  %ring1.row.278 = getelementptr float, ptr %ring1, i64 %v277
  %v281 = add i64 %r.44, -10
  %v282 = call i64 @llvm.abs.i64(i64 %v281, i1 false)
  %v283 = sub i64 94, %v282
  %v284 = call i64 @llvm.smin.i64(i64 %v282, i64 %v283)
  %v285 = urem i64 %v284, 24
  %v286 = mul nsw i64 %v285, 112
  %ring1.row.287 = getelementptr float, ptr %ring1, i64 %v286
  %v293 = add i64 %r.44, 11
  %v294 = call i64 @llvm.abs.i64(i64 %v293, i1 false)
  %v295 = sub i64 94, %v294
  %v296 = call i64 @llvm.smin.i64(i64 %v294, i64 %v295)
  %v297 = urem i64 %v296, 24
  %v298 = mul nsw i64 %v297, 112
  %ring1.row.299 = getelementptr float, ptr %ring1, i64 %v298
  %v302 = add i64 %r.44, -11
  %v303 = call i64 @llvm.abs.i64(i64 %v302, i1 false)
  %v304 = sub i64 94, %v303
  %v305 = call i64 @llvm.smin.i64(i64 %v303, i64 %v304)
  %v306 = urem i64 %v305, 24
  %v307 = mul nsw i64 %v306, 112
  %ring1.row.308 = getelementptr float, ptr %ring1, i64 %v307
  %v313 = add i64 %r.44, -12
  %v314 = call i64 @llvm.abs.i64(i64 %v313, i1 false)
  %v315 = sub i64 94, %v314
  %v316 = call i64 @llvm.smin.i64(i64 %v314, i64 %v315)
  %v317 = urem i64 %v316, 24
  %v318 = mul nsw i64 %v317, 112
  %ring1.row.319 = getelementptr float, ptr %ring1, i64 %v318
  br label %across.340
across.340:
  %x.57 = phi i64 [ 0, %together.51 ], [ %x.57.next, %across.340 ]
  %v60 = getelementptr i8, ptr %in.row.59, i64 %x.57
  %v61 = getelementptr i8, ptr %v60, i64 128
  call void @llvm.prefetch.p0(ptr %v61, i32 0, i32 3, i32 1)
  %v62 = load <16 x i8>, ptr %v60, align 1
  %v63 = zext <16 x i8> %v62 to <16 x i32>
  %v64 = sitofp <16 x i32> %v63 to <16 x float>
  %v65 = fmul <16 x float> %v64, splat (float 0xBE6FDFDFE0000000)
  %v66 = fmul <16 x float> %v64, splat (float 0x3F70102000000000)
  %v67 = fadd <16 x float> %v66, %v65
  %v71 = getelementptr float, ptr %ring1.row.70, i64 %x.57
  %v72 = load <16 x float>, ptr %v71, align 64
  %v73 = fmul <16 x float> %v72, splat (float 0x3FD546E7E0000000)
  %v81 = getelementptr float, ptr %ring1.row.80, i64 %x.57
  %v82 = load <16 x float>, ptr %v81, align 64
  %v90 = getelementptr float, ptr %ring1.row.89, i64 %x.57
  %v91 = load <16 x float>, ptr %v90, align 64
  %v92 = fadd <16 x float> %v91, %v82
  %v93 = fmul <16 x float> %v92, splat (float 0x3FCE1217C0000000)
  %v94 = fadd <16 x float> %v93, %v73
  %v102 = getelementptr float, ptr %ring1.row.101, i64 %x.57
  %v103 = load <16 x float>, ptr %v102, align 64
  %v111 = getelementptr float, ptr %ring1.row.110, i64 %x.57
  %v112 = load <16 x float>, ptr %v111, align 64
  %v113 = fadd <16 x float> %v112, %v103
  %v114 = fmul <16 x float> %v113, splat (float 0x3FB538CAC0000000)
  %v122 = getelementptr float, ptr %ring1.row.121, i64 %x.57
  %v123 = load <16 x float>, ptr %v122, align 64
  %v131 = getelementptr float, ptr %ring1.row.130, i64 %x.57
  %v132 = load <16 x float>, ptr %v131, align 64
  %v133 = fadd <16 x float> %v132, %v123
  %v134 = fmul <16 x float> %v133, splat (float 0x3F8DEA4020000000)
  %v135 = fadd <16 x float> %v134, %v114
  %v143 = getelementptr float, ptr %ring1.row.142, i64 %x.57
  %v144 = load <16 x float>, ptr %v143, align 64
  %v152 = getelementptr float, ptr %ring1.row.151, i64 %x.57
  %v153 = load <16 x float>, ptr %v152, align 64
  %v154 = fadd <16 x float> %v153, %v144
  %v155 = fmul <16 x float> %v154, splat (float 0x3F550EAB60000000)
  %v163 = getelementptr float, ptr %ring1.row.162, i64 %x.57
  %v164 = load <16 x float>, ptr %v163, align 64
  %v172 = getelementptr float, ptr %ring1.row.171, i64 %x.57
  %v173 = load <16 x float>, ptr %v172, align 64
  %v174 = fadd <16 x float> %v173, %v164
  %v175 = fmul <16 x float> %v174, splat (float 0x3F0D9B2EE0000000)
  %v176 = fadd <16 x float> %v175, %v155
  %v177 = fadd <16 x float> %v176, %v135
  %v178 = fadd <16 x float> %v177, %v94
  %v179 = fmul <16 x float> %v72, splat (float 0x3FC105A320000000)
  %v180 = fmul <16 x float> %v92, splat (float 0x3FC01A2600000000)
  %v181 = fmul <16 x float> %v113, splat (float 0x3FBB42A580000000)
  %v182 = fadd <16 x float> %v181, %v180
  %v183 = fmul <16 x float> %v133, splat (float 0x3FB4A614E0000000)
  %v184 = fmul <16 x float> %v154, splat (float 0x3FABFDE9C0000000)
  %v185 = fadd <16 x float> %v184, %v183
  %v186 = fadd <16 x float> %v185, %v182
  %v187 = fadd <16 x float> %v186, %v179
  %v188 = fmul <16 x float> %v174, splat (float 0x3FA0FA58A0000000)
  %v196 = getelementptr float, ptr %ring1.row.195, i64 %x.57
  %v197 = load <16 x float>, ptr %v196, align 64
  %v205 = getelementptr float, ptr %ring1.row.204, i64 %x.57
  %v206 = load <16 x float>, ptr %v205, align 64
  %v207 = fadd <16 x float> %v206, %v197
  %v208 = fmul <16 x float> %v207, splat (float 0x3F926DEFC0000000)
  %v209 = fadd <16 x float> %v208, %v188
  %v217 = getelementptr float, ptr %ring1.row.216, i64 %x.57
  %v218 = load <16 x float>, ptr %v217, align 64
  %v226 = getelementptr float, ptr %ring1.row.225, i64 %x.57
  %v227 = load <16 x float>, ptr %v226, align 64
  %v228 = fadd <16 x float> %v227, %v218
  %v229 = fmul <16 x float> %v228, splat (float 0x3F81E6BCC0000000)
  %v237 = getelementptr float, ptr %ring1.row.236, i64 %x.57
  %v238 = load <16 x float>, ptr %v237, align 64
  %v246 = getelementptr float, ptr %ring1.row.245, i64 %x.57
  %v247 = load <16 x float>, ptr %v246, align 64
  %v248 = fadd <16 x float> %v247, %v238
  %v249 = fmul <16 x float> %v248, splat (float 0x3F6F1E9920000000)
  %v250 = fadd <16 x float> %v249, %v229
  %v251 = fadd <16 x float> %v250, %v209
  %v259 = getelementptr float, ptr %ring1.row.258, i64 %x.57
  %v260 = load <16 x float>, ptr %v259, align 64
  %v268 = getelementptr float, ptr %ring1.row.267, i64 %x.57
  %v269 = load <16 x float>, ptr %v268, align 64
  %v270 = fadd <16 x float> %v269, %v260
  %v271 = fmul <16 x float> %v270, splat (float 0x3F58345960000000)
  %v279 = getelementptr float, ptr %ring1.row.278, i64 %x.57
  %v280 = load <16 x float>, ptr %v279, align 64
  %v288 = getelementptr float, ptr %ring1.row.287, i64 %x.57
  %v289 = load <16 x float>, ptr %v288, align 64
  %v290 = fadd <16 x float> %v289, %v280
  %v291 = fmul <16 x float> %v290, splat (float 0x3F40D8A5A0000000)
  %v292 = fadd <16 x float> %v291, %v271
  %v300 = getelementptr float, ptr %ring1.row.299, i64 %x.57
  %v301 = load <16 x float>, ptr %v300, align 64
  %v309 = getelementptr float, ptr %ring1.row.308, i64 %x.57
  %v310 = load <16 x float>, ptr %v309, align 64
  %v311 = fadd <16 x float> %v310, %v301
  %v312 = fmul <16 x float> %v311, splat (float 0x3F24FBE3A0000000)
  %v320 = getelementptr float, ptr %ring1.row.319, i64 %x.57
  %v321 = load <16 x float>, ptr %v320, align 64
  %v322 = fadd <16 x float> %v321, %v67
  %v323 = fmul <16 x float> %v322, splat (float 0x3F0763A220000000)
  %v324 = fadd <16 x float> %v323, %v312
  %v325 = fadd <16 x float> %v324, %v292
  %v326 = fadd <16 x float> %v325, %v251
  %v327 = fadd <16 x float> %v326, %v187
  %v331 = getelementptr float, ptr %ring1.row.330, i64 %x.57
  store <16 x float> %v67, ptr %v331, align 64
  %v336 = getelementptr float, ptr %out.row.335, i64 %x.57
  %v337 = getelementptr i8, ptr %v336, i64 512
  call void @llvm.prefetch.p0(ptr %v337, i32 1, i32 3, i32 1)
  store <16 x float> %v67, ptr %v336, align 4
  %v338 = getelementptr float, ptr %ring2, i64 %x.57
  store <16 x float> %v178, ptr %v338, align 64
  %v339 = getelementptr float, ptr %ring3, i64 %x.57
  store <16 x float> %v327, ptr %v339, align 64
  %x.57.next = add nuw nsw i64 %x.57, 16
  %x.57.more = icmp ult i64 %x.57.next, 64
  br i1 %x.57.more, label %across.340, label %across.end.341
across.end.341:
  %v342 = getelementptr float, ptr %ring2, i64 5
  %v343 = load float, ptr %v342
  %v344 = getelementptr float, ptr %ring2, i64 -5
  store float %v343, ptr %v344
  %v345 = getelementptr float, ptr %ring2, i64 4
  %v346 = load float, ptr %v345
  %v347 = getelementptr float, ptr %ring2, i64 -4
  store float %v346, ptr %v347
  %v348 = getelementptr float, ptr %ring2, i64 3
  %v349 = load float, ptr %v348
  %v350 = getelementptr float, ptr %ring2, i64 -3
  store float %v349, ptr %v350
  %v351 = getelementptr float, ptr %ring2, i64 2
  %v352 = load float, ptr %v351
  %v353 = getelementptr float, ptr %ring2, i64 -2
  store float %v352, ptr %v353
  %v354 = getelementptr float, ptr %ring2, i64 1
  %v355 = load float, ptr %v354
  %v356 = getelementptr float, ptr %ring2, i64 -1
  store float %v355, ptr %v356
  %v357 = getelementptr float, ptr %ring2, i64 62
  %v358 = load float, ptr %v357
  %v359 = getelementptr float, ptr %ring2, i64 64
  store float %v358, ptr %v359
  %v360 = getelementptr float, ptr %ring2, i64 61
  %v361 = load float, ptr %v360
  %v362 = getelementptr float, ptr %ring2, i64 65
  store float %v361, ptr %v362
  %v363 = getelementptr float, ptr %ring2, i64 60
  %v364 = load float, ptr %v363
  %v365 = getelementptr float, ptr %ring2, i64 66
  store float %v364, ptr %v365
  %v366 = getelementptr float, ptr %ring2, i64 59
  %v367 = load float, ptr %v366
  %v368 = getelementptr float, ptr %ring2, i64 67
  store float %v367, ptr %v368
  %v369 = getelementptr float, ptr %ring2, i64 58
  %v370 = load float, ptr %v369
  %v371 = getelementptr float, ptr %ring2, i64 68
  store float %v370, ptr %v371
  %v372 = getelementptr float, ptr %ring3, i64 12
  %v373 = load float, ptr %v372
  %v374 = getelementptr float, ptr %ring3, i64 -12
  store float %v373, ptr %v374
  %v375 = getelementptr float, ptr %ring3, i64 11
  %v376 = load float, ptr %v375
  %v377 = getelementptr float, ptr %ring3, i64 -11
  store float %v376, ptr %v377
  %v378 = getelementptr float, ptr %ring3, i64 10
  %v379 = load float, ptr %v378
  %v380 = getelementptr float, ptr %ring3, i64 -10
  store float %v379, ptr %v380
  %v381 = getelementptr float, ptr %ring3, i64 9
  %v382 = load float, ptr %v381
  %v383 = getelementptr float, ptr %ring3, i64 -9
  store float %v382, ptr %v383
  %v384 = getelementptr float, ptr %ring3, i64 8
  %v385 = load float, ptr %v384
  %v386 = getelementptr float, ptr %ring3, i64 -8
  store float %v385, ptr %v386
  %v387 = getelementptr float, ptr %ring3, i64 7
  %v388 = load float, ptr %v387
  %v389 = getelementptr float, ptr %ring3, i64 -7
  store float %v388, ptr %v389
  %v390 = getelementptr float, ptr %ring3, i64 6
  %v391 = load float, ptr %v390
  %v392 = getelementptr float, ptr %ring3, i64 -6
  store float %v391, ptr %v392
  %v393 = getelementptr float, ptr %ring3, i64 5
  %v394 = load float, ptr %v393
  %v395 = getelementptr float, ptr %ring3, i64 -5
  store float %v394, ptr %v395
  %v396 = getelementptr float, ptr %ring3, i64 4
  %v397 = load float, ptr %v396
  %v398 = getelementptr float, ptr %ring3, i64 -4
  store float %v397, ptr %v398
  %v399 = getelementptr float, ptr %ring3, i64 3
  %v400 = load float, ptr %v399
  %v401 = getelementptr float, ptr %ring3, i64 -3
  store float %v400, ptr %v401
  %v402 = getelementptr float, ptr %ring3, i64 2
  %v403 = load float, ptr %v402
  %v404 = getelementptr float, ptr %ring3, i64 -2
  store float %v403, ptr %v404
  %v405 = getelementptr float, ptr %ring3, i64 1
  %v406 = load float, ptr %v405
  %v407 = getelementptr float, ptr %ring3, i64 -1
  store float %v406, ptr %v407
  %v408 = getelementptr float, ptr %ring3, i64 62
  %v409 = load float, ptr %v408
  %v410 = getelementptr float, ptr %ring3, i64 64
  store float %v409, ptr %v410
  %v411 = getelementptr float, ptr %ring3, i64 61
  %v412 = load float, ptr %v411
  %v413 = getelementptr float, ptr %ring3, i64 65
  store float %v412, ptr %v413
  %v414 = getelementptr float, ptr %ring3, i64 60
  %v415 = load float, ptr %v414
  %v416 = getelementptr float, ptr %ring3, i64 66
  store float %v415, ptr %v416
  %v417 = getelementptr float, ptr %ring3, i64 59
  %v418 = load float, ptr %v417
  %v419 = getelementptr float, ptr %ring3, i64 67
  store float %v418, ptr %v419
  %v420 = getelementptr float, ptr %ring3, i64 58
  %v421 = load float, ptr %v420
  %v422 = getelementptr float, ptr %ring3, i64 68
  store float %v421, ptr %v422
  %v423 = getelementptr float, ptr %ring3, i64 57
  %v424 = load float, ptr %v423
  %v425 = getelementptr float, ptr %ring3, i64 69
  store float %v424, ptr %v425
  %v426 = getelementptr float, ptr %ring3, i64 56
  %v427 = load float, ptr %v426
  %v428 = getelementptr float, ptr %ring3, i64 70
  store float %v427, ptr %v428
  %v429 = getelementptr float, ptr %ring3, i64 55
  %v430 = load float, ptr %v429
  %v431 = getelementptr float, ptr %ring3, i64 71
  store float %v430, ptr %v431
  %v432 = getelementptr float, ptr %ring3, i64 54
  %v433 = load float, ptr %v432
  %v434 = getelementptr float, ptr %ring3, i64 72
  store float %v433, ptr %v434
  %v435 = getelementptr float, ptr %ring3, i64 53
  %v436 = load float, ptr %v435
  %v437 = getelementptr float, ptr %ring3, i64 73
  store float %v436, ptr %v437
  %v438 = getelementptr float, ptr %ring3, i64 52
  %v439 = load float, ptr %v438
  %v440 = getelementptr float, ptr %ring3, i64 74
  store float %v439, ptr %v440
  %v441 = getelementptr float, ptr %ring3, i64 51
  %v442 = load float, ptr %v441
  %v443 = getelementptr float, ptr %ring3, i64 75
  store float %v442, ptr %v443
  br label %joined.53
apart.52:
  ; group 0: plane ring1, output; 12 rows ahead; 12 more above, 12 below
  %r.444 = add nsw i64 %s.37, 12
  %v445 = icmp sge i64 %r.444, %low0
  %v446 = icmp slt i64 %r.444, %high0
  %v447 = and i1 %v445, %v446
  br i1 %v447, label %group0.448, label %group0.end.449
group0.448:
  %v450 = icmp sge i64 %r.444, %first_row
  %v451 = icmp slt i64 %r.444, %last_row
  %v452 = and i1 %v450, %v451
  %v454 = mul nsw i64 %r.444, 64
  %in.row.455 = getelementptr i8, ptr %input0, i64 %v454
  %v464 = urem i64 %r.444, 24
  %v465 = mul nsw i64 %v464, 112
  %ring1.row.466 = getelementptr float, ptr %ring1, i64 %v465
  %v468 = mul nsw i64 %r.444, 64
  %out.row.469 = getelementptr float, ptr %output0, i64 %v468
  %v470 = getelementptr i8, ptr %scratch, i64 12288
  %out.row.471 = select i1 %v452, ptr %out.row.469, ptr %v470
  br label %across.474
across.474:
  %x.453 = phi i64 [ 0, %group0.448 ], [ %x.453.next, %across.474 ]
  %v456 = getelementptr i8, ptr %in.row.455, i64 %x.453
  %v457 = getelementptr i8, ptr %v456, i64 128
  call void @llvm.prefetch.p0(ptr %v457, i32 0, i32 3, i32 1)
  %v458 = load <16 x i8>, ptr %v456, align 1
  %v459 = zext <16 x i8> %v458 to <16 x i32>
  %v460 = sitofp <16 x i32> %v459 to <16 x float>
  %v461 = fmul <16 x float> %v460, splat (float 0xBE6FDFDFE0000000)
  %v462 = fmul <16 x float> %v460, splat (float 0x3F70102000000000)
  %v463 = fadd <16 x float> %v462, %v461
  %v467 = getelementptr float, ptr %ring1.row.466, i64 %x.453
  store <16 x float> %v463, ptr %v467, align 64
  %v472 = getelementptr float, ptr %out.row.471, i64 %x.453
  %v473 = getelementptr i8, ptr %v472, i64 512
  call void @llvm.prefetch.p0(ptr %v473, i32 1, i32 3, i32 1)
  store <16 x float> %v463, ptr %v472, align 4
  %x.453.next = add nuw nsw i64 %x.453, 16
  %x.453.more = icmp ult i64 %x.453.next, 64
  br i1 %x.453.more, label %across.474, label %across.end.475
across.end.475:
  br label %group0.end.449
group0.end.449:
  ; group 1: plane ring2, plane ring3; 0 rows ahead; 0 more above, 0 below
  %r.476 = add nsw i64 %s.37, 0
  %v477 = icmp sge i64 %r.476, %low1
  %v478 = icmp slt i64 %r.476, %high1
  %v479 = and i1 %v477, %v478
  br i1 %v479, label %group1.480, label %group1.end.481
group1.480:
  %v483 = urem i64 %r.476, 24
  %v484 = mul nsw i64 %v483, 112
  %ring1.row.485 = getelementptr float, ptr %ring1, i64 %v484
  %v489 = add i64 %r.476, 1
  %v490 = call i64 @llvm.abs.i64(i64 %v489, i1 false)
  %v491 = sub i64 94, %v490
  %v492 = call i64 @llvm.smin.i64(i64 %v490, i64 %v491)
  %v493 = urem i64 %v492, 24
  %v494 = mul nsw i64 %v493, 112
  %ring1.row.495 = getelementptr float, ptr %ring1, i64 %v494
  %v498 = add i64 %r.476, -1
  %v499 = call i64 @llvm.abs.i64(i64 %v498, i1 false)
  %v500 = sub i64 94, %v499
  %v501 = call i64 @llvm.smin.i64(i64 %v499, i64 %v500)
  %v502 = urem i64 %v501, 24
  %v503 = mul nsw i64 %v502, 112
  %ring1.row.504 = getelementptr float, ptr %ring1, i64 %v503
  %v510 = add i64 %r.476, 2
  %v511 = call i64 @llvm.abs.i64(i64 %v510, i1 false)
  %v512 = sub i64 94, %v511
  %v513 = call i64 @llvm.smin.i64(i64 %v511, i64 %v512)
  %v514 = urem i64 %v513, 24
  %v515 = mul nsw i64 %v514, 112
  %ring1.row.516 = getelementptr float, ptr %ring1, i64 %v515
  %v519 = add i64 %r.476, -2
  %v520 = call i64 @llvm.abs.i64(i64 %v519, i1 false)
  %v521 = sub i64 94, %v520
  %v522 = call i64 @llvm.smin.i64(i64 %v520, i64 %v521)
  %v523 = urem i64 %v522, 24
  %v524 = mul nsw i64 %v523, 112
  %ring1.row.525 = getelementptr float, ptr %ring1, i64 %v524
  %v530 = add i64 %r.476, 3
  %v531 = call i64 @llvm.abs.i64(i64 %v530, i1 false)
  %v532 = sub i64 94, %v531
  %v533 = call i64 @llvm.smin.i64(i64 %v531, i64 %v532)
  %v534 = urem i64 %v533, 24
  %v535 = mul nsw i64 %v534, 112
  %ring1.row.536 = getelementptr float, ptr %ring1, i64 %v535
  %v539 = add i64 %r.476, -3
  %v540 = call i64 @llvm.abs.i64(i64 %v539, i1 false)
  %v541 = sub i64 94, %v540
  %v542 = call i64 @llvm.smin.i64(i64 %v540, i64 %v541)
  %v543 = urem i64 %v542, 24
  %v544 = mul nsw i64 %v543, 112
  %ring1.row.545 = getelementptr float, ptr %ring1, i64 %v544
  %v551 = add i64 %r.476, 4
  %v552 = call i64 @llvm.abs.i64(i64 %v551, i1 false)
  %v553 = sub i64 94, %v552
  %v554 = call i64 @llvm.smin.i64(i64 %v552, i64 %v553)
  %v555 = urem i64 %v554, 24
  %v556 = mul nsw i64 %v555, 112
  %ring1.row.557 = getelementptr float, ptr %ring1, i64 %v556
  %v560 = add i64 %r.476, -4
  %v561 = call i64 @llvm.abs.i64(i64 %v560, i1 false)
  %v562 = sub i64 94, %v561
  %v563 = call i64 @llvm.smin.i64(i64 %v561, i64 %v562)
  %v564 = urem i64 %v563, 24
  %v565 = mul nsw i64 %v564, 112
  %ring1.row.566 = getelementptr float, ptr %ring1, i64 %v565
  %v571 = add i64 %r.476, 5
  %v572 = call i64 @llvm.abs.i64(i64 %v571, i1 false)
  %v573 = sub i64 94, %v572
  %v574 = call i64 @llvm.smin.i64(i64 %v572, i64 %v573)
  %v575 = urem i64 %v574, 24
  %v576 = mul nsw i64 %v575, 112
  %ring1.row.577 = getelementptr float, ptr %ring1, i64 %v576
  %v580 = add i64 %r.476, -5
  %v581 = call i64 @llvm.abs.i64(i64 %v580, i1 false)
  %v582 = sub i64 94, %v581
  %v583 = call i64 @llvm.smin.i64(i64 %v581, i64 %v582)
  %v584 = urem i64 %v583, 24
  %v585 = mul nsw i64 %v584, 112
  %ring1.row.586 = getelementptr float, ptr %ring1, i64 %v585
  %v604 = add i64 %r.476, 6
  %v605 = call i64 @llvm.abs.i64(i64 %v604, i1 false)
  %v606 = sub i64 94, %v605
  %v607 = call i64 @llvm.smin.i64(i64 %v605, i64 %v606)
  %v608 = urem i64 %v607, 24
  %v609 = mul nsw i64 %v608, 112
  %ring1.row.610 = getelementptr float, ptr %ring1, i64 %v609
  %v613 = add i64 %r.476, -6
  %v614 = call i64 @llvm.abs.i64(i64 %v613, i1 false)
  %v615 = sub i64 94, %v614
  %v616 = call i64 @llvm.smin.i64(i64 %v614, i64 %v615)
  %v617 = urem i64 %v616, 24
  %v618 = mul nsw i64 %v617, 112
  %ring1.row.619 = getelementptr float, ptr %ring1, i64 %v618
  %v625 = add i64 %r.476, 7
  %v626 = call i64 @llvm.abs.i64(i64 %v625, i1 false)
  %v627 = sub i64 94, %v626
  %v628 = call i64 @llvm.smin.i64(i64 %v626, i64 %v627)
  %v629 = urem i64 %v628, 24
  %v630 = mul nsw i64 %v629, 112
  %ring1.row.631 = getelementptr float, ptr %ring1, i64 %v630
  %v634 = add i64 %r.476, -7
  %v635 = call i64 @llvm.abs.i64(i64 %v634, i1 false)
  %v636 = sub i64 94, %v635
  %v637 = call i64 @llvm.smin.i64(i64 %v635, i64 %v636)
  %v638 = urem i64 %v637, 24
  %v639 = mul nsw i64 %v638, 112
  %ring1.row.640 = getelementptr float, ptr %ring1, i64 %v639
  %v645 = add i64 %r.476, 8
  %v646 = call i64 @llvm.abs.i64(i64 %v645, i1 false)
  %v647 = sub i64 94, %v646
  %v648 = call i64 @llvm.smin.i64(i64 %v646, i64 %v647)
  %v649 = urem i64 %v648, 24
  %v650 = mul nsw i64 %v649, 112
  %ring1.row.651 = getelementptr float, ptr %ring1, i64 %v650
  %v654 = add i64 %r.476, -8
  %v655 = call i64 @llvm.abs.i64(i64 %v654, i1 false)
  %v656 = sub i64 94, %v655
  %v657 = call i64 @llvm.smin.i64(i64 %v655, i64 %v656)
  %v658 = urem i64 %v657, 24
  %v659 = mul nsw i64 %v658, 112
  %ring1.row.660 = getelementptr float, ptr %ring1, i64 %v659
  %v667 = add i64 %r.476, 9
  %v668 = call i64 @llvm.abs.i64(i64 %v667, i1 false)
  %v669 = sub i64 94, %v668
  %v670 = call i64 @llvm.smin.i64(i64 %v668, i64 %v669)
  %v671 = urem i64 %v670, 24
  %v672 = mul nsw i64 %v671, 112
  %ring1.row.673 = getelementptr float, ptr %ring1, i64 %v672
  %v676 = add i64 %r.476, -9
  %v677 = call i64 @llvm.abs.i64(i64 %v676, i1 false)
  %v678 = sub i64 94, %v677
  %v679 = call i64 @llvm.smin.i64(i64 %v677, i64 %v678)
  %v680 = urem i64 %v679, 24
  %v681 = mul nsw i64 %v680, 112
  %ring1.row.682 = getelementptr float, ptr %ring1, i64 %v681
  %v687 = add i64 %r.476, 10
  %v688 = call i64 @llvm.abs.i64(i64 %v687, i1 false)
  %v689 = sub i64 94, %v688
  %v690 = call i64 @llvm.smin.i64(i64 %v688, i64 %v689)
  %v691 = urem i64 %v690, 24
  %v692 = mul nsw i64 %v691, 112
  %ring1.row.693 = getelementptr float, ptr %ring1, i64 %v692
  %v696 = add i64 %r.476, -10
  %v697 = call i64 @llvm.abs.i64(i64 %v696, i1 false)
  %v698 = sub i64 94, %v697
  %v699 = call i64 @llvm.smin.i64(i64 %v697, i64 %v698)
  %v700 = urem i64 %v699, 24
  %v701 = mul nsw i64 %v700, 112
  %ring1.row.702 = getelementptr float, ptr %ring1, i64 %v701
  %v708 = add i64 %r.476, 11
  %v709 = call i64 @llvm.abs.i64(i64 %v708, i1 false)
  %v710 = sub i64 94, %v709
  %v711 = call i64 @llvm.smin.i64(i64 %v709, i64 %v710)
  %v712 = urem i64 %v711, 24
  %v713 = mul nsw i64 %v712, 112
  %ring1.row.714 = getelementptr float, ptr %ring1, i64 %v713
  %v717 = add i64 %r.476, -11
  %v718 = call i64 @llvm.abs.i64(i64 %v717, i1 false)
  %v719 = sub i64 94, %v718
  %v720 = call i64 @llvm.smin.i64(i64 %v718, i64 %v719)
  %v721 = urem i64 %v720, 24
  %v722 = mul nsw i64 %v721, 112
  %ring1.row.723 = getelementptr float, ptr %ring1, i64 %v722
  %v728 = add i64 %r.476, 12
  %v729 = call i64 @llvm.abs.i64(i64 %v728, i1 false)
  %v730 = sub i64 94, %v729
  %v731 = call i64 @llvm.smin.i64(i64 %v729, i64 %v730)
  %v732 = urem i64 %v731, 24
  %v733 = mul nsw i64 %v732, 112
  %ring1.row.734 = getelementptr float, ptr %ring1, i64 %v733
  %v737 = add i64 %r.476, -12
  %v738 = call i64 @llvm.abs.i64(i64 %v737, i1 false)
  %v739 = sub i64 94, %v738
  %v740 = call i64 @llvm.smin.i64(i64 %v738, i64 %v739)
  %v741 = urem i64 %v740, 24
  %v742 = mul nsw i64 %v741, 112
  %ring1.row.743 = getelementptr float, ptr %ring1, i64 %v742
  br label %across.754
across.754:
  %x.482 = phi i64 [ 0, %group1.480 ], [ %x.482.next, %across.754 ]
  %v486 = getelementptr float, ptr %ring1.row.485, i64 %x.482
  %v487 = load <16 x float>, ptr %v486, align 64
  %v488 = fmul <16 x float> %v487, splat (float 0x3FD546E7E0000000)
  %v496 = getelementptr float, ptr %ring1.row.495, i64 %x.482
  %v497 = load <16 x float>, ptr %v496, align 64
  %v505 = getelementptr float, ptr %ring1.row.504, i64 %x.482
  %v506 = load <16 x float>, ptr %v505, align 64
  %v507 = fadd <16 x float> %v506, %v497
  %v508 = fmul <16 x float> %v507, splat (float 0x3FCE1217C0000000)
  %v509 = fadd <16 x float> %v508, %v488
  %v517 = getelementptr float, ptr %ring1.row.516, i64 %x.482
  %v518 = load <16 x float>, ptr %v517, align 64
  %v526 = getelementptr float, ptr %ring1.row.525, i64 %x.482
  %v527 = load <16 x float>, ptr %v526, align 64
  %v528 = fadd <16 x float> %v527, %v518
  %v529 = fmul <16 x float> %v528, splat (float 0x3FB538CAC0000000)
  %v537 = getelementptr float, ptr %ring1.row.536, i64 %x.482
  %v538 = load <16 x float>, ptr %v537, align 64
  %v546 = getelementptr float, ptr %ring1.row.545, i64 %x.482
  %v547 = load <16 x float>, ptr %v546, align 64
  %v548 = fadd <16 x float> %v547, %v538
  %v549 = fmul <16 x float> %v548, splat (float 0x3F8DEA4020000000)
  %v550 = fadd <16 x float> %v549, %v529
  %v558 = getelementptr float, ptr %ring1.row.557, i64 %x.482
  %v559 = load <16 x float>, ptr %v558, align 64
  %v567 = getelementptr float, ptr %ring1.row.566, i64 %x.482
  %v568 = load <16 x float>, ptr %v567, align 64
  %v569 = fadd <16 x float> %v568, %v559
  %v570 = fmul <16 x float> %v569, splat (float 0x3F550EAB60000000)
  %v578 = getelementptr float, ptr %ring1.row.577, i64 %x.482
  %v579 = load <16 x float>, ptr %v578, align 64
  %v587 = getelementptr float, ptr %ring1.row.586, i64 %x.482
  %v588 = load <16 x float>, ptr %v587, align 64
  %v589 = fadd <16 x float> %v588, %v579
  %v590 = fmul <16 x float> %v589, splat (float 0x3F0D9B2EE0000000)
  %v591 = fadd <16 x float> %v590, %v570
  %v592 = fadd <16 x float> %v591, %v550
  %v593 = fadd <16 x float> %v592, %v509
  %v594 = fmul <16 x float> %v487, splat (float 0x3FC105A320000000)
  %v595 = fmul <16 x float> %v507, splat (float 0x3FC01A2600000000)
  %v596 = fmul <16 x float> %v528, splat (float 0x3FBB42A580000000)
  %v597 = fadd <16 x float> %v596, %v595
  %v598 = fmul <16 x float> %v548, splat (float 0x3FB4A614E0000000)
  %v599 = fmul <16 x float> %v569, splat (float 0x3FABFDE9C0000000)
  %v600 = fadd <16 x float> %v599, %v598
  %v601 = fadd <16 x float> %v600, %v597
  %v602 = fadd <16 x float> %v601, %v594
  %v603 = fmul <16 x float> %v589, splat (float 0x3FA0FA58A0000000)
  %v611 = getelementptr float, ptr %ring1.row.610, i64 %x.482
  %v612 = load <16 x float>, ptr %v611, align 64
  %v620 = getelementptr float, ptr %ring1.row.619, i64 %x.482
  %v621 = load <16 x float>, ptr %v620, align 64
  %v622 = fadd <16 x float> %v621, %v612
  %v623 = fmul <16 x float> %v622, splat (float 0x3F926DEFC0000000)
  %v624 = fadd <16 x float> %v623, %v603
  %v632 = getelementptr float, ptr %ring1.row.631, i64 %x.482
  %v633 = load <16 x float>, ptr %v632, align 64
  %v641 = getelementptr float, ptr %ring1.row.640, i64 %x.482
  %v642 = load <16 x float>, ptr %v641, align 64
  %v643 = fadd <16 x float> %v642, %v633
  %v644 = fmul <16 x float> %v643, splat (float 0x3F81E6BCC0000000)
  %v652 = getelementptr float, ptr %ring1.row.651, i64 %x.482
  %v653 = load <16 x float>, ptr %v652, align 64
  %v661 = getelementptr float, ptr %ring1.row.660, i64 %x.482
  %v662 = load <16 x float>, ptr %v661, align 64
  %v663 = fadd <16 x float> %v662, %v653
  %v664 = fmul <16 x float> %v663, splat (float 0x3F6F1E9920000000)
  %v665 = fadd <16 x float> %v664, %v644
  %v666 = fadd <16 x float> %v665, %v624
  %v674 = getelementptr float, ptr %ring1.row.673, i64 %x.482
  %v675 = load <16 x float>, ptr %v674, align 64
  %v683 = getelementptr float, ptr %ring1.row.682, i64 %x.482
  %v684 = load <16 x float>, ptr %v683, align 64
  %v685 = fadd <16 x float> %v684, %v675
  %v686 = fmul <16 x float> %v685, splat (float 0x3F58345960000000)
  %v694 = getelementptr float, ptr %ring1.row.693, i64 %x.482
  %v695 = load <16 x float>, ptr %v694, align 64
  %v703 = getelementptr float, ptr %ring1.row.702, i64 %x.482
  %v704 = load <16 x float>, ptr %v703, align 64
  %v705 = fadd <16 x float> %v704, %v695
  %v706 = fmul <16 x float> %v705, splat (float 0x3F40D8A5A0000000)
  %v707 = fadd <16 x float> %v706, %v686
  %v715 = getelementptr float, ptr %ring1.row.714, i64 %x.482
  %v716 = load <16 x float>, ptr %v715, align 64
  %v724 = getelementptr float, ptr %ring1.row.723, i64 %x.482
  %v725 = load <16 x float>, ptr %v724, align 64
  %v726 = fadd <16 x float> %v725, %v716
  %v727 = fmul <16 x float> %v726, splat (float 0x3F24FBE3A0000000)
  %v735 = getelementptr float, ptr %ring1.row.734, i64 %x.482
  %v736 = load <16 x float>, ptr %v735, align 64
  %v744 = getelementptr float, ptr %ring1.row.743, i64 %x.482
  %v745 = load <16 x float>, ptr %v744, align 64
  %v746 = fadd <16 x float> %v745, %v736
  %v747 = fmul <16 x float> %v746, splat (float 0x3F0763A220000000)
  %v748 = fadd <16 x float> %v747, %v727
  %v749 = fadd <16 x float> %v748, %v707
  %v750 = fadd <16 x float> %v749, %v666
  %v751 = fadd <16 x float> %v750, %v602
  %v752 = getelementptr float, ptr %ring2, i64 %x.482
  store <16 x float> %v593, ptr %v752, align 64
  %v753 = getelementptr float, ptr %ring3, i64 %x.482
  store <16 x float> %v751, ptr %v753, align 64
  %x.482.next = add nuw nsw i64 %x.482, 16
  %x.482.more = icmp ult i64 %x.482.next, 64
  br i1 %x.482.more, label %across.754, label %across.end.755
across.end.755:
  %v756 = getelementptr float, ptr %ring2, i64 5
  %v757 = load float, ptr %v756
  %v758 = getelementptr float, ptr %ring2, i64 -5
  store float %v757, ptr %v758
  %v759 = getelementptr float, ptr %ring2, i64 4
  %v760 = load float, ptr %v759
  %v761 = getelementptr float, ptr %ring2, i64 -4
  store float %v760, ptr %v761
  %v762 = getelementptr float, ptr %ring2, i64 3
  %v763 = load float, ptr %v762
  %v764 = getelementptr float, ptr %ring2, i64 -3
  store float %v763, ptr %v764
  %v765 = getelementptr float, ptr %ring2, i64 2
  %v766 = load float, ptr %v765
  %v767 = getelementptr float, ptr %ring2, i64 -2
  store float %v766, ptr %v767
  %v768 = getelementptr float, ptr %ring2, i64 1
  %v769 = load float, ptr %v768
  %v770 = getelementptr float, ptr %ring2, i64 -1
  store float %v769, ptr %v770
  %v771 = getelementptr float, ptr %ring2, i64 62
  %v772 = load float, ptr %v771
  %v773 = getelementptr float, ptr %ring2, i64 64
  store float %v772, ptr %v773
  %v774 = getelementptr float, ptr %ring2, i64 61
  %v775 = load float, ptr %v774
  %v776 = getelementptr float, ptr %ring2, i64 65
  store float %v775, ptr %v776
  %v777 = getelementptr float, ptr %ring2, i64 60
  %v778 = load float, ptr %v777
  %v779 = getelementptr float, ptr %ring2, i64 66
  store float %v778, ptr %v779
  %v780 = getelementptr float, ptr %ring2, i64 59
  %v781 = load float, ptr %v780
  %v782 = getelementptr float, ptr %ring2, i64 67
  store float %v781, ptr %v782
  %v783 = getelementptr float, ptr %ring2, i64 58
  %v784 = load float, ptr %v783
  %v785 = getelementptr float, ptr %ring2, i64 68
  store float %v784, ptr %v785
  %v786 = getelementptr float, ptr %ring3, i64 12
  %v787 = load float, ptr %v786
  %v788 = getelementptr float, ptr %ring3, i64 -12
  store float %v787, ptr %v788
  %v789 = getelementptr float, ptr %ring3, i64 11
  %v790 = load float, ptr %v789
  %v791 = getelementptr float, ptr %ring3, i64 -11
  store float %v790, ptr %v791
  %v792 = getelementptr float, ptr %ring3, i64 10
  %v793 = load float, ptr %v792
  %v794 = getelementptr float, ptr %ring3, i64 -10
  store float %v793, ptr %v794
  %v795 = getelementptr float, ptr %ring3, i64 9
  %v796 = load float, ptr %v795
  %v797 = getelementptr float, ptr %ring3, i64 -9
  store float %v796, ptr %v797
  %v798 = getelementptr float, ptr %ring3, i64 8
  %v799 = load float, ptr %v798
  %v800 = getelementptr float, ptr %ring3, i64 -8
  store float %v799, ptr %v800
  %v801 = getelementptr float, ptr %ring3, i64 7
  %v802 = load float, ptr %v801
  %v803 = getelementptr float, ptr %ring3, i64 -7
  store float %v802, ptr %v803
  %v804 = getelementptr float, ptr %ring3, i64 6
  %v805 = load float, ptr %v804
  %v806 = getelementptr float, ptr %ring3, i64 -6
  store float %v805, ptr %v806
  %v807 = getelementptr float, ptr %ring3, i64 5
  %v808 = load float, ptr %v807
  %v809 = getelementptr float, ptr %ring3, i64 -5
  store float %v808, ptr %v809
  %v810 = getelementptr float, ptr %ring3, i64 4
  %v811 = load float, ptr %v810
  %v812 = getelementptr float, ptr %ring3, i64 -4
  store float %v811, ptr %v812
  %v813 = getelementptr float, ptr %ring3, i64 3
  %v814 = load float, ptr %v813
  %v815 = getelementptr float, ptr %ring3, i64 -3
  store float %v814, ptr %v815
  %v816 = getelementptr float, ptr %ring3, i64 2
  %v817 = load float, ptr %v816
  %v818 = getelementptr float, ptr %ring3, i64 -2
  store float %v817, ptr %v818
  %v819 = getelementptr float, ptr %ring3, i64 1
  %v820 = load float, ptr %v819
  %v821 = getelementptr float, ptr %ring3, i64 -1
  store float %v820, ptr %v821
  %v822 = getelementptr float, ptr %ring3, i64 62
  %v823 = load float, ptr %v822
  %v824 = getelementptr float, ptr %ring3, i64 64
  store float %v823, ptr %v824
  %v825 = getelementptr float, ptr %ring3, i64 61
  %v826 = load float, ptr %v825
  %v827 = getelementptr float, ptr %ring3, i64 65
  store float %v826, ptr %v827
  %v828 = getelementptr float, ptr %ring3, i64 60
  %v829 = load float, ptr %v828
  %v830 = getelementptr float, ptr %ring3, i64 66
  store float %v829, ptr %v830
  %v831 = getelementptr float, ptr %ring3, i64 59
  %v832 = load float, ptr %v831
  %v833 = getelementptr float, ptr %ring3, i64 67
  store float %v832, ptr %v833
  %v834 = getelementptr float, ptr %ring3, i64 58
  %v835 = load float, ptr %v834
  %v836 = getelementptr float, ptr %ring3, i64 68
  store float %v835, ptr %v836
  %v837 = getelementptr float, ptr %ring3, i64 57
  %v838 = load float, ptr %v837
  %v839 = getelementptr float, ptr %ring3, i64 69
  store float %v838, ptr %v839
  %v840 = getelementptr float, ptr %ring3, i64 56
  %v841 = load float, ptr %v840
  %v842 = getelementptr float, ptr %ring3, i64 70
  store float %v841, ptr %v842
  %v843 = getelementptr float, ptr %ring3, i64 55
  %v844 = load float, ptr %v843
  %v845 = getelementptr float, ptr %ring3, i64 71
  store float %v844, ptr %v845
  %v846 = getelementptr float, ptr %ring3, i64 54
  %v847 = load float, ptr %v846
  %v848 = getelementptr float, ptr %ring3, i64 72
  store float %v847, ptr %v848
  %v849 = getelementptr float, ptr %ring3, i64 53
  %v850 = load float, ptr %v849
  %v851 = getelementptr float, ptr %ring3, i64 73
  store float %v850, ptr %v851
  %v852 = getelementptr float, ptr %ring3, i64 52
  %v853 = load float, ptr %v852
  %v854 = getelementptr float, ptr %ring3, i64 74
  store float %v853, ptr %v854
  %v855 = getelementptr float, ptr %ring3, i64 51
  %v856 = load float, ptr %v855
  %v857 = getelementptr float, ptr %ring3, i64 75
  store float %v856, ptr %v857
  br label %group1.end.481
group1.end.481:
  br label %joined.53
joined.53:
  ; group 2: output; 0 rows ahead; 0 more above, 0 below
  %r.858 = add nsw i64 %s.37, 0
  %v859 = icmp sge i64 %r.858, %low2
  %v860 = icmp slt i64 %r.858, %high2
  %v861 = and i1 %v859, %v860
  br i1 %v861, label %group2.862, label %group2.end.863
group2.862:
  %v873 = load <16 x i32>, ptr %ring3, align 64
  %v874 = bitcast <16 x i32> %v873 to <16 x float>
  %v875 = shufflevector <16 x float> %v874, <16 x float> poison, <16 x i32> <i32 0, i32 0, i32 0, i32 0, i32 12, i32 11, i32 10, i32 9, i32 8, i32 7, i32 6, i32 5, i32 4, i32 3, i32 2, i32 1>
  %v876 = bitcast <16 x float> %v875 to <16 x i32>
  %v877 = load <16 x i32>, ptr %ring3, align 64
  %v970 = load <16 x i32>, ptr %ring2, align 64
  %v971 = bitcast <16 x i32> %v970 to <16 x float>
  %v972 = shufflevector <16 x float> %v971, <16 x float> poison, <16 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 5, i32 4, i32 3, i32 2, i32 1>
  %v973 = bitcast <16 x float> %v972 to <16 x i32>
  %v974 = load <16 x i32>, ptr %ring2, align 64
  %v1016 = mul nsw i64 %r.858, 64
  %out.row.1017 = getelementptr i8, ptr %output1, i64 %v1016
  br label %across.1021
across.1021:
  %x.864 = phi i64 [ 0, %group2.862 ], [ %x.864.next, %across.1021 ]
  %before.868 = phi <16 x i32> [ %v876, %group2.862 ], [ %here.869, %across.1021 ]
  %here.869 = phi <16 x i32> [ %v877, %group2.862 ], [ %v872, %across.1021 ]
  %before.965 = phi <16 x i32> [ %v973, %group2.862 ], [ %here.966, %across.1021 ]
  %here.966 = phi <16 x i32> [ %v974, %group2.862 ], [ %v969, %across.1021 ]
  %v865 = getelementptr float, ptr %ring3, i64 %x.864
  %v866 = load <16 x float>, ptr %v865, align 64
  %v867 = fmul <16 x float> %v866, splat (float 0x3FC105A320000000)
  %v870 = getelementptr float, ptr %ring3, i64 %x.864
  %v871 = getelementptr float, ptr %v870, i64 16
  %v872 = load <16 x i32>, ptr %v871, align 64
  %v878 = shufflevector <16 x i32> %here.869, <16 x i32> %v872, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16>
  %v879 = bitcast <16 x i32> %v878 to <16 x float>
  %v880 = shufflevector <16 x i32> %before.868, <16 x i32> %here.869, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v881 = bitcast <16 x i32> %v880 to <16 x float>
  %v882 = fadd <16 x float> %v881, %v879
  %v883 = fmul <16 x float> %v882, splat (float 0x3FC01A2600000000)
  %v884 = shufflevector <16 x i32> %here.869, <16 x i32> %v872, <16 x i32> <i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17>
  %v885 = bitcast <16 x i32> %v884 to <16 x float>
  %v886 = shufflevector <16 x i32> %before.868, <16 x i32> %here.869, <16 x i32> <i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29>
  %v887 = bitcast <16 x i32> %v886 to <16 x float>
  %v888 = fadd <16 x float> %v887, %v885
  %v889 = fmul <16 x float> %v888, splat (float 0x3FBB42A580000000)
  %v890 = fadd <16 x float> %v889, %v883
  %v891 = shufflevector <16 x i32> %here.869, <16 x i32> %v872, <16 x i32> <i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18>
  %v892 = bitcast <16 x i32> %v891 to <16 x float>
  %v893 = shufflevector <16 x i32> %before.868, <16 x i32> %here.869, <16 x i32> <i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28>
  %v894 = bitcast <16 x i32> %v893 to <16 x float>
  %v895 = fadd <16 x float> %v894, %v892
  %v896 = fmul <16 x float> %v895, splat (float 0x3FB4A614E0000000)
  %v897 = shufflevector <16 x i32> %here.869, <16 x i32> %v872, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19>
  %v898 = bitcast <16 x i32> %v897 to <16 x float>
  %v899 = shufflevector <16 x i32> %before.868, <16 x i32> %here.869, <16 x i32> <i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27>
  %v900 = bitcast <16 x i32> %v899 to <16 x float>
  %v901 = fadd <16 x float> %v900, %v898
  %v902 = fmul <16 x float> %v901, splat (float 0x3FABFDE9C0000000)
  %v903 = fadd <16 x float> %v902, %v896
  %v904 = fadd <16 x float> %v903, %v890
  %v905 = fadd <16 x float> %v904, %v867
  %v906 = shufflevector <16 x i32> %here.869, <16 x i32> %v872, <16 x i32> <i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20>
  %v907 = bitcast <16 x i32> %v906 to <16 x float>
  %v908 = shufflevector <16 x i32> %before.868, <16 x i32> %here.869, <16 x i32> <i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26>
  %v909 = bitcast <16 x i32> %v908 to <16 x float>
  %v910 = fadd <16 x float> %v909, %v907
  %v911 = fmul <16 x float> %v910, splat (float 0x3FA0FA58A0000000)
  %v912 = shufflevector <16 x i32> %here.869, <16 x i32> %v872, <16 x i32> <i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21>
  %v913 = bitcast <16 x i32> %v912 to <16 x float>
  %v914 = shufflevector <16 x i32> %before.868, <16 x i32> %here.869, <16 x i32> <i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25>
  %v915 = bitcast <16 x i32> %v914 to <16 x float>
  %v916 = fadd <16 x float> %v915, %v913
  %v917 = fmul <16 x float> %v916, splat (float 0x3F926DEFC0000000)
  %v918 = fadd <16 x float> %v917, %v911
  %v919 = shufflevector <16 x i32> %here.869, <16 x i32> %v872, <16 x i32> <i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22>
  %v920 = bitcast <16 x i32> %v919 to <16 x float>
  %v921 = shufflevector <16 x i32> %before.868, <16 x i32> %here.869, <16 x i32> <i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24>
  %v922 = bitcast <16 x i32> %v921 to <16 x float>
  %v923 = fadd <16 x float> %v922, %v920
  %v924 = fmul <16 x float> %v923, splat (float 0x3F81E6BCC0000000)
  %v925 = shufflevector <16 x i32> %here.869, <16 x i32> %v872, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v926 = bitcast <16 x i32> %v925 to <16 x float>
  %v927 = shufflevector <16 x i32> %before.868, <16 x i32> %here.869, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v928 = bitcast <16 x i32> %v927 to <16 x float>
  %v929 = fadd <16 x float> %v928, %v926
  %v930 = fmul <16 x float> %v929, splat (float 0x3F6F1E9920000000)
  %v931 = fadd <16 x float> %v930, %v924
  %v932 = fadd <16 x float> %v931, %v918
  %v933 = shufflevector <16 x i32> %here.869, <16 x i32> %v872, <16 x i32> <i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24>
  %v934 = bitcast <16 x i32> %v933 to <16 x float>
  %v935 = shufflevector <16 x i32> %before.868, <16 x i32> %here.869, <16 x i32> <i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22>
  %v936 = bitcast <16 x i32> %v935 to <16 x float>
  %v937 = fadd <16 x float> %v936, %v934
  %v938 = fmul <16 x float> %v937, splat (float 0x3F58345960000000)
  %v939 = shufflevector <16 x i32> %here.869, <16 x i32> %v872, <16 x i32> <i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25>
  %v940 = bitcast <16 x i32> %v939 to <16 x float>
  %v941 = shufflevector <16 x i32> %before.868, <16 x i32> %here.869, <16 x i32> <i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21>
  %v942 = bitcast <16 x i32> %v941 to <16 x float>
  %v943 = fadd <16 x float> %v942, %v940
  %v944 = fmul <16 x float> %v943, splat (float 0x3F40D8A5A0000000)
  %v945 = fadd <16 x float> %v944, %v938
  %v946 = shufflevector <16 x i32> %here.869, <16 x i32> %v872, <16 x i32> <i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26>
  %v947 = bitcast <16 x i32> %v946 to <16 x float>
  %v948 = shufflevector <16 x i32> %before.868, <16 x i32> %here.869, <16 x i32> <i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20>
  %v949 = bitcast <16 x i32> %v948 to <16 x float>
  %v950 = fadd <16 x float> %v949, %v947
  %v951 = fmul <16 x float> %v950, splat (float 0x3F24FBE3A0000000)
  %v952 = shufflevector <16 x i32> %here.869, <16 x i32> %v872, <16 x i32> <i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27>
  %v953 = bitcast <16 x i32> %v952 to <16 x float>
  %v954 = shufflevector <16 x i32> %before.868, <16 x i32> %here.869, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19>
  %v955 = bitcast <16 x i32> %v954 to <16 x float>
  %v956 = fadd <16 x float> %v955, %v953
  %v957 = fmul <16 x float> %v956, splat (float 0x3F0763A220000000)
  %v958 = fadd <16 x float> %v957, %v951
  %v959 = fadd <16 x float> %v958, %v945
  %v960 = fadd <16 x float> %v959, %v932
  %v961 = fadd <16 x float> %v960, %v905
  %v962 = getelementptr float, ptr %ring2, i64 %x.864
  %v963 = load <16 x float>, ptr %v962, align 64
  %v964 = fmul <16 x float> %v963, splat (float 0x3FD546E7E0000000)
  %v967 = getelementptr float, ptr %ring2, i64 %x.864
  %v968 = getelementptr float, ptr %v967, i64 16
  %v969 = load <16 x i32>, ptr %v968, align 64
  %v975 = shufflevector <16 x i32> %here.966, <16 x i32> %v969, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16>
  %v976 = bitcast <16 x i32> %v975 to <16 x float>
  %v977 = shufflevector <16 x i32> %before.965, <16 x i32> %here.966, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v978 = bitcast <16 x i32> %v977 to <16 x float>
  %v979 = fadd <16 x float> %v978, %v976
  %v980 = fmul <16 x float> %v979, splat (float 0x3FCE1217C0000000)
  %v981 = fadd <16 x float> %v980, %v964
  %v982 = shufflevector <16 x i32> %here.966, <16 x i32> %v969, <16 x i32> <i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17>
  %v983 = bitcast <16 x i32> %v982 to <16 x float>
  %v984 = shufflevector <16 x i32> %before.965, <16 x i32> %here.966, <16 x i32> <i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29>
  %v985 = bitcast <16 x i32> %v984 to <16 x float>
  %v986 = fadd <16 x float> %v985, %v983
  %v987 = fmul <16 x float> %v986, splat (float 0x3FB538CAC0000000)
  %v988 = shufflevector <16 x i32> %here.966, <16 x i32> %v969, <16 x i32> <i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18>
  %v989 = bitcast <16 x i32> %v988 to <16 x float>
  %v990 = shufflevector <16 x i32> %before.965, <16 x i32> %here.966, <16 x i32> <i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28>
  %v991 = bitcast <16 x i32> %v990 to <16 x float>
  %v992 = fadd <16 x float> %v991, %v989
  %v993 = fmul <16 x float> %v992, splat (float 0x3F8DEA4020000000)
  %v994 = fadd <16 x float> %v993, %v987
  %v995 = shufflevector <16 x i32> %here.966, <16 x i32> %v969, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19>
  %v996 = bitcast <16 x i32> %v995 to <16 x float>
  %v997 = shufflevector <16 x i32> %before.965, <16 x i32> %here.966, <16 x i32> <i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27>
  %v998 = bitcast <16 x i32> %v997 to <16 x float>
  %v999 = fadd <16 x float> %v998, %v996
  %v1000 = fmul <16 x float> %v999, splat (float 0x3F550EAB60000000)
  %v1001 = shufflevector <16 x i32> %here.966, <16 x i32> %v969, <16 x i32> <i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20>
  %v1002 = bitcast <16 x i32> %v1001 to <16 x float>
  %v1003 = shufflevector <16 x i32> %before.965, <16 x i32> %here.966, <16 x i32> <i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26>
  %v1004 = bitcast <16 x i32> %v1003 to <16 x float>
  %v1005 = fadd <16 x float> %v1004, %v1002
  %v1006 = fmul <16 x float> %v1005, splat (float 0x3F0D9B2EE0000000)
  %v1007 = fadd <16 x float> %v1006, %v1000
  %v1008 = fadd <16 x float> %v1007, %v994
  %v1009 = fadd <16 x float> %v1008, %v981
  %v1010 = fsub <16 x float> %v1009, %v961
  %v1015 = fcmp olt <16 x float> %v1014, %v1010
  %v1018 = getelementptr i8, ptr %out.row.1017, i64 %x.864
  %v1019 = zext <16 x i1> %v1015 to <16 x i8>
  %v1020 = getelementptr i8, ptr %v1018, i64 128
  call void @llvm.prefetch.p0(ptr %v1020, i32 1, i32 3, i32 1)
  store <16 x i8> %v1019, ptr %v1018, align 1
  %x.864.next = add nuw nsw i64 %x.864, 16
  %x.864.more = icmp ult i64 %x.864.next, 64
  br i1 %x.864.more, label %across.1021, label %across.end.1022
across.end.1022:
  br label %group2.end.863
group2.end.863:
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

; spots: a host function, nothing is generated
