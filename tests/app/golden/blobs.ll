; gray+sound+scale+band+bright
;
; in0: 64x48 u8
; bright.out: 64x48 bool, leaves
; bright.level: f32, an argument
; pass 0, images of 64x48
;   ring1: f32, 24 rows
;   ring2: f32, 1 row, reflect101 5 px left and 5 px right
;   ring3: f32, 1 row, reflect101 12 px left and 12 px right
;   row y+12, from 12 above the strip to 12 below, 16 pixels a vector:
;     t1 = f32(in0[y, x])
;     ring1 = (t1 * 0.003921627998352051) + (t1 * -5.9370901084321304e-08)
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
  %v999 = getelementptr i8, ptr %args, i64 64
  %param.1000 = load float, ptr %v999, align 8
  %v1001 = insertelement <16 x float> poison, float %param.1000, i64 0
  %v1002 = shufflevector <16 x float> %v1001, <16 x float> poison, <16 x i32> zeroinitializer
  br label %t.25
t.25:
  %t.28 = phi i64 [ %first_frame, %entry ], [ %t.28.next, %t.next.29 ]
  %v30 = icmp slt i64 %t.28, %last_frame
  br i1 %v30, label %t.do.26, label %t.end.27
t.do.26:
  %v1011 = mul i64 %frames, 0
  %v1012 = add i64 %v1011, %t.28
  %v1013 = getelementptr ptr, ptr %images, i64 %v1012
  %input0 = load ptr, ptr %v1013, align 8
  %v1014 = mul i64 %frames, 1
  %v1015 = add i64 %v1014, %t.28
  %v1016 = getelementptr ptr, ptr %images, i64 %v1015
  %output0 = load ptr, ptr %v1016, align 8
  %v31 = icmp eq i64 %t.28, 0
  %v32 = icmp ne i64 %is_first, 0
  %v33 = and i1 %v31, %v32
  br label %step.34
step.34:
  %s.37 = phi i64 [ %v22, %t.do.26 ], [ %s.37.next, %step.next.38 ]
  %v39 = icmp slt i64 %s.37, %v24
  br i1 %v39, label %step.do.35, label %step.end.36
step.do.35:
  ; group 0: plane ring1; 12 rows ahead; 12 more above, 12 below
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
  br label %across.334
across.334:
  %x.57 = phi i64 [ 0, %together.51 ], [ %x.57.next, %across.334 ]
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
  %v332 = getelementptr float, ptr %ring2, i64 %x.57
  store <16 x float> %v178, ptr %v332, align 64
  %v333 = getelementptr float, ptr %ring3, i64 %x.57
  store <16 x float> %v327, ptr %v333, align 64
  %x.57.next = add nuw nsw i64 %x.57, 16
  %x.57.more = icmp ult i64 %x.57.next, 64
  br i1 %x.57.more, label %across.334, label %across.end.335
across.end.335:
  %v336 = getelementptr float, ptr %ring2, i64 5
  %v337 = load float, ptr %v336
  %v338 = getelementptr float, ptr %ring2, i64 -5
  store float %v337, ptr %v338
  %v339 = getelementptr float, ptr %ring2, i64 4
  %v340 = load float, ptr %v339
  %v341 = getelementptr float, ptr %ring2, i64 -4
  store float %v340, ptr %v341
  %v342 = getelementptr float, ptr %ring2, i64 3
  %v343 = load float, ptr %v342
  %v344 = getelementptr float, ptr %ring2, i64 -3
  store float %v343, ptr %v344
  %v345 = getelementptr float, ptr %ring2, i64 2
  %v346 = load float, ptr %v345
  %v347 = getelementptr float, ptr %ring2, i64 -2
  store float %v346, ptr %v347
  %v348 = getelementptr float, ptr %ring2, i64 1
  %v349 = load float, ptr %v348
  %v350 = getelementptr float, ptr %ring2, i64 -1
  store float %v349, ptr %v350
  %v351 = getelementptr float, ptr %ring2, i64 62
  %v352 = load float, ptr %v351
  %v353 = getelementptr float, ptr %ring2, i64 64
  store float %v352, ptr %v353
  %v354 = getelementptr float, ptr %ring2, i64 61
  %v355 = load float, ptr %v354
  %v356 = getelementptr float, ptr %ring2, i64 65
  store float %v355, ptr %v356
  %v357 = getelementptr float, ptr %ring2, i64 60
  %v358 = load float, ptr %v357
  %v359 = getelementptr float, ptr %ring2, i64 66
  store float %v358, ptr %v359
  %v360 = getelementptr float, ptr %ring2, i64 59
  %v361 = load float, ptr %v360
  %v362 = getelementptr float, ptr %ring2, i64 67
  store float %v361, ptr %v362
  %v363 = getelementptr float, ptr %ring2, i64 58
  %v364 = load float, ptr %v363
  %v365 = getelementptr float, ptr %ring2, i64 68
  store float %v364, ptr %v365
  %v366 = getelementptr float, ptr %ring3, i64 12
  %v367 = load float, ptr %v366
  %v368 = getelementptr float, ptr %ring3, i64 -12
  store float %v367, ptr %v368
  %v369 = getelementptr float, ptr %ring3, i64 11
  %v370 = load float, ptr %v369
  %v371 = getelementptr float, ptr %ring3, i64 -11
  store float %v370, ptr %v371
  %v372 = getelementptr float, ptr %ring3, i64 10
  %v373 = load float, ptr %v372
  %v374 = getelementptr float, ptr %ring3, i64 -10
  store float %v373, ptr %v374
  %v375 = getelementptr float, ptr %ring3, i64 9
  %v376 = load float, ptr %v375
  %v377 = getelementptr float, ptr %ring3, i64 -9
  store float %v376, ptr %v377
  %v378 = getelementptr float, ptr %ring3, i64 8
  %v379 = load float, ptr %v378
  %v380 = getelementptr float, ptr %ring3, i64 -8
  store float %v379, ptr %v380
  %v381 = getelementptr float, ptr %ring3, i64 7
  %v382 = load float, ptr %v381
  %v383 = getelementptr float, ptr %ring3, i64 -7
  store float %v382, ptr %v383
  %v384 = getelementptr float, ptr %ring3, i64 6
  %v385 = load float, ptr %v384
  %v386 = getelementptr float, ptr %ring3, i64 -6
  store float %v385, ptr %v386
  %v387 = getelementptr float, ptr %ring3, i64 5
  %v388 = load float, ptr %v387
  %v389 = getelementptr float, ptr %ring3, i64 -5
  store float %v388, ptr %v389
  %v390 = getelementptr float, ptr %ring3, i64 4
  %v391 = load float, ptr %v390
  %v392 = getelementptr float, ptr %ring3, i64 -4
  store float %v391, ptr %v392
  %v393 = getelementptr float, ptr %ring3, i64 3
  %v394 = load float, ptr %v393
  %v395 = getelementptr float, ptr %ring3, i64 -3
  store float %v394, ptr %v395
  %v396 = getelementptr float, ptr %ring3, i64 2
  %v397 = load float, ptr %v396
  %v398 = getelementptr float, ptr %ring3, i64 -2
  store float %v397, ptr %v398
  %v399 = getelementptr float, ptr %ring3, i64 1
  %v400 = load float, ptr %v399
  %v401 = getelementptr float, ptr %ring3, i64 -1
  store float %v400, ptr %v401
  %v402 = getelementptr float, ptr %ring3, i64 62
  %v403 = load float, ptr %v402
  %v404 = getelementptr float, ptr %ring3, i64 64
  store float %v403, ptr %v404
  %v405 = getelementptr float, ptr %ring3, i64 61
  %v406 = load float, ptr %v405
  %v407 = getelementptr float, ptr %ring3, i64 65
  store float %v406, ptr %v407
  %v408 = getelementptr float, ptr %ring3, i64 60
  %v409 = load float, ptr %v408
  %v410 = getelementptr float, ptr %ring3, i64 66
  store float %v409, ptr %v410
  %v411 = getelementptr float, ptr %ring3, i64 59
  %v412 = load float, ptr %v411
  %v413 = getelementptr float, ptr %ring3, i64 67
  store float %v412, ptr %v413
  %v414 = getelementptr float, ptr %ring3, i64 58
  %v415 = load float, ptr %v414
  %v416 = getelementptr float, ptr %ring3, i64 68
  store float %v415, ptr %v416
  %v417 = getelementptr float, ptr %ring3, i64 57
  %v418 = load float, ptr %v417
  %v419 = getelementptr float, ptr %ring3, i64 69
  store float %v418, ptr %v419
  %v420 = getelementptr float, ptr %ring3, i64 56
  %v421 = load float, ptr %v420
  %v422 = getelementptr float, ptr %ring3, i64 70
  store float %v421, ptr %v422
  %v423 = getelementptr float, ptr %ring3, i64 55
  %v424 = load float, ptr %v423
  %v425 = getelementptr float, ptr %ring3, i64 71
  store float %v424, ptr %v425
  %v426 = getelementptr float, ptr %ring3, i64 54
  %v427 = load float, ptr %v426
  %v428 = getelementptr float, ptr %ring3, i64 72
  store float %v427, ptr %v428
  %v429 = getelementptr float, ptr %ring3, i64 53
  %v430 = load float, ptr %v429
  %v431 = getelementptr float, ptr %ring3, i64 73
  store float %v430, ptr %v431
  %v432 = getelementptr float, ptr %ring3, i64 52
  %v433 = load float, ptr %v432
  %v434 = getelementptr float, ptr %ring3, i64 74
  store float %v433, ptr %v434
  %v435 = getelementptr float, ptr %ring3, i64 51
  %v436 = load float, ptr %v435
  %v437 = getelementptr float, ptr %ring3, i64 75
  store float %v436, ptr %v437
  br label %joined.53
apart.52:
  ; group 0: plane ring1; 12 rows ahead; 12 more above, 12 below
  %r.438 = add nsw i64 %s.37, 12
  %v439 = icmp sge i64 %r.438, %low0
  %v440 = icmp slt i64 %r.438, %high0
  %v441 = and i1 %v439, %v440
  br i1 %v441, label %group0.442, label %group0.end.443
group0.442:
  %v444 = icmp sge i64 %r.438, %first_row
  %v445 = icmp slt i64 %r.438, %last_row
  %v446 = and i1 %v444, %v445
  %v448 = mul nsw i64 %r.438, 64
  %in.row.449 = getelementptr i8, ptr %input0, i64 %v448
  %v458 = urem i64 %r.438, 24
  %v459 = mul nsw i64 %v458, 112
  %ring1.row.460 = getelementptr float, ptr %ring1, i64 %v459
  br label %across.462
across.462:
  %x.447 = phi i64 [ 0, %group0.442 ], [ %x.447.next, %across.462 ]
  %v450 = getelementptr i8, ptr %in.row.449, i64 %x.447
  %v451 = getelementptr i8, ptr %v450, i64 128
  call void @llvm.prefetch.p0(ptr %v451, i32 0, i32 3, i32 1)
  %v452 = load <16 x i8>, ptr %v450, align 1
  %v453 = zext <16 x i8> %v452 to <16 x i32>
  %v454 = sitofp <16 x i32> %v453 to <16 x float>
  %v455 = fmul <16 x float> %v454, splat (float 0xBE6FDFDFE0000000)
  %v456 = fmul <16 x float> %v454, splat (float 0x3F70102000000000)
  %v457 = fadd <16 x float> %v456, %v455
  %v461 = getelementptr float, ptr %ring1.row.460, i64 %x.447
  store <16 x float> %v457, ptr %v461, align 64
  %x.447.next = add nuw nsw i64 %x.447, 16
  %x.447.more = icmp ult i64 %x.447.next, 64
  br i1 %x.447.more, label %across.462, label %across.end.463
across.end.463:
  br label %group0.end.443
group0.end.443:
  ; group 1: plane ring2, plane ring3; 0 rows ahead; 0 more above, 0 below
  %r.464 = add nsw i64 %s.37, 0
  %v465 = icmp sge i64 %r.464, %low1
  %v466 = icmp slt i64 %r.464, %high1
  %v467 = and i1 %v465, %v466
  br i1 %v467, label %group1.468, label %group1.end.469
group1.468:
  %v471 = urem i64 %r.464, 24
  %v472 = mul nsw i64 %v471, 112
  %ring1.row.473 = getelementptr float, ptr %ring1, i64 %v472
  %v477 = add i64 %r.464, 1
  %v478 = call i64 @llvm.abs.i64(i64 %v477, i1 false)
  %v479 = sub i64 94, %v478
  %v480 = call i64 @llvm.smin.i64(i64 %v478, i64 %v479)
  %v481 = urem i64 %v480, 24
  %v482 = mul nsw i64 %v481, 112
  %ring1.row.483 = getelementptr float, ptr %ring1, i64 %v482
  %v486 = add i64 %r.464, -1
  %v487 = call i64 @llvm.abs.i64(i64 %v486, i1 false)
  %v488 = sub i64 94, %v487
  %v489 = call i64 @llvm.smin.i64(i64 %v487, i64 %v488)
  %v490 = urem i64 %v489, 24
  %v491 = mul nsw i64 %v490, 112
  %ring1.row.492 = getelementptr float, ptr %ring1, i64 %v491
  %v498 = add i64 %r.464, 2
  %v499 = call i64 @llvm.abs.i64(i64 %v498, i1 false)
  %v500 = sub i64 94, %v499
  %v501 = call i64 @llvm.smin.i64(i64 %v499, i64 %v500)
  %v502 = urem i64 %v501, 24
  %v503 = mul nsw i64 %v502, 112
  %ring1.row.504 = getelementptr float, ptr %ring1, i64 %v503
  %v507 = add i64 %r.464, -2
  %v508 = call i64 @llvm.abs.i64(i64 %v507, i1 false)
  %v509 = sub i64 94, %v508
  %v510 = call i64 @llvm.smin.i64(i64 %v508, i64 %v509)
  %v511 = urem i64 %v510, 24
  %v512 = mul nsw i64 %v511, 112
  %ring1.row.513 = getelementptr float, ptr %ring1, i64 %v512
  %v518 = add i64 %r.464, 3
  %v519 = call i64 @llvm.abs.i64(i64 %v518, i1 false)
  %v520 = sub i64 94, %v519
  %v521 = call i64 @llvm.smin.i64(i64 %v519, i64 %v520)
  %v522 = urem i64 %v521, 24
  %v523 = mul nsw i64 %v522, 112
  %ring1.row.524 = getelementptr float, ptr %ring1, i64 %v523
  %v527 = add i64 %r.464, -3
  %v528 = call i64 @llvm.abs.i64(i64 %v527, i1 false)
  %v529 = sub i64 94, %v528
  %v530 = call i64 @llvm.smin.i64(i64 %v528, i64 %v529)
  %v531 = urem i64 %v530, 24
  %v532 = mul nsw i64 %v531, 112
  %ring1.row.533 = getelementptr float, ptr %ring1, i64 %v532
  %v539 = add i64 %r.464, 4
  %v540 = call i64 @llvm.abs.i64(i64 %v539, i1 false)
  %v541 = sub i64 94, %v540
  %v542 = call i64 @llvm.smin.i64(i64 %v540, i64 %v541)
  %v543 = urem i64 %v542, 24
  %v544 = mul nsw i64 %v543, 112
  %ring1.row.545 = getelementptr float, ptr %ring1, i64 %v544
  %v548 = add i64 %r.464, -4
  %v549 = call i64 @llvm.abs.i64(i64 %v548, i1 false)
  %v550 = sub i64 94, %v549
  %v551 = call i64 @llvm.smin.i64(i64 %v549, i64 %v550)
  %v552 = urem i64 %v551, 24
  %v553 = mul nsw i64 %v552, 112
  %ring1.row.554 = getelementptr float, ptr %ring1, i64 %v553
  %v559 = add i64 %r.464, 5
  %v560 = call i64 @llvm.abs.i64(i64 %v559, i1 false)
  %v561 = sub i64 94, %v560
  %v562 = call i64 @llvm.smin.i64(i64 %v560, i64 %v561)
  %v563 = urem i64 %v562, 24
  %v564 = mul nsw i64 %v563, 112
  %ring1.row.565 = getelementptr float, ptr %ring1, i64 %v564
  %v568 = add i64 %r.464, -5
  %v569 = call i64 @llvm.abs.i64(i64 %v568, i1 false)
  %v570 = sub i64 94, %v569
  %v571 = call i64 @llvm.smin.i64(i64 %v569, i64 %v570)
  %v572 = urem i64 %v571, 24
  %v573 = mul nsw i64 %v572, 112
  %ring1.row.574 = getelementptr float, ptr %ring1, i64 %v573
  %v592 = add i64 %r.464, 6
  %v593 = call i64 @llvm.abs.i64(i64 %v592, i1 false)
  %v594 = sub i64 94, %v593
  %v595 = call i64 @llvm.smin.i64(i64 %v593, i64 %v594)
  %v596 = urem i64 %v595, 24
  %v597 = mul nsw i64 %v596, 112
  %ring1.row.598 = getelementptr float, ptr %ring1, i64 %v597
  %v601 = add i64 %r.464, -6
  %v602 = call i64 @llvm.abs.i64(i64 %v601, i1 false)
  %v603 = sub i64 94, %v602
  %v604 = call i64 @llvm.smin.i64(i64 %v602, i64 %v603)
  %v605 = urem i64 %v604, 24
  %v606 = mul nsw i64 %v605, 112
  %ring1.row.607 = getelementptr float, ptr %ring1, i64 %v606
  %v613 = add i64 %r.464, 7
  %v614 = call i64 @llvm.abs.i64(i64 %v613, i1 false)
  %v615 = sub i64 94, %v614
  %v616 = call i64 @llvm.smin.i64(i64 %v614, i64 %v615)
  %v617 = urem i64 %v616, 24
  %v618 = mul nsw i64 %v617, 112
  %ring1.row.619 = getelementptr float, ptr %ring1, i64 %v618
  %v622 = add i64 %r.464, -7
  %v623 = call i64 @llvm.abs.i64(i64 %v622, i1 false)
  %v624 = sub i64 94, %v623
  %v625 = call i64 @llvm.smin.i64(i64 %v623, i64 %v624)
  %v626 = urem i64 %v625, 24
  %v627 = mul nsw i64 %v626, 112
  %ring1.row.628 = getelementptr float, ptr %ring1, i64 %v627
  %v633 = add i64 %r.464, 8
  %v634 = call i64 @llvm.abs.i64(i64 %v633, i1 false)
  %v635 = sub i64 94, %v634
  %v636 = call i64 @llvm.smin.i64(i64 %v634, i64 %v635)
  %v637 = urem i64 %v636, 24
  %v638 = mul nsw i64 %v637, 112
  %ring1.row.639 = getelementptr float, ptr %ring1, i64 %v638
  %v642 = add i64 %r.464, -8
  %v643 = call i64 @llvm.abs.i64(i64 %v642, i1 false)
  %v644 = sub i64 94, %v643
  %v645 = call i64 @llvm.smin.i64(i64 %v643, i64 %v644)
  %v646 = urem i64 %v645, 24
  %v647 = mul nsw i64 %v646, 112
  %ring1.row.648 = getelementptr float, ptr %ring1, i64 %v647
  %v655 = add i64 %r.464, 9
  %v656 = call i64 @llvm.abs.i64(i64 %v655, i1 false)
  %v657 = sub i64 94, %v656
  %v658 = call i64 @llvm.smin.i64(i64 %v656, i64 %v657)
  %v659 = urem i64 %v658, 24
  %v660 = mul nsw i64 %v659, 112
  %ring1.row.661 = getelementptr float, ptr %ring1, i64 %v660
  %v664 = add i64 %r.464, -9
  %v665 = call i64 @llvm.abs.i64(i64 %v664, i1 false)
  %v666 = sub i64 94, %v665
  %v667 = call i64 @llvm.smin.i64(i64 %v665, i64 %v666)
  %v668 = urem i64 %v667, 24
  %v669 = mul nsw i64 %v668, 112
  %ring1.row.670 = getelementptr float, ptr %ring1, i64 %v669
  %v675 = add i64 %r.464, 10
  %v676 = call i64 @llvm.abs.i64(i64 %v675, i1 false)
  %v677 = sub i64 94, %v676
  %v678 = call i64 @llvm.smin.i64(i64 %v676, i64 %v677)
  %v679 = urem i64 %v678, 24
  %v680 = mul nsw i64 %v679, 112
  %ring1.row.681 = getelementptr float, ptr %ring1, i64 %v680
  %v684 = add i64 %r.464, -10
  %v685 = call i64 @llvm.abs.i64(i64 %v684, i1 false)
  %v686 = sub i64 94, %v685
  %v687 = call i64 @llvm.smin.i64(i64 %v685, i64 %v686)
  %v688 = urem i64 %v687, 24
  %v689 = mul nsw i64 %v688, 112
  %ring1.row.690 = getelementptr float, ptr %ring1, i64 %v689
  %v696 = add i64 %r.464, 11
  %v697 = call i64 @llvm.abs.i64(i64 %v696, i1 false)
  %v698 = sub i64 94, %v697
  %v699 = call i64 @llvm.smin.i64(i64 %v697, i64 %v698)
  %v700 = urem i64 %v699, 24
  %v701 = mul nsw i64 %v700, 112
  %ring1.row.702 = getelementptr float, ptr %ring1, i64 %v701
  %v705 = add i64 %r.464, -11
  %v706 = call i64 @llvm.abs.i64(i64 %v705, i1 false)
  %v707 = sub i64 94, %v706
  %v708 = call i64 @llvm.smin.i64(i64 %v706, i64 %v707)
  %v709 = urem i64 %v708, 24
  %v710 = mul nsw i64 %v709, 112
  %ring1.row.711 = getelementptr float, ptr %ring1, i64 %v710
  %v716 = add i64 %r.464, 12
  %v717 = call i64 @llvm.abs.i64(i64 %v716, i1 false)
  %v718 = sub i64 94, %v717
  %v719 = call i64 @llvm.smin.i64(i64 %v717, i64 %v718)
  %v720 = urem i64 %v719, 24
  %v721 = mul nsw i64 %v720, 112
  %ring1.row.722 = getelementptr float, ptr %ring1, i64 %v721
  %v725 = add i64 %r.464, -12
  %v726 = call i64 @llvm.abs.i64(i64 %v725, i1 false)
  %v727 = sub i64 94, %v726
  %v728 = call i64 @llvm.smin.i64(i64 %v726, i64 %v727)
  %v729 = urem i64 %v728, 24
  %v730 = mul nsw i64 %v729, 112
  %ring1.row.731 = getelementptr float, ptr %ring1, i64 %v730
  br label %across.742
across.742:
  %x.470 = phi i64 [ 0, %group1.468 ], [ %x.470.next, %across.742 ]
  %v474 = getelementptr float, ptr %ring1.row.473, i64 %x.470
  %v475 = load <16 x float>, ptr %v474, align 64
  %v476 = fmul <16 x float> %v475, splat (float 0x3FD546E7E0000000)
  %v484 = getelementptr float, ptr %ring1.row.483, i64 %x.470
  %v485 = load <16 x float>, ptr %v484, align 64
  %v493 = getelementptr float, ptr %ring1.row.492, i64 %x.470
  %v494 = load <16 x float>, ptr %v493, align 64
  %v495 = fadd <16 x float> %v494, %v485
  %v496 = fmul <16 x float> %v495, splat (float 0x3FCE1217C0000000)
  %v497 = fadd <16 x float> %v496, %v476
  %v505 = getelementptr float, ptr %ring1.row.504, i64 %x.470
  %v506 = load <16 x float>, ptr %v505, align 64
  %v514 = getelementptr float, ptr %ring1.row.513, i64 %x.470
  %v515 = load <16 x float>, ptr %v514, align 64
  %v516 = fadd <16 x float> %v515, %v506
  %v517 = fmul <16 x float> %v516, splat (float 0x3FB538CAC0000000)
  %v525 = getelementptr float, ptr %ring1.row.524, i64 %x.470
  %v526 = load <16 x float>, ptr %v525, align 64
  %v534 = getelementptr float, ptr %ring1.row.533, i64 %x.470
  %v535 = load <16 x float>, ptr %v534, align 64
  %v536 = fadd <16 x float> %v535, %v526
  %v537 = fmul <16 x float> %v536, splat (float 0x3F8DEA4020000000)
  %v538 = fadd <16 x float> %v537, %v517
  %v546 = getelementptr float, ptr %ring1.row.545, i64 %x.470
  %v547 = load <16 x float>, ptr %v546, align 64
  %v555 = getelementptr float, ptr %ring1.row.554, i64 %x.470
  %v556 = load <16 x float>, ptr %v555, align 64
  %v557 = fadd <16 x float> %v556, %v547
  %v558 = fmul <16 x float> %v557, splat (float 0x3F550EAB60000000)
  %v566 = getelementptr float, ptr %ring1.row.565, i64 %x.470
  %v567 = load <16 x float>, ptr %v566, align 64
  %v575 = getelementptr float, ptr %ring1.row.574, i64 %x.470
  %v576 = load <16 x float>, ptr %v575, align 64
  %v577 = fadd <16 x float> %v576, %v567
  %v578 = fmul <16 x float> %v577, splat (float 0x3F0D9B2EE0000000)
  %v579 = fadd <16 x float> %v578, %v558
  %v580 = fadd <16 x float> %v579, %v538
  %v581 = fadd <16 x float> %v580, %v497
  %v582 = fmul <16 x float> %v475, splat (float 0x3FC105A320000000)
  %v583 = fmul <16 x float> %v495, splat (float 0x3FC01A2600000000)
  %v584 = fmul <16 x float> %v516, splat (float 0x3FBB42A580000000)
  %v585 = fadd <16 x float> %v584, %v583
  %v586 = fmul <16 x float> %v536, splat (float 0x3FB4A614E0000000)
  %v587 = fmul <16 x float> %v557, splat (float 0x3FABFDE9C0000000)
  %v588 = fadd <16 x float> %v587, %v586
  %v589 = fadd <16 x float> %v588, %v585
  %v590 = fadd <16 x float> %v589, %v582
  %v591 = fmul <16 x float> %v577, splat (float 0x3FA0FA58A0000000)
  %v599 = getelementptr float, ptr %ring1.row.598, i64 %x.470
  %v600 = load <16 x float>, ptr %v599, align 64
  %v608 = getelementptr float, ptr %ring1.row.607, i64 %x.470
  %v609 = load <16 x float>, ptr %v608, align 64
  %v610 = fadd <16 x float> %v609, %v600
  %v611 = fmul <16 x float> %v610, splat (float 0x3F926DEFC0000000)
  %v612 = fadd <16 x float> %v611, %v591
  %v620 = getelementptr float, ptr %ring1.row.619, i64 %x.470
  %v621 = load <16 x float>, ptr %v620, align 64
  %v629 = getelementptr float, ptr %ring1.row.628, i64 %x.470
  %v630 = load <16 x float>, ptr %v629, align 64
  %v631 = fadd <16 x float> %v630, %v621
  %v632 = fmul <16 x float> %v631, splat (float 0x3F81E6BCC0000000)
  %v640 = getelementptr float, ptr %ring1.row.639, i64 %x.470
  %v641 = load <16 x float>, ptr %v640, align 64
  %v649 = getelementptr float, ptr %ring1.row.648, i64 %x.470
  %v650 = load <16 x float>, ptr %v649, align 64
  %v651 = fadd <16 x float> %v650, %v641
  %v652 = fmul <16 x float> %v651, splat (float 0x3F6F1E9920000000)
  %v653 = fadd <16 x float> %v652, %v632
  %v654 = fadd <16 x float> %v653, %v612
  %v662 = getelementptr float, ptr %ring1.row.661, i64 %x.470
  %v663 = load <16 x float>, ptr %v662, align 64
  %v671 = getelementptr float, ptr %ring1.row.670, i64 %x.470
  %v672 = load <16 x float>, ptr %v671, align 64
  %v673 = fadd <16 x float> %v672, %v663
  %v674 = fmul <16 x float> %v673, splat (float 0x3F58345960000000)
  %v682 = getelementptr float, ptr %ring1.row.681, i64 %x.470
  %v683 = load <16 x float>, ptr %v682, align 64
  %v691 = getelementptr float, ptr %ring1.row.690, i64 %x.470
  %v692 = load <16 x float>, ptr %v691, align 64
  %v693 = fadd <16 x float> %v692, %v683
  %v694 = fmul <16 x float> %v693, splat (float 0x3F40D8A5A0000000)
  %v695 = fadd <16 x float> %v694, %v674
  %v703 = getelementptr float, ptr %ring1.row.702, i64 %x.470
  %v704 = load <16 x float>, ptr %v703, align 64
  %v712 = getelementptr float, ptr %ring1.row.711, i64 %x.470
  %v713 = load <16 x float>, ptr %v712, align 64
  %v714 = fadd <16 x float> %v713, %v704
  %v715 = fmul <16 x float> %v714, splat (float 0x3F24FBE3A0000000)
  %v723 = getelementptr float, ptr %ring1.row.722, i64 %x.470
  %v724 = load <16 x float>, ptr %v723, align 64
  %v732 = getelementptr float, ptr %ring1.row.731, i64 %x.470
  %v733 = load <16 x float>, ptr %v732, align 64
  %v734 = fadd <16 x float> %v733, %v724
  %v735 = fmul <16 x float> %v734, splat (float 0x3F0763A220000000)
  %v736 = fadd <16 x float> %v735, %v715
  %v737 = fadd <16 x float> %v736, %v695
  %v738 = fadd <16 x float> %v737, %v654
  %v739 = fadd <16 x float> %v738, %v590
  %v740 = getelementptr float, ptr %ring2, i64 %x.470
  store <16 x float> %v581, ptr %v740, align 64
  %v741 = getelementptr float, ptr %ring3, i64 %x.470
  store <16 x float> %v739, ptr %v741, align 64
  %x.470.next = add nuw nsw i64 %x.470, 16
  %x.470.more = icmp ult i64 %x.470.next, 64
  br i1 %x.470.more, label %across.742, label %across.end.743
across.end.743:
  %v744 = getelementptr float, ptr %ring2, i64 5
  %v745 = load float, ptr %v744
  %v746 = getelementptr float, ptr %ring2, i64 -5
  store float %v745, ptr %v746
  %v747 = getelementptr float, ptr %ring2, i64 4
  %v748 = load float, ptr %v747
  %v749 = getelementptr float, ptr %ring2, i64 -4
  store float %v748, ptr %v749
  %v750 = getelementptr float, ptr %ring2, i64 3
  %v751 = load float, ptr %v750
  %v752 = getelementptr float, ptr %ring2, i64 -3
  store float %v751, ptr %v752
  %v753 = getelementptr float, ptr %ring2, i64 2
  %v754 = load float, ptr %v753
  %v755 = getelementptr float, ptr %ring2, i64 -2
  store float %v754, ptr %v755
  %v756 = getelementptr float, ptr %ring2, i64 1
  %v757 = load float, ptr %v756
  %v758 = getelementptr float, ptr %ring2, i64 -1
  store float %v757, ptr %v758
  %v759 = getelementptr float, ptr %ring2, i64 62
  %v760 = load float, ptr %v759
  %v761 = getelementptr float, ptr %ring2, i64 64
  store float %v760, ptr %v761
  %v762 = getelementptr float, ptr %ring2, i64 61
  %v763 = load float, ptr %v762
  %v764 = getelementptr float, ptr %ring2, i64 65
  store float %v763, ptr %v764
  %v765 = getelementptr float, ptr %ring2, i64 60
  %v766 = load float, ptr %v765
  %v767 = getelementptr float, ptr %ring2, i64 66
  store float %v766, ptr %v767
  %v768 = getelementptr float, ptr %ring2, i64 59
  %v769 = load float, ptr %v768
  %v770 = getelementptr float, ptr %ring2, i64 67
  store float %v769, ptr %v770
  %v771 = getelementptr float, ptr %ring2, i64 58
  %v772 = load float, ptr %v771
  %v773 = getelementptr float, ptr %ring2, i64 68
  store float %v772, ptr %v773
  %v774 = getelementptr float, ptr %ring3, i64 12
  %v775 = load float, ptr %v774
  %v776 = getelementptr float, ptr %ring3, i64 -12
  store float %v775, ptr %v776
  %v777 = getelementptr float, ptr %ring3, i64 11
  %v778 = load float, ptr %v777
  %v779 = getelementptr float, ptr %ring3, i64 -11
  store float %v778, ptr %v779
  %v780 = getelementptr float, ptr %ring3, i64 10
  %v781 = load float, ptr %v780
  %v782 = getelementptr float, ptr %ring3, i64 -10
  store float %v781, ptr %v782
  %v783 = getelementptr float, ptr %ring3, i64 9
  %v784 = load float, ptr %v783
  %v785 = getelementptr float, ptr %ring3, i64 -9
  store float %v784, ptr %v785
  %v786 = getelementptr float, ptr %ring3, i64 8
  %v787 = load float, ptr %v786
  %v788 = getelementptr float, ptr %ring3, i64 -8
  store float %v787, ptr %v788
  %v789 = getelementptr float, ptr %ring3, i64 7
  %v790 = load float, ptr %v789
  %v791 = getelementptr float, ptr %ring3, i64 -7
  store float %v790, ptr %v791
  %v792 = getelementptr float, ptr %ring3, i64 6
  %v793 = load float, ptr %v792
  %v794 = getelementptr float, ptr %ring3, i64 -6
  store float %v793, ptr %v794
  %v795 = getelementptr float, ptr %ring3, i64 5
  %v796 = load float, ptr %v795
  %v797 = getelementptr float, ptr %ring3, i64 -5
  store float %v796, ptr %v797
  %v798 = getelementptr float, ptr %ring3, i64 4
  %v799 = load float, ptr %v798
  %v800 = getelementptr float, ptr %ring3, i64 -4
  store float %v799, ptr %v800
  %v801 = getelementptr float, ptr %ring3, i64 3
  %v802 = load float, ptr %v801
  %v803 = getelementptr float, ptr %ring3, i64 -3
  store float %v802, ptr %v803
  %v804 = getelementptr float, ptr %ring3, i64 2
  %v805 = load float, ptr %v804
  %v806 = getelementptr float, ptr %ring3, i64 -2
  store float %v805, ptr %v806
  %v807 = getelementptr float, ptr %ring3, i64 1
  %v808 = load float, ptr %v807
  %v809 = getelementptr float, ptr %ring3, i64 -1
  store float %v808, ptr %v809
  %v810 = getelementptr float, ptr %ring3, i64 62
  %v811 = load float, ptr %v810
  %v812 = getelementptr float, ptr %ring3, i64 64
  store float %v811, ptr %v812
  %v813 = getelementptr float, ptr %ring3, i64 61
  %v814 = load float, ptr %v813
  %v815 = getelementptr float, ptr %ring3, i64 65
  store float %v814, ptr %v815
  %v816 = getelementptr float, ptr %ring3, i64 60
  %v817 = load float, ptr %v816
  %v818 = getelementptr float, ptr %ring3, i64 66
  store float %v817, ptr %v818
  %v819 = getelementptr float, ptr %ring3, i64 59
  %v820 = load float, ptr %v819
  %v821 = getelementptr float, ptr %ring3, i64 67
  store float %v820, ptr %v821
  %v822 = getelementptr float, ptr %ring3, i64 58
  %v823 = load float, ptr %v822
  %v824 = getelementptr float, ptr %ring3, i64 68
  store float %v823, ptr %v824
  %v825 = getelementptr float, ptr %ring3, i64 57
  %v826 = load float, ptr %v825
  %v827 = getelementptr float, ptr %ring3, i64 69
  store float %v826, ptr %v827
  %v828 = getelementptr float, ptr %ring3, i64 56
  %v829 = load float, ptr %v828
  %v830 = getelementptr float, ptr %ring3, i64 70
  store float %v829, ptr %v830
  %v831 = getelementptr float, ptr %ring3, i64 55
  %v832 = load float, ptr %v831
  %v833 = getelementptr float, ptr %ring3, i64 71
  store float %v832, ptr %v833
  %v834 = getelementptr float, ptr %ring3, i64 54
  %v835 = load float, ptr %v834
  %v836 = getelementptr float, ptr %ring3, i64 72
  store float %v835, ptr %v836
  %v837 = getelementptr float, ptr %ring3, i64 53
  %v838 = load float, ptr %v837
  %v839 = getelementptr float, ptr %ring3, i64 73
  store float %v838, ptr %v839
  %v840 = getelementptr float, ptr %ring3, i64 52
  %v841 = load float, ptr %v840
  %v842 = getelementptr float, ptr %ring3, i64 74
  store float %v841, ptr %v842
  %v843 = getelementptr float, ptr %ring3, i64 51
  %v844 = load float, ptr %v843
  %v845 = getelementptr float, ptr %ring3, i64 75
  store float %v844, ptr %v845
  br label %group1.end.469
group1.end.469:
  br label %joined.53
joined.53:
  ; group 2: output; 0 rows ahead; 0 more above, 0 below
  %r.846 = add nsw i64 %s.37, 0
  %v847 = icmp sge i64 %r.846, %low2
  %v848 = icmp slt i64 %r.846, %high2
  %v849 = and i1 %v847, %v848
  br i1 %v849, label %group2.850, label %group2.end.851
group2.850:
  %v861 = load <16 x i32>, ptr %ring3, align 64
  %v862 = bitcast <16 x i32> %v861 to <16 x float>
  %v863 = shufflevector <16 x float> %v862, <16 x float> poison, <16 x i32> <i32 0, i32 0, i32 0, i32 0, i32 12, i32 11, i32 10, i32 9, i32 8, i32 7, i32 6, i32 5, i32 4, i32 3, i32 2, i32 1>
  %v864 = bitcast <16 x float> %v863 to <16 x i32>
  %v865 = load <16 x i32>, ptr %ring3, align 64
  %v958 = load <16 x i32>, ptr %ring2, align 64
  %v959 = bitcast <16 x i32> %v958 to <16 x float>
  %v960 = shufflevector <16 x float> %v959, <16 x float> poison, <16 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 5, i32 4, i32 3, i32 2, i32 1>
  %v961 = bitcast <16 x float> %v960 to <16 x i32>
  %v962 = load <16 x i32>, ptr %ring2, align 64
  %v1004 = mul nsw i64 %r.846, 64
  %out.row.1005 = getelementptr i8, ptr %output0, i64 %v1004
  br label %across.1009
across.1009:
  %x.852 = phi i64 [ 0, %group2.850 ], [ %x.852.next, %across.1009 ]
  %before.856 = phi <16 x i32> [ %v864, %group2.850 ], [ %here.857, %across.1009 ]
  %here.857 = phi <16 x i32> [ %v865, %group2.850 ], [ %v860, %across.1009 ]
  %before.953 = phi <16 x i32> [ %v961, %group2.850 ], [ %here.954, %across.1009 ]
  %here.954 = phi <16 x i32> [ %v962, %group2.850 ], [ %v957, %across.1009 ]
  %v853 = getelementptr float, ptr %ring3, i64 %x.852
  %v854 = load <16 x float>, ptr %v853, align 64
  %v855 = fmul <16 x float> %v854, splat (float 0x3FC105A320000000)
  %v858 = getelementptr float, ptr %ring3, i64 %x.852
  %v859 = getelementptr float, ptr %v858, i64 16
  %v860 = load <16 x i32>, ptr %v859, align 64
  %v866 = shufflevector <16 x i32> %here.857, <16 x i32> %v860, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16>
  %v867 = bitcast <16 x i32> %v866 to <16 x float>
  %v868 = shufflevector <16 x i32> %before.856, <16 x i32> %here.857, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v869 = bitcast <16 x i32> %v868 to <16 x float>
  %v870 = fadd <16 x float> %v869, %v867
  %v871 = fmul <16 x float> %v870, splat (float 0x3FC01A2600000000)
  %v872 = shufflevector <16 x i32> %here.857, <16 x i32> %v860, <16 x i32> <i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17>
  %v873 = bitcast <16 x i32> %v872 to <16 x float>
  %v874 = shufflevector <16 x i32> %before.856, <16 x i32> %here.857, <16 x i32> <i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29>
  %v875 = bitcast <16 x i32> %v874 to <16 x float>
  %v876 = fadd <16 x float> %v875, %v873
  %v877 = fmul <16 x float> %v876, splat (float 0x3FBB42A580000000)
  %v878 = fadd <16 x float> %v877, %v871
  %v879 = shufflevector <16 x i32> %here.857, <16 x i32> %v860, <16 x i32> <i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18>
  %v880 = bitcast <16 x i32> %v879 to <16 x float>
  %v881 = shufflevector <16 x i32> %before.856, <16 x i32> %here.857, <16 x i32> <i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28>
  %v882 = bitcast <16 x i32> %v881 to <16 x float>
  %v883 = fadd <16 x float> %v882, %v880
  %v884 = fmul <16 x float> %v883, splat (float 0x3FB4A614E0000000)
  %v885 = shufflevector <16 x i32> %here.857, <16 x i32> %v860, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19>
  %v886 = bitcast <16 x i32> %v885 to <16 x float>
  %v887 = shufflevector <16 x i32> %before.856, <16 x i32> %here.857, <16 x i32> <i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27>
  %v888 = bitcast <16 x i32> %v887 to <16 x float>
  %v889 = fadd <16 x float> %v888, %v886
  %v890 = fmul <16 x float> %v889, splat (float 0x3FABFDE9C0000000)
  %v891 = fadd <16 x float> %v890, %v884
  %v892 = fadd <16 x float> %v891, %v878
  %v893 = fadd <16 x float> %v892, %v855
  %v894 = shufflevector <16 x i32> %here.857, <16 x i32> %v860, <16 x i32> <i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20>
  %v895 = bitcast <16 x i32> %v894 to <16 x float>
  %v896 = shufflevector <16 x i32> %before.856, <16 x i32> %here.857, <16 x i32> <i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26>
  %v897 = bitcast <16 x i32> %v896 to <16 x float>
  %v898 = fadd <16 x float> %v897, %v895
  %v899 = fmul <16 x float> %v898, splat (float 0x3FA0FA58A0000000)
  %v900 = shufflevector <16 x i32> %here.857, <16 x i32> %v860, <16 x i32> <i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21>
  %v901 = bitcast <16 x i32> %v900 to <16 x float>
  %v902 = shufflevector <16 x i32> %before.856, <16 x i32> %here.857, <16 x i32> <i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25>
  %v903 = bitcast <16 x i32> %v902 to <16 x float>
  %v904 = fadd <16 x float> %v903, %v901
  %v905 = fmul <16 x float> %v904, splat (float 0x3F926DEFC0000000)
  %v906 = fadd <16 x float> %v905, %v899
  %v907 = shufflevector <16 x i32> %here.857, <16 x i32> %v860, <16 x i32> <i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22>
  %v908 = bitcast <16 x i32> %v907 to <16 x float>
  %v909 = shufflevector <16 x i32> %before.856, <16 x i32> %here.857, <16 x i32> <i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24>
  %v910 = bitcast <16 x i32> %v909 to <16 x float>
  %v911 = fadd <16 x float> %v910, %v908
  %v912 = fmul <16 x float> %v911, splat (float 0x3F81E6BCC0000000)
  %v913 = shufflevector <16 x i32> %here.857, <16 x i32> %v860, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v914 = bitcast <16 x i32> %v913 to <16 x float>
  %v915 = shufflevector <16 x i32> %before.856, <16 x i32> %here.857, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v916 = bitcast <16 x i32> %v915 to <16 x float>
  %v917 = fadd <16 x float> %v916, %v914
  %v918 = fmul <16 x float> %v917, splat (float 0x3F6F1E9920000000)
  %v919 = fadd <16 x float> %v918, %v912
  %v920 = fadd <16 x float> %v919, %v906
  %v921 = shufflevector <16 x i32> %here.857, <16 x i32> %v860, <16 x i32> <i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24>
  %v922 = bitcast <16 x i32> %v921 to <16 x float>
  %v923 = shufflevector <16 x i32> %before.856, <16 x i32> %here.857, <16 x i32> <i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22>
  %v924 = bitcast <16 x i32> %v923 to <16 x float>
  %v925 = fadd <16 x float> %v924, %v922
  %v926 = fmul <16 x float> %v925, splat (float 0x3F58345960000000)
  %v927 = shufflevector <16 x i32> %here.857, <16 x i32> %v860, <16 x i32> <i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25>
  %v928 = bitcast <16 x i32> %v927 to <16 x float>
  %v929 = shufflevector <16 x i32> %before.856, <16 x i32> %here.857, <16 x i32> <i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21>
  %v930 = bitcast <16 x i32> %v929 to <16 x float>
  %v931 = fadd <16 x float> %v930, %v928
  %v932 = fmul <16 x float> %v931, splat (float 0x3F40D8A5A0000000)
  %v933 = fadd <16 x float> %v932, %v926
  %v934 = shufflevector <16 x i32> %here.857, <16 x i32> %v860, <16 x i32> <i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26>
  %v935 = bitcast <16 x i32> %v934 to <16 x float>
  %v936 = shufflevector <16 x i32> %before.856, <16 x i32> %here.857, <16 x i32> <i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20>
  %v937 = bitcast <16 x i32> %v936 to <16 x float>
  %v938 = fadd <16 x float> %v937, %v935
  %v939 = fmul <16 x float> %v938, splat (float 0x3F24FBE3A0000000)
  %v940 = shufflevector <16 x i32> %here.857, <16 x i32> %v860, <16 x i32> <i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27>
  %v941 = bitcast <16 x i32> %v940 to <16 x float>
  %v942 = shufflevector <16 x i32> %before.856, <16 x i32> %here.857, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19>
  %v943 = bitcast <16 x i32> %v942 to <16 x float>
  %v944 = fadd <16 x float> %v943, %v941
  %v945 = fmul <16 x float> %v944, splat (float 0x3F0763A220000000)
  %v946 = fadd <16 x float> %v945, %v939
  %v947 = fadd <16 x float> %v946, %v933
  %v948 = fadd <16 x float> %v947, %v920
  %v949 = fadd <16 x float> %v948, %v893
  %v950 = getelementptr float, ptr %ring2, i64 %x.852
  %v951 = load <16 x float>, ptr %v950, align 64
  %v952 = fmul <16 x float> %v951, splat (float 0x3FD546E7E0000000)
  %v955 = getelementptr float, ptr %ring2, i64 %x.852
  %v956 = getelementptr float, ptr %v955, i64 16
  %v957 = load <16 x i32>, ptr %v956, align 64
  %v963 = shufflevector <16 x i32> %here.954, <16 x i32> %v957, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16>
  %v964 = bitcast <16 x i32> %v963 to <16 x float>
  %v965 = shufflevector <16 x i32> %before.953, <16 x i32> %here.954, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v966 = bitcast <16 x i32> %v965 to <16 x float>
  %v967 = fadd <16 x float> %v966, %v964
  %v968 = fmul <16 x float> %v967, splat (float 0x3FCE1217C0000000)
  %v969 = fadd <16 x float> %v968, %v952
  %v970 = shufflevector <16 x i32> %here.954, <16 x i32> %v957, <16 x i32> <i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17>
  %v971 = bitcast <16 x i32> %v970 to <16 x float>
  %v972 = shufflevector <16 x i32> %before.953, <16 x i32> %here.954, <16 x i32> <i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29>
  %v973 = bitcast <16 x i32> %v972 to <16 x float>
  %v974 = fadd <16 x float> %v973, %v971
  %v975 = fmul <16 x float> %v974, splat (float 0x3FB538CAC0000000)
  %v976 = shufflevector <16 x i32> %here.954, <16 x i32> %v957, <16 x i32> <i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18>
  %v977 = bitcast <16 x i32> %v976 to <16 x float>
  %v978 = shufflevector <16 x i32> %before.953, <16 x i32> %here.954, <16 x i32> <i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28>
  %v979 = bitcast <16 x i32> %v978 to <16 x float>
  %v980 = fadd <16 x float> %v979, %v977
  %v981 = fmul <16 x float> %v980, splat (float 0x3F8DEA4020000000)
  %v982 = fadd <16 x float> %v981, %v975
  %v983 = shufflevector <16 x i32> %here.954, <16 x i32> %v957, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19>
  %v984 = bitcast <16 x i32> %v983 to <16 x float>
  %v985 = shufflevector <16 x i32> %before.953, <16 x i32> %here.954, <16 x i32> <i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27>
  %v986 = bitcast <16 x i32> %v985 to <16 x float>
  %v987 = fadd <16 x float> %v986, %v984
  %v988 = fmul <16 x float> %v987, splat (float 0x3F550EAB60000000)
  %v989 = shufflevector <16 x i32> %here.954, <16 x i32> %v957, <16 x i32> <i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20>
  %v990 = bitcast <16 x i32> %v989 to <16 x float>
  %v991 = shufflevector <16 x i32> %before.953, <16 x i32> %here.954, <16 x i32> <i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26>
  %v992 = bitcast <16 x i32> %v991 to <16 x float>
  %v993 = fadd <16 x float> %v992, %v990
  %v994 = fmul <16 x float> %v993, splat (float 0x3F0D9B2EE0000000)
  %v995 = fadd <16 x float> %v994, %v988
  %v996 = fadd <16 x float> %v995, %v982
  %v997 = fadd <16 x float> %v996, %v969
  %v998 = fsub <16 x float> %v997, %v949
  %v1003 = fcmp olt <16 x float> %v1002, %v998
  %v1006 = getelementptr i8, ptr %out.row.1005, i64 %x.852
  %v1007 = zext <16 x i1> %v1003 to <16 x i8>
  %v1008 = getelementptr i8, ptr %v1006, i64 128
  call void @llvm.prefetch.p0(ptr %v1008, i32 1, i32 3, i32 1)
  store <16 x i8> %v1007, ptr %v1006, align 1
  %x.852.next = add nuw nsw i64 %x.852, 16
  %x.852.more = icmp ult i64 %x.852.next, 64
  br i1 %x.852.more, label %across.1009, label %across.end.1010
across.end.1010:
  br label %group2.end.851
group2.end.851:
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
