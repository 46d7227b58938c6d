; gray+scale+band+bright
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
  %frames = load i64, ptr %v3, align 8
  %v4 = getelementptr i8, ptr %args, i64 24
  %is_first = load i64, ptr %v4, align 8
  %v5 = getelementptr i8, ptr %args, i64 32
  %images = load ptr, ptr %v5, align 8
  %v6 = getelementptr i8, ptr %args, i64 40
  %scratch = load ptr, ptr %v6, align 8
  %v7 = sub i64 %first_row, 12
  %v8 = add i64 %last_row, 12
  %low0 = call i64 @llvm.smax.i64(i64 %v7, i64 0)
  %high0 = call i64 @llvm.smin.i64(i64 %v8, i64 48)
  %v9 = sub i64 %first_row, 0
  %v10 = add i64 %last_row, 0
  %low1 = call i64 @llvm.smax.i64(i64 %v9, i64 0)
  %high1 = call i64 @llvm.smin.i64(i64 %v10, i64 48)
  %v11 = sub i64 %first_row, 0
  %v12 = add i64 %last_row, 0
  %low2 = call i64 @llvm.smax.i64(i64 %v11, i64 0)
  %high2 = call i64 @llvm.smin.i64(i64 %v12, i64 48)
  %v13 = sub i64 %low0, 12
  %v14 = sub i64 %low1, 0
  %v15 = sub i64 %low2, 0
  %v16 = sub i64 %high0, 12
  %v17 = sub i64 %high1, 0
  %v18 = sub i64 %high2, 0
  %v19 = call i64 @llvm.smin.i64(i64 %v13, i64 %v14)
  %v20 = call i64 @llvm.smin.i64(i64 %v19, i64 %v15)
  %v21 = call i64 @llvm.smax.i64(i64 %v16, i64 %v17)
  %v22 = call i64 @llvm.smax.i64(i64 %v21, i64 %v18)
  %ring1 = getelementptr i8, ptr %scratch, i64 0
  %ring2 = getelementptr i8, ptr %scratch, i64 10880
  %ring3 = getelementptr i8, ptr %scratch, i64 11520
  %v1009 = getelementptr i8, ptr %args, i64 48
  %param.1010 = load float, ptr %v1009, align 8
  %v1011 = insertelement <16 x float> poison, float %param.1010, i64 0
  %v1012 = shufflevector <16 x float> %v1011, <16 x float> poison, <16 x i32> zeroinitializer
  br label %t.23
t.23:
  %t.26 = phi i64 [ 0, %entry ], [ %t.26.next, %t.next.27 ]
  %v28 = icmp slt i64 %t.26, %frames
  br i1 %v28, label %t.do.24, label %t.end.25
t.do.24:
  %v1021 = mul i64 %frames, 0
  %v1022 = add i64 %v1021, %t.26
  %v1023 = getelementptr ptr, ptr %images, i64 %v1022
  %input0 = load ptr, ptr %v1023, align 8
  %v1024 = mul i64 %frames, 1
  %v1025 = add i64 %v1024, %t.26
  %v1026 = getelementptr ptr, ptr %images, i64 %v1025
  %output0 = load ptr, ptr %v1026, align 8
  %v1027 = mul i64 %frames, 2
  %v1028 = add i64 %v1027, %t.26
  %v1029 = getelementptr ptr, ptr %images, i64 %v1028
  %output1 = load ptr, ptr %v1029, align 8
  %v29 = icmp eq i64 %t.26, 0
  %v30 = icmp ne i64 %is_first, 0
  %v31 = and i1 %v29, %v30
  br label %step.32
step.32:
  %s.35 = phi i64 [ %v20, %t.do.24 ], [ %s.35.next, %step.next.36 ]
  %v37 = icmp slt i64 %s.35, %v22
  br i1 %v37, label %step.do.33, label %step.end.34
step.do.33:
  ; group 0: plane ring1, output; 12 rows ahead; 12 more above, 12 below
  %r.38 = add nsw i64 %s.35, 12
  %v39 = icmp sge i64 %r.38, %low0
  %v40 = icmp slt i64 %r.38, %high0
  %v41 = and i1 %v39, %v40
  ; group 1: plane ring2, plane ring3; 0 rows ahead; 0 more above, 0 below
  %r.42 = add nsw i64 %s.35, 0
  %v43 = icmp sge i64 %r.42, %low1
  %v44 = icmp slt i64 %r.42, %high1
  %v45 = and i1 %v43, %v44
  %v46 = icmp sge i64 %r.42, 12
  %v47 = and i1 %v41, %v45
  %v48 = and i1 %v46, %v47
  br i1 %v48, label %together.49, label %apart.50
together.49:
  %v52 = icmp sge i64 %r.38, %first_row
  %v53 = icmp slt i64 %r.38, %last_row
  %v54 = and i1 %v52, %v53
  %v56 = mul nsw i64 %r.38, 64
  %in.row.57 = getelementptr i8, ptr %input0, i64 %v56
  %v326 = urem i64 %r.38, 24
  %v327 = mul nsw i64 %v326, 112
  %ring1.row.328 = getelementptr float, ptr %ring1, i64 %v327
  %v330 = mul nsw i64 %r.38, 64
  %out.row.331 = getelementptr float, ptr %output0, i64 %v330
  %v332 = getelementptr i8, ptr %scratch, i64 12032
  %out.row.333 = select i1 %v54, ptr %out.row.331, ptr %v332
  %v66 = urem i64 %r.42, 24
  %v67 = mul nsw i64 %v66, 112
  %ring1.row.68 = getelementptr float, ptr %ring1, i64 %v67
  %v72 = add i64 %r.42, 1
  %v73 = call i64 @llvm.abs.i64(i64 %v72, i1 false)
  %v74 = sub i64 94, %v73
  %v75 = call i64 @llvm.smin.i64(i64 %v73, i64 %v74)
  %v76 = urem i64 %v75, 24
  %v77 = mul nsw i64 %v76, 112
  %ring1.row.78 = getelementptr float, ptr %ring1, i64 %v77
  %v81 = add i64 %r.42, -1
  %v82 = call i64 @llvm.abs.i64(i64 %v81, i1 false)
  %v83 = sub i64 94, %v82
  %v84 = call i64 @llvm.smin.i64(i64 %v82, i64 %v83)
  %v85 = urem i64 %v84, 24
  %v86 = mul nsw i64 %v85, 112
  %ring1.row.87 = getelementptr float, ptr %ring1, i64 %v86
  %v93 = add i64 %r.42, 2
  %v94 = call i64 @llvm.abs.i64(i64 %v93, i1 false)
  %v95 = sub i64 94, %v94
  %v96 = call i64 @llvm.smin.i64(i64 %v94, i64 %v95)
  %v97 = urem i64 %v96, 24
  %v98 = mul nsw i64 %v97, 112
  %ring1.row.99 = getelementptr float, ptr %ring1, i64 %v98
  %v102 = add i64 %r.42, -2
  %v103 = call i64 @llvm.abs.i64(i64 %v102, i1 false)
  %v104 = sub i64 94, %v103
  %v105 = call i64 @llvm.smin.i64(i64 %v103, i64 %v104)
  %v106 = urem i64 %v105, 24
  %v107 = mul nsw i64 %v106, 112
  %ring1.row.108 = getelementptr float, ptr %ring1, i64 %v107
  %v113 = add i64 %r.42, 3
  %v114 = call i64 @llvm.abs.i64(i64 %v113, i1 false)
  %v115 = sub i64 94, %v114
  %v116 = call i64 @llvm.smin.i64(i64 %v114, i64 %v115)
  %v117 = urem i64 %v116, 24
  %v118 = mul nsw i64 %v117, 112
  %ring1.row.119 = getelementptr float, ptr %ring1, i64 %v118
  %v122 = add i64 %r.42, -3
  %v123 = call i64 @llvm.abs.i64(i64 %v122, i1 false)
  %v124 = sub i64 94, %v123
  %v125 = call i64 @llvm.smin.i64(i64 %v123, i64 %v124)
  %v126 = urem i64 %v125, 24
  %v127 = mul nsw i64 %v126, 112
  %ring1.row.128 = getelementptr float, ptr %ring1, i64 %v127
  %v134 = add i64 %r.42, 4
  %v135 = call i64 @llvm.abs.i64(i64 %v134, i1 false)
  %v136 = sub i64 94, %v135
  %v137 = call i64 @llvm.smin.i64(i64 %v135, i64 %v136)
  %v138 = urem i64 %v137, 24
  %v139 = mul nsw i64 %v138, 112
  %ring1.row.140 = getelementptr float, ptr %ring1, i64 %v139
  %v143 = add i64 %r.42, -4
  %v144 = call i64 @llvm.abs.i64(i64 %v143, i1 false)
  %v145 = sub i64 94, %v144
  %v146 = call i64 @llvm.smin.i64(i64 %v144, i64 %v145)
  %v147 = urem i64 %v146, 24
  %v148 = mul nsw i64 %v147, 112
  %ring1.row.149 = getelementptr float, ptr %ring1, i64 %v148
  %v154 = add i64 %r.42, 5
  %v155 = call i64 @llvm.abs.i64(i64 %v154, i1 false)
  %v156 = sub i64 94, %v155
  %v157 = call i64 @llvm.smin.i64(i64 %v155, i64 %v156)
  %v158 = urem i64 %v157, 24
  %v159 = mul nsw i64 %v158, 112
  %ring1.row.160 = getelementptr float, ptr %ring1, i64 %v159
  %v163 = add i64 %r.42, -5
  %v164 = call i64 @llvm.abs.i64(i64 %v163, i1 false)
  %v165 = sub i64 94, %v164
  %v166 = call i64 @llvm.smin.i64(i64 %v164, i64 %v165)
  %v167 = urem i64 %v166, 24
  %v168 = mul nsw i64 %v167, 112
  %ring1.row.169 = getelementptr float, ptr %ring1, i64 %v168
  %v187 = add i64 %r.42, 6
  %v188 = call i64 @llvm.abs.i64(i64 %v187, i1 false)
  %v189 = sub i64 94, %v188
  %v190 = call i64 @llvm.smin.i64(i64 %v188, i64 %v189)
  %v191 = urem i64 %v190, 24
  %v192 = mul nsw i64 %v191, 112
  %ring1.row.193 = getelementptr float, ptr %ring1, i64 %v192
  %v196 = add i64 %r.42, -6
  %v197 = call i64 @llvm.abs.i64(i64 %v196, i1 false)
  %v198 = sub i64 94, %v197
  %v199 = call i64 @llvm.smin.i64(i64 %v197, i64 %v198)
  %v200 = urem i64 %v199, 24
  %v201 = mul nsw i64 %v200, 112
  %ring1.row.202 = getelementptr float, ptr %ring1, i64 %v201
  %v208 = add i64 %r.42, 7
  %v209 = call i64 @llvm.abs.i64(i64 %v208, i1 false)
  %v210 = sub i64 94, %v209
  %v211 = call i64 @llvm.smin.i64(i64 %v209, i64 %v210)
  %v212 = urem i64 %v211, 24
  %v213 = mul nsw i64 %v212, 112
  %ring1.row.214 = getelementptr float, ptr %ring1, i64 %v213
  %v217 = add i64 %r.42, -7
  %v218 = call i64 @llvm.abs.i64(i64 %v217, i1 false)
  %v219 = sub i64 94, %v218
  %v220 = call i64 @llvm.smin.i64(i64 %v218, i64 %v219)
  %v221 = urem i64 %v220, 24
  %v222 = mul nsw i64 %v221, 112
  %ring1.row.223 = getelementptr float, ptr %ring1, i64 %v222
  %v228 = add i64 %r.42, 8
  %v229 = call i64 @llvm.abs.i64(i64 %v228, i1 false)
  %v230 = sub i64 94, %v229
  %v231 = call i64 @llvm.smin.i64(i64 %v229, i64 %v230)
  %v232 = urem i64 %v231, 24
  %v233 = mul nsw i64 %v232, 112
  %ring1.row.234 = getelementptr float, ptr %ring1, i64 %v233
  %v237 = add i64 %r.42, -8
  %v238 = call i64 @llvm.abs.i64(i64 %v237, i1 false)
  %v239 = sub i64 94, %v238
  %v240 = call i64 @llvm.smin.i64(i64 %v238, i64 %v239)
  %v241 = urem i64 %v240, 24
  %v242 = mul nsw i64 %v241, 112
  %ring1.row.243 = getelementptr float, ptr %ring1, i64 %v242
  %v250 = add i64 %r.42, 9
  %v251 = call i64 @llvm.abs.i64(i64 %v250, i1 false)
  %v252 = sub i64 94, %v251
  %v253 = call i64 @llvm.smin.i64(i64 %v251, i64 %v252)
  %v254 = urem i64 %v253, 24
  %v255 = mul nsw i64 %v254, 112
  %ring1.row.256 = getelementptr float, ptr %ring1, i64 %v255
  %v259 = add i64 %r.42, -9
  %v260 = call i64 @llvm.abs.i64(i64 %v259, i1 false)
  %v261 = sub i64 94, %v260
  %v262 = call i64 @llvm.smin.i64(i64 %v260, i64 %v261)
  %v263 = urem i64 %v262, 24
  %v264 = mul nsw i64 %v263, 112
  %ring1.row.265 = getelementptr float, ptr %ring1, i64 %v264
  %v270 = add i64 %r.42, 10
  %v271 = call i64 @llvm.abs.i64(i64 %v270, i1 false)
  %v272 = sub i64 94, %v271
  %v273 = call i64 @llvm.smin.i64(i64 %v271, i64 %v272)
  %v274 = urem i64 %v273, 24
  %v275 = mul nsw i64 %v274, 112
  %ring1.row.276 = getelementptr float, ptr %ring1, i64 %v275
  %v279 = add i64 %r.42, -10
  %v280 = call i64 @llvm.abs.i64(i64 %v279, i1 false)
  %v281 = sub i64 94, %v280
  %v282 = call i64 @llvm.smin.i64(i64 %v280, i64 %v281)
  %v283 = urem i64 %v282, 24
  %v284 = mul nsw i64 %v283, 112
  %ring1.row.285 = getelementptr float, ptr %ring1, i64 %v284
  %v291 = add i64 %r.42, 11
  %v292 = call i64 @llvm.abs.i64(i64 %v291, i1 false)
  %v293 = sub i64 94, %v292
  %v294 = call i64 @llvm.smin.i64(i64 %v292, i64 %v293)
  %v295 = urem i64 %v294, 24
  %v296 = mul nsw i64 %v295, 112
  %ring1.row.297 = getelementptr float, ptr %ring1, i64 %v296
  %v300 = add i64 %r.42, -11
  %v301 = call i64 @llvm.abs.i64(i64 %v300, i1 false)
  %v302 = sub i64 94, %v301
  %v303 = call i64 @llvm.smin.i64(i64 %v301, i64 %v302)
  %v304 = urem i64 %v303, 24
  %v305 = mul nsw i64 %v304, 112
  %ring1.row.306 = getelementptr float, ptr %ring1, i64 %v305
  %v311 = add i64 %r.42, -12
  %v312 = call i64 @llvm.abs.i64(i64 %v311, i1 false)
  %v313 = sub i64 94, %v312
  %v314 = call i64 @llvm.smin.i64(i64 %v312, i64 %v313)
  %v315 = urem i64 %v314, 24
  %v316 = mul nsw i64 %v315, 112
  %ring1.row.317 = getelementptr float, ptr %ring1, i64 %v316
  br label %across.338
across.338:
  %x.55 = phi i64 [ 0, %together.49 ], [ %x.55.next, %across.338 ]
  %v58 = getelementptr i8, ptr %in.row.57, i64 %x.55
  %v59 = getelementptr i8, ptr %v58, i64 128
  call void @llvm.prefetch.p0(ptr %v59, i32 0, i32 3, i32 1)
  %v60 = load <16 x i8>, ptr %v58, align 1
  %v61 = zext <16 x i8> %v60 to <16 x i32>
  %v62 = sitofp <16 x i32> %v61 to <16 x float>
  %v63 = fmul <16 x float> %v62, splat (float 0xBE6FDFDFE0000000)
  %v64 = fmul <16 x float> %v62, splat (float 0x3F70102000000000)
  %v65 = fadd <16 x float> %v64, %v63
  %v69 = getelementptr float, ptr %ring1.row.68, i64 %x.55
  %v70 = load <16 x float>, ptr %v69, align 64
  %v71 = fmul <16 x float> %v70, splat (float 0x3FD546E7E0000000)
  %v79 = getelementptr float, ptr %ring1.row.78, i64 %x.55
  %v80 = load <16 x float>, ptr %v79, align 64
  %v88 = getelementptr float, ptr %ring1.row.87, i64 %x.55
  %v89 = load <16 x float>, ptr %v88, align 64
  %v90 = fadd <16 x float> %v89, %v80
  %v91 = fmul <16 x float> %v90, splat (float 0x3FCE1217C0000000)
  %v92 = fadd <16 x float> %v91, %v71
  %v100 = getelementptr float, ptr %ring1.row.99, i64 %x.55
  %v101 = load <16 x float>, ptr %v100, align 64
  %v109 = getelementptr float, ptr %ring1.row.108, i64 %x.55
  %v110 = load <16 x float>, ptr %v109, align 64
  %v111 = fadd <16 x float> %v110, %v101
  %v112 = fmul <16 x float> %v111, splat (float 0x3FB538CAC0000000)
  %v120 = getelementptr float, ptr %ring1.row.119, i64 %x.55
  %v121 = load <16 x float>, ptr %v120, align 64
  %v129 = getelementptr float, ptr %ring1.row.128, i64 %x.55
  %v130 = load <16 x float>, ptr %v129, align 64
  %v131 = fadd <16 x float> %v130, %v121
  %v132 = fmul <16 x float> %v131, splat (float 0x3F8DEA4020000000)
  %v133 = fadd <16 x float> %v132, %v112
  %v141 = getelementptr float, ptr %ring1.row.140, i64 %x.55
  %v142 = load <16 x float>, ptr %v141, align 64
  %v150 = getelementptr float, ptr %ring1.row.149, i64 %x.55
  %v151 = load <16 x float>, ptr %v150, align 64
  %v152 = fadd <16 x float> %v151, %v142
  %v153 = fmul <16 x float> %v152, splat (float 0x3F550EAB60000000)
  %v161 = getelementptr float, ptr %ring1.row.160, i64 %x.55
  %v162 = load <16 x float>, ptr %v161, align 64
  %v170 = getelementptr float, ptr %ring1.row.169, i64 %x.55
  %v171 = load <16 x float>, ptr %v170, align 64
  %v172 = fadd <16 x float> %v171, %v162
  %v173 = fmul <16 x float> %v172, splat (float 0x3F0D9B2EE0000000)
  %v174 = fadd <16 x float> %v173, %v153
  %v175 = fadd <16 x float> %v174, %v133
  %v176 = fadd <16 x float> %v175, %v92
  %v177 = fmul <16 x float> %v70, splat (float 0x3FC105A320000000)
  %v178 = fmul <16 x float> %v90, splat (float 0x3FC01A2600000000)
  %v179 = fmul <16 x float> %v111, splat (float 0x3FBB42A580000000)
  %v180 = fadd <16 x float> %v179, %v178
  %v181 = fmul <16 x float> %v131, splat (float 0x3FB4A614E0000000)
  %v182 = fmul <16 x float> %v152, splat (float 0x3FABFDE9C0000000)
  %v183 = fadd <16 x float> %v182, %v181
  %v184 = fadd <16 x float> %v183, %v180
  %v185 = fadd <16 x float> %v184, %v177
  %v186 = fmul <16 x float> %v172, splat (float 0x3FA0FA58A0000000)
  %v194 = getelementptr float, ptr %ring1.row.193, i64 %x.55
  %v195 = load <16 x float>, ptr %v194, align 64
  %v203 = getelementptr float, ptr %ring1.row.202, i64 %x.55
  %v204 = load <16 x float>, ptr %v203, align 64
  %v205 = fadd <16 x float> %v204, %v195
  %v206 = fmul <16 x float> %v205, splat (float 0x3F926DEFC0000000)
  %v207 = fadd <16 x float> %v206, %v186
  %v215 = getelementptr float, ptr %ring1.row.214, i64 %x.55
  %v216 = load <16 x float>, ptr %v215, align 64
  %v224 = getelementptr float, ptr %ring1.row.223, i64 %x.55
  %v225 = load <16 x float>, ptr %v224, align 64
  %v226 = fadd <16 x float> %v225, %v216
  %v227 = fmul <16 x float> %v226, splat (float 0x3F81E6BCC0000000)
  %v235 = getelementptr float, ptr %ring1.row.234, i64 %x.55
  %v236 = load <16 x float>, ptr %v235, align 64
  %v244 = getelementptr float, ptr %ring1.row.243, i64 %x.55
  %v245 = load <16 x float>, ptr %v244, align 64
  %v246 = fadd <16 x float> %v245, %v236
  %v247 = fmul <16 x float> %v246, splat (float 0x3F6F1E9920000000)
  %v248 = fadd <16 x float> %v247, %v227
  %v249 = fadd <16 x float> %v248, %v207
  %v257 = getelementptr float, ptr %ring1.row.256, i64 %x.55
  %v258 = load <16 x float>, ptr %v257, align 64
  %v266 = getelementptr float, ptr %ring1.row.265, i64 %x.55
  %v267 = load <16 x float>, ptr %v266, align 64
  %v268 = fadd <16 x float> %v267, %v258
  %v269 = fmul <16 x float> %v268, splat (float 0x3F58345960000000)
  %v277 = getelementptr float, ptr %ring1.row.276, i64 %x.55
  %v278 = load <16 x float>, ptr %v277, align 64
  %v286 = getelementptr float, ptr %ring1.row.285, i64 %x.55
  %v287 = load <16 x float>, ptr %v286, align 64
  %v288 = fadd <16 x float> %v287, %v278
  %v289 = fmul <16 x float> %v288, splat (float 0x3F40D8A5A0000000)
  %v290 = fadd <16 x float> %v289, %v269
  %v298 = getelementptr float, ptr %ring1.row.297, i64 %x.55
  %v299 = load <16 x float>, ptr %v298, align 64
  %v307 = getelementptr float, ptr %ring1.row.306, i64 %x.55
  %v308 = load <16 x float>, ptr %v307, align 64
  %v309 = fadd <16 x float> %v308, %v299
  %v310 = fmul <16 x float> %v309, splat (float 0x3F24FBE3A0000000)
  %v318 = getelementptr float, ptr %ring1.row.317, i64 %x.55
  %v319 = load <16 x float>, ptr %v318, align 64
  %v320 = fadd <16 x float> %v319, %v65
  %v321 = fmul <16 x float> %v320, splat (float 0x3F0763A220000000)
  %v322 = fadd <16 x float> %v321, %v310
  %v323 = fadd <16 x float> %v322, %v290
  %v324 = fadd <16 x float> %v323, %v249
  %v325 = fadd <16 x float> %v324, %v185
  %v329 = getelementptr float, ptr %ring1.row.328, i64 %x.55
  store <16 x float> %v65, ptr %v329, align 64
  %v334 = getelementptr float, ptr %out.row.333, i64 %x.55
  %v335 = getelementptr i8, ptr %v334, i64 512
  call void @llvm.prefetch.p0(ptr %v335, i32 1, i32 3, i32 1)
  store <16 x float> %v65, ptr %v334, align 4
  %v336 = getelementptr float, ptr %ring2, i64 %x.55
  store <16 x float> %v176, ptr %v336, align 64
  %v337 = getelementptr float, ptr %ring3, i64 %x.55
  store <16 x float> %v325, ptr %v337, align 64
  %x.55.next = add nuw nsw i64 %x.55, 16
  %x.55.more = icmp ult i64 %x.55.next, 64
  br i1 %x.55.more, label %across.338, label %across.end.339
across.end.339:
  %v340 = getelementptr float, ptr %ring2, i64 5
  %v341 = load float, ptr %v340
  %v342 = getelementptr float, ptr %ring2, i64 -5
  store float %v341, ptr %v342
  %v343 = getelementptr float, ptr %ring2, i64 4
  %v344 = load float, ptr %v343
  %v345 = getelementptr float, ptr %ring2, i64 -4
  store float %v344, ptr %v345
  %v346 = getelementptr float, ptr %ring2, i64 3
  %v347 = load float, ptr %v346
  %v348 = getelementptr float, ptr %ring2, i64 -3
  store float %v347, ptr %v348
  %v349 = getelementptr float, ptr %ring2, i64 2
  %v350 = load float, ptr %v349
  %v351 = getelementptr float, ptr %ring2, i64 -2
  store float %v350, ptr %v351
  %v352 = getelementptr float, ptr %ring2, i64 1
  %v353 = load float, ptr %v352
  %v354 = getelementptr float, ptr %ring2, i64 -1
  store float %v353, ptr %v354
  %v355 = getelementptr float, ptr %ring2, i64 62
  %v356 = load float, ptr %v355
  %v357 = getelementptr float, ptr %ring2, i64 64
  store float %v356, ptr %v357
  %v358 = getelementptr float, ptr %ring2, i64 61
  %v359 = load float, ptr %v358
  %v360 = getelementptr float, ptr %ring2, i64 65
  store float %v359, ptr %v360
  %v361 = getelementptr float, ptr %ring2, i64 60
  %v362 = load float, ptr %v361
  %v363 = getelementptr float, ptr %ring2, i64 66
  store float %v362, ptr %v363
  %v364 = getelementptr float, ptr %ring2, i64 59
  %v365 = load float, ptr %v364
  %v366 = getelementptr float, ptr %ring2, i64 67
  store float %v365, ptr %v366
  %v367 = getelementptr float, ptr %ring2, i64 58
  %v368 = load float, ptr %v367
  %v369 = getelementptr float, ptr %ring2, i64 68
  store float %v368, ptr %v369
  %v370 = getelementptr float, ptr %ring3, i64 12
  %v371 = load float, ptr %v370
  %v372 = getelementptr float, ptr %ring3, i64 -12
  store float %v371, ptr %v372
  %v373 = getelementptr float, ptr %ring3, i64 11
  %v374 = load float, ptr %v373
  %v375 = getelementptr float, ptr %ring3, i64 -11
  store float %v374, ptr %v375
  %v376 = getelementptr float, ptr %ring3, i64 10
  %v377 = load float, ptr %v376
  %v378 = getelementptr float, ptr %ring3, i64 -10
  store float %v377, ptr %v378
  %v379 = getelementptr float, ptr %ring3, i64 9
  %v380 = load float, ptr %v379
  %v381 = getelementptr float, ptr %ring3, i64 -9
  store float %v380, ptr %v381
  %v382 = getelementptr float, ptr %ring3, i64 8
  %v383 = load float, ptr %v382
  %v384 = getelementptr float, ptr %ring3, i64 -8
  store float %v383, ptr %v384
  %v385 = getelementptr float, ptr %ring3, i64 7
  %v386 = load float, ptr %v385
  %v387 = getelementptr float, ptr %ring3, i64 -7
  store float %v386, ptr %v387
  %v388 = getelementptr float, ptr %ring3, i64 6
  %v389 = load float, ptr %v388
  %v390 = getelementptr float, ptr %ring3, i64 -6
  store float %v389, ptr %v390
  %v391 = getelementptr float, ptr %ring3, i64 5
  %v392 = load float, ptr %v391
  %v393 = getelementptr float, ptr %ring3, i64 -5
  store float %v392, ptr %v393
  %v394 = getelementptr float, ptr %ring3, i64 4
  %v395 = load float, ptr %v394
  %v396 = getelementptr float, ptr %ring3, i64 -4
  store float %v395, ptr %v396
  %v397 = getelementptr float, ptr %ring3, i64 3
  %v398 = load float, ptr %v397
  %v399 = getelementptr float, ptr %ring3, i64 -3
  store float %v398, ptr %v399
  %v400 = getelementptr float, ptr %ring3, i64 2
  %v401 = load float, ptr %v400
  %v402 = getelementptr float, ptr %ring3, i64 -2
  store float %v401, ptr %v402
  %v403 = getelementptr float, ptr %ring3, i64 1
  %v404 = load float, ptr %v403
  %v405 = getelementptr float, ptr %ring3, i64 -1
  store float %v404, ptr %v405
  %v406 = getelementptr float, ptr %ring3, i64 62
  %v407 = load float, ptr %v406
  %v408 = getelementptr float, ptr %ring3, i64 64
  store float %v407, ptr %v408
  %v409 = getelementptr float, ptr %ring3, i64 61
  %v410 = load float, ptr %v409
  %v411 = getelementptr float, ptr %ring3, i64 65
  store float %v410, ptr %v411
  %v412 = getelementptr float, ptr %ring3, i64 60
  %v413 = load float, ptr %v412
  %v414 = getelementptr float, ptr %ring3, i64 66
  store float %v413, ptr %v414
  %v415 = getelementptr float, ptr %ring3, i64 59
  %v416 = load float, ptr %v415
  %v417 = getelementptr float, ptr %ring3, i64 67
  store float %v416, ptr %v417
  %v418 = getelementptr float, ptr %ring3, i64 58
  %v419 = load float, ptr %v418
  %v420 = getelementptr float, ptr %ring3, i64 68
  store float %v419, ptr %v420
  %v421 = getelementptr float, ptr %ring3, i64 57
  %v422 = load float, ptr %v421
  %v423 = getelementptr float, ptr %ring3, i64 69
  store float %v422, ptr %v423
  %v424 = getelementptr float, ptr %ring3, i64 56
  %v425 = load float, ptr %v424
  %v426 = getelementptr float, ptr %ring3, i64 70
  store float %v425, ptr %v426
  %v427 = getelementptr float, ptr %ring3, i64 55
  %v428 = load float, ptr %v427
  %v429 = getelementptr float, ptr %ring3, i64 71
  store float %v428, ptr %v429
  %v430 = getelementptr float, ptr %ring3, i64 54
  %v431 = load float, ptr %v430
  %v432 = getelementptr float, ptr %ring3, i64 72
  store float %v431, ptr %v432
  %v433 = getelementptr float, ptr %ring3, i64 53
  %v434 = load float, ptr %v433
  %v435 = getelementptr float, ptr %ring3, i64 73
  store float %v434, ptr %v435
  %v436 = getelementptr float, ptr %ring3, i64 52
  %v437 = load float, ptr %v436
  %v438 = getelementptr float, ptr %ring3, i64 74
  store float %v437, ptr %v438
  %v439 = getelementptr float, ptr %ring3, i64 51
  %v440 = load float, ptr %v439
  %v441 = getelementptr float, ptr %ring3, i64 75
  store float %v440, ptr %v441
  br label %joined.51
apart.50:
  ; group 0: plane ring1, output; 12 rows ahead; 12 more above, 12 below
  %r.442 = add nsw i64 %s.35, 12
  %v443 = icmp sge i64 %r.442, %low0
  %v444 = icmp slt i64 %r.442, %high0
  %v445 = and i1 %v443, %v444
  br i1 %v445, label %group0.446, label %group0.end.447
group0.446:
  %v448 = icmp sge i64 %r.442, %first_row
  %v449 = icmp slt i64 %r.442, %last_row
  %v450 = and i1 %v448, %v449
  %v452 = mul nsw i64 %r.442, 64
  %in.row.453 = getelementptr i8, ptr %input0, i64 %v452
  %v462 = urem i64 %r.442, 24
  %v463 = mul nsw i64 %v462, 112
  %ring1.row.464 = getelementptr float, ptr %ring1, i64 %v463
  %v466 = mul nsw i64 %r.442, 64
  %out.row.467 = getelementptr float, ptr %output0, i64 %v466
  %v468 = getelementptr i8, ptr %scratch, i64 12288
  %out.row.469 = select i1 %v450, ptr %out.row.467, ptr %v468
  br label %across.472
across.472:
  %x.451 = phi i64 [ 0, %group0.446 ], [ %x.451.next, %across.472 ]
  %v454 = getelementptr i8, ptr %in.row.453, i64 %x.451
  %v455 = getelementptr i8, ptr %v454, i64 128
  call void @llvm.prefetch.p0(ptr %v455, i32 0, i32 3, i32 1)
  %v456 = load <16 x i8>, ptr %v454, align 1
  %v457 = zext <16 x i8> %v456 to <16 x i32>
  %v458 = sitofp <16 x i32> %v457 to <16 x float>
  %v459 = fmul <16 x float> %v458, splat (float 0xBE6FDFDFE0000000)
  %v460 = fmul <16 x float> %v458, splat (float 0x3F70102000000000)
  %v461 = fadd <16 x float> %v460, %v459
  %v465 = getelementptr float, ptr %ring1.row.464, i64 %x.451
  store <16 x float> %v461, ptr %v465, align 64
  %v470 = getelementptr float, ptr %out.row.469, i64 %x.451
  %v471 = getelementptr i8, ptr %v470, i64 512
  call void @llvm.prefetch.p0(ptr %v471, i32 1, i32 3, i32 1)
  store <16 x float> %v461, ptr %v470, align 4
  %x.451.next = add nuw nsw i64 %x.451, 16
  %x.451.more = icmp ult i64 %x.451.next, 64
  br i1 %x.451.more, label %across.472, label %across.end.473
across.end.473:
  br label %group0.end.447
group0.end.447:
  ; group 1: plane ring2, plane ring3; 0 rows ahead; 0 more above, 0 below
  %r.474 = add nsw i64 %s.35, 0
  %v475 = icmp sge i64 %r.474, %low1
  %v476 = icmp slt i64 %r.474, %high1
  %v477 = and i1 %v475, %v476
  br i1 %v477, label %group1.478, label %group1.end.479
group1.478:
  %v481 = urem i64 %r.474, 24
  %v482 = mul nsw i64 %v481, 112
  %ring1.row.483 = getelementptr float, ptr %ring1, i64 %v482
  %v487 = add i64 %r.474, 1
  %v488 = call i64 @llvm.abs.i64(i64 %v487, i1 false)
  %v489 = sub i64 94, %v488
  %v490 = call i64 @llvm.smin.i64(i64 %v488, i64 %v489)
  %v491 = urem i64 %v490, 24
  %v492 = mul nsw i64 %v491, 112
  %ring1.row.493 = getelementptr float, ptr %ring1, i64 %v492
  %v496 = add i64 %r.474, -1
  %v497 = call i64 @llvm.abs.i64(i64 %v496, i1 false)
  %v498 = sub i64 94, %v497
  %v499 = call i64 @llvm.smin.i64(i64 %v497, i64 %v498)
  %v500 = urem i64 %v499, 24
  %v501 = mul nsw i64 %v500, 112
  %ring1.row.502 = getelementptr float, ptr %ring1, i64 %v501
  %v508 = add i64 %r.474, 2
  %v509 = call i64 @llvm.abs.i64(i64 %v508, i1 false)
  %v510 = sub i64 94, %v509
  %v511 = call i64 @llvm.smin.i64(i64 %v509, i64 %v510)
  %v512 = urem i64 %v511, 24
  %v513 = mul nsw i64 %v512, 112
  %ring1.row.514 = getelementptr float, ptr %ring1, i64 %v513
  %v517 = add i64 %r.474, -2
  %v518 = call i64 @llvm.abs.i64(i64 %v517, i1 false)
  %v519 = sub i64 94, %v518
  %v520 = call i64 @llvm.smin.i64(i64 %v518, i64 %v519)
  %v521 = urem i64 %v520, 24
  %v522 = mul nsw i64 %v521, 112
  %ring1.row.523 = getelementptr float, ptr %ring1, i64 %v522
  %v528 = add i64 %r.474, 3
  %v529 = call i64 @llvm.abs.i64(i64 %v528, i1 false)
  %v530 = sub i64 94, %v529
  %v531 = call i64 @llvm.smin.i64(i64 %v529, i64 %v530)
  %v532 = urem i64 %v531, 24
  %v533 = mul nsw i64 %v532, 112
  %ring1.row.534 = getelementptr float, ptr %ring1, i64 %v533
  %v537 = add i64 %r.474, -3
  %v538 = call i64 @llvm.abs.i64(i64 %v537, i1 false)
  %v539 = sub i64 94, %v538
  %v540 = call i64 @llvm.smin.i64(i64 %v538, i64 %v539)
  %v541 = urem i64 %v540, 24
  %v542 = mul nsw i64 %v541, 112
  %ring1.row.543 = getelementptr float, ptr %ring1, i64 %v542
  %v549 = add i64 %r.474, 4
  %v550 = call i64 @llvm.abs.i64(i64 %v549, i1 false)
  %v551 = sub i64 94, %v550
  %v552 = call i64 @llvm.smin.i64(i64 %v550, i64 %v551)
  %v553 = urem i64 %v552, 24
  %v554 = mul nsw i64 %v553, 112
  %ring1.row.555 = getelementptr float, ptr %ring1, i64 %v554
  %v558 = add i64 %r.474, -4
  %v559 = call i64 @llvm.abs.i64(i64 %v558, i1 false)
  %v560 = sub i64 94, %v559
  %v561 = call i64 @llvm.smin.i64(i64 %v559, i64 %v560)
  %v562 = urem i64 %v561, 24
  %v563 = mul nsw i64 %v562, 112
  %ring1.row.564 = getelementptr float, ptr %ring1, i64 %v563
  %v569 = add i64 %r.474, 5
  %v570 = call i64 @llvm.abs.i64(i64 %v569, i1 false)
  %v571 = sub i64 94, %v570
  %v572 = call i64 @llvm.smin.i64(i64 %v570, i64 %v571)
  %v573 = urem i64 %v572, 24
  %v574 = mul nsw i64 %v573, 112
  %ring1.row.575 = getelementptr float, ptr %ring1, i64 %v574
  %v578 = add i64 %r.474, -5
  %v579 = call i64 @llvm.abs.i64(i64 %v578, i1 false)
  %v580 = sub i64 94, %v579
  %v581 = call i64 @llvm.smin.i64(i64 %v579, i64 %v580)
  %v582 = urem i64 %v581, 24
  %v583 = mul nsw i64 %v582, 112
  %ring1.row.584 = getelementptr float, ptr %ring1, i64 %v583
  %v602 = add i64 %r.474, 6
  %v603 = call i64 @llvm.abs.i64(i64 %v602, i1 false)
  %v604 = sub i64 94, %v603
  %v605 = call i64 @llvm.smin.i64(i64 %v603, i64 %v604)
  %v606 = urem i64 %v605, 24
  %v607 = mul nsw i64 %v606, 112
  %ring1.row.608 = getelementptr float, ptr %ring1, i64 %v607
  %v611 = add i64 %r.474, -6
  %v612 = call i64 @llvm.abs.i64(i64 %v611, i1 false)
  %v613 = sub i64 94, %v612
  %v614 = call i64 @llvm.smin.i64(i64 %v612, i64 %v613)
  %v615 = urem i64 %v614, 24
  %v616 = mul nsw i64 %v615, 112
  %ring1.row.617 = getelementptr float, ptr %ring1, i64 %v616
  %v623 = add i64 %r.474, 7
  %v624 = call i64 @llvm.abs.i64(i64 %v623, i1 false)
  %v625 = sub i64 94, %v624
  %v626 = call i64 @llvm.smin.i64(i64 %v624, i64 %v625)
  %v627 = urem i64 %v626, 24
  %v628 = mul nsw i64 %v627, 112
  %ring1.row.629 = getelementptr float, ptr %ring1, i64 %v628
  %v632 = add i64 %r.474, -7
  %v633 = call i64 @llvm.abs.i64(i64 %v632, i1 false)
  %v634 = sub i64 94, %v633
  %v635 = call i64 @llvm.smin.i64(i64 %v633, i64 %v634)
  %v636 = urem i64 %v635, 24
  %v637 = mul nsw i64 %v636, 112
  %ring1.row.638 = getelementptr float, ptr %ring1, i64 %v637
  %v643 = add i64 %r.474, 8
  %v644 = call i64 @llvm.abs.i64(i64 %v643, i1 false)
  %v645 = sub i64 94, %v644
  %v646 = call i64 @llvm.smin.i64(i64 %v644, i64 %v645)
  %v647 = urem i64 %v646, 24
  %v648 = mul nsw i64 %v647, 112
  %ring1.row.649 = getelementptr float, ptr %ring1, i64 %v648
  %v652 = add i64 %r.474, -8
  %v653 = call i64 @llvm.abs.i64(i64 %v652, i1 false)
  %v654 = sub i64 94, %v653
  %v655 = call i64 @llvm.smin.i64(i64 %v653, i64 %v654)
  %v656 = urem i64 %v655, 24
  %v657 = mul nsw i64 %v656, 112
  %ring1.row.658 = getelementptr float, ptr %ring1, i64 %v657
  %v665 = add i64 %r.474, 9
  %v666 = call i64 @llvm.abs.i64(i64 %v665, i1 false)
  %v667 = sub i64 94, %v666
  %v668 = call i64 @llvm.smin.i64(i64 %v666, i64 %v667)
  %v669 = urem i64 %v668, 24
  %v670 = mul nsw i64 %v669, 112
  %ring1.row.671 = getelementptr float, ptr %ring1, i64 %v670
  %v674 = add i64 %r.474, -9
  %v675 = call i64 @llvm.abs.i64(i64 %v674, i1 false)
  %v676 = sub i64 94, %v675
  %v677 = call i64 @llvm.smin.i64(i64 %v675, i64 %v676)
  %v678 = urem i64 %v677, 24
  %v679 = mul nsw i64 %v678, 112
  %ring1.row.680 = getelementptr float, ptr %ring1, i64 %v679
  %v685 = add i64 %r.474, 10
  %v686 = call i64 @llvm.abs.i64(i64 %v685, i1 false)
  %v687 = sub i64 94, %v686
  %v688 = call i64 @llvm.smin.i64(i64 %v686, i64 %v687)
  %v689 = urem i64 %v688, 24
  %v690 = mul nsw i64 %v689, 112
  %ring1.row.691 = getelementptr float, ptr %ring1, i64 %v690
  %v694 = add i64 %r.474, -10
  %v695 = call i64 @llvm.abs.i64(i64 %v694, i1 false)
  %v696 = sub i64 94, %v695
  %v697 = call i64 @llvm.smin.i64(i64 %v695, i64 %v696)
  %v698 = urem i64 %v697, 24
  %v699 = mul nsw i64 %v698, 112
  %ring1.row.700 = getelementptr float, ptr %ring1, i64 %v699
  %v706 = add i64 %r.474, 11
  %v707 = call i64 @llvm.abs.i64(i64 %v706, i1 false)
  %v708 = sub i64 94, %v707
  %v709 = call i64 @llvm.smin.i64(i64 %v707, i64 %v708)
  %v710 = urem i64 %v709, 24
  %v711 = mul nsw i64 %v710, 112
  %ring1.row.712 = getelementptr float, ptr %ring1, i64 %v711
  %v715 = add i64 %r.474, -11
  %v716 = call i64 @llvm.abs.i64(i64 %v715, i1 false)
  %v717 = sub i64 94, %v716
  %v718 = call i64 @llvm.smin.i64(i64 %v716, i64 %v717)
  %v719 = urem i64 %v718, 24
  %v720 = mul nsw i64 %v719, 112
  %ring1.row.721 = getelementptr float, ptr %ring1, i64 %v720
  %v726 = add i64 %r.474, 12
  %v727 = call i64 @llvm.abs.i64(i64 %v726, i1 false)
  %v728 = sub i64 94, %v727
  %v729 = call i64 @llvm.smin.i64(i64 %v727, i64 %v728)
  %v730 = urem i64 %v729, 24
  %v731 = mul nsw i64 %v730, 112
  %ring1.row.732 = getelementptr float, ptr %ring1, i64 %v731
  %v735 = add i64 %r.474, -12
  %v736 = call i64 @llvm.abs.i64(i64 %v735, i1 false)
  %v737 = sub i64 94, %v736
  %v738 = call i64 @llvm.smin.i64(i64 %v736, i64 %v737)
  %v739 = urem i64 %v738, 24
  %v740 = mul nsw i64 %v739, 112
  %ring1.row.741 = getelementptr float, ptr %ring1, i64 %v740
  br label %across.752
across.752:
  %x.480 = phi i64 [ 0, %group1.478 ], [ %x.480.next, %across.752 ]
  %v484 = getelementptr float, ptr %ring1.row.483, i64 %x.480
  %v485 = load <16 x float>, ptr %v484, align 64
  %v486 = fmul <16 x float> %v485, splat (float 0x3FD546E7E0000000)
  %v494 = getelementptr float, ptr %ring1.row.493, i64 %x.480
  %v495 = load <16 x float>, ptr %v494, align 64
  %v503 = getelementptr float, ptr %ring1.row.502, i64 %x.480
  %v504 = load <16 x float>, ptr %v503, align 64
  %v505 = fadd <16 x float> %v504, %v495
  %v506 = fmul <16 x float> %v505, splat (float 0x3FCE1217C0000000)
  %v507 = fadd <16 x float> %v506, %v486
  %v515 = getelementptr float, ptr %ring1.row.514, i64 %x.480
  %v516 = load <16 x float>, ptr %v515, align 64
  %v524 = getelementptr float, ptr %ring1.row.523, i64 %x.480
  %v525 = load <16 x float>, ptr %v524, align 64
  %v526 = fadd <16 x float> %v525, %v516
  %v527 = fmul <16 x float> %v526, splat (float 0x3FB538CAC0000000)
  %v535 = getelementptr float, ptr %ring1.row.534, i64 %x.480
  %v536 = load <16 x float>, ptr %v535, align 64
  %v544 = getelementptr float, ptr %ring1.row.543, i64 %x.480
  %v545 = load <16 x float>, ptr %v544, align 64
  %v546 = fadd <16 x float> %v545, %v536
  %v547 = fmul <16 x float> %v546, splat (float 0x3F8DEA4020000000)
  %v548 = fadd <16 x float> %v547, %v527
  %v556 = getelementptr float, ptr %ring1.row.555, i64 %x.480
  %v557 = load <16 x float>, ptr %v556, align 64
  %v565 = getelementptr float, ptr %ring1.row.564, i64 %x.480
  %v566 = load <16 x float>, ptr %v565, align 64
  %v567 = fadd <16 x float> %v566, %v557
  %v568 = fmul <16 x float> %v567, splat (float 0x3F550EAB60000000)
  %v576 = getelementptr float, ptr %ring1.row.575, i64 %x.480
  %v577 = load <16 x float>, ptr %v576, align 64
  %v585 = getelementptr float, ptr %ring1.row.584, i64 %x.480
  %v586 = load <16 x float>, ptr %v585, align 64
  %v587 = fadd <16 x float> %v586, %v577
  %v588 = fmul <16 x float> %v587, splat (float 0x3F0D9B2EE0000000)
  %v589 = fadd <16 x float> %v588, %v568
  %v590 = fadd <16 x float> %v589, %v548
  %v591 = fadd <16 x float> %v590, %v507
  %v592 = fmul <16 x float> %v485, splat (float 0x3FC105A320000000)
  %v593 = fmul <16 x float> %v505, splat (float 0x3FC01A2600000000)
  %v594 = fmul <16 x float> %v526, splat (float 0x3FBB42A580000000)
  %v595 = fadd <16 x float> %v594, %v593
  %v596 = fmul <16 x float> %v546, splat (float 0x3FB4A614E0000000)
  %v597 = fmul <16 x float> %v567, splat (float 0x3FABFDE9C0000000)
  %v598 = fadd <16 x float> %v597, %v596
  %v599 = fadd <16 x float> %v598, %v595
  %v600 = fadd <16 x float> %v599, %v592
  %v601 = fmul <16 x float> %v587, splat (float 0x3FA0FA58A0000000)
  %v609 = getelementptr float, ptr %ring1.row.608, i64 %x.480
  %v610 = load <16 x float>, ptr %v609, align 64
  %v618 = getelementptr float, ptr %ring1.row.617, i64 %x.480
  %v619 = load <16 x float>, ptr %v618, align 64
  %v620 = fadd <16 x float> %v619, %v610
  %v621 = fmul <16 x float> %v620, splat (float 0x3F926DEFC0000000)
  %v622 = fadd <16 x float> %v621, %v601
  %v630 = getelementptr float, ptr %ring1.row.629, i64 %x.480
  %v631 = load <16 x float>, ptr %v630, align 64
  %v639 = getelementptr float, ptr %ring1.row.638, i64 %x.480
  %v640 = load <16 x float>, ptr %v639, align 64
  %v641 = fadd <16 x float> %v640, %v631
  %v642 = fmul <16 x float> %v641, splat (float 0x3F81E6BCC0000000)
  %v650 = getelementptr float, ptr %ring1.row.649, i64 %x.480
  %v651 = load <16 x float>, ptr %v650, align 64
  %v659 = getelementptr float, ptr %ring1.row.658, i64 %x.480
  %v660 = load <16 x float>, ptr %v659, align 64
  %v661 = fadd <16 x float> %v660, %v651
  %v662 = fmul <16 x float> %v661, splat (float 0x3F6F1E9920000000)
  %v663 = fadd <16 x float> %v662, %v642
  %v664 = fadd <16 x float> %v663, %v622
  %v672 = getelementptr float, ptr %ring1.row.671, i64 %x.480
  %v673 = load <16 x float>, ptr %v672, align 64
  %v681 = getelementptr float, ptr %ring1.row.680, i64 %x.480
  %v682 = load <16 x float>, ptr %v681, align 64
  %v683 = fadd <16 x float> %v682, %v673
  %v684 = fmul <16 x float> %v683, splat (float 0x3F58345960000000)
  %v692 = getelementptr float, ptr %ring1.row.691, i64 %x.480
  %v693 = load <16 x float>, ptr %v692, align 64
  %v701 = getelementptr float, ptr %ring1.row.700, i64 %x.480
  %v702 = load <16 x float>, ptr %v701, align 64
  %v703 = fadd <16 x float> %v702, %v693
  %v704 = fmul <16 x float> %v703, splat (float 0x3F40D8A5A0000000)
  %v705 = fadd <16 x float> %v704, %v684
  %v713 = getelementptr float, ptr %ring1.row.712, i64 %x.480
  %v714 = load <16 x float>, ptr %v713, align 64
  %v722 = getelementptr float, ptr %ring1.row.721, i64 %x.480
  %v723 = load <16 x float>, ptr %v722, align 64
  %v724 = fadd <16 x float> %v723, %v714
  %v725 = fmul <16 x float> %v724, splat (float 0x3F24FBE3A0000000)
  %v733 = getelementptr float, ptr %ring1.row.732, i64 %x.480
  %v734 = load <16 x float>, ptr %v733, align 64
  %v742 = getelementptr float, ptr %ring1.row.741, i64 %x.480
  %v743 = load <16 x float>, ptr %v742, align 64
  %v744 = fadd <16 x float> %v743, %v734
  %v745 = fmul <16 x float> %v744, splat (float 0x3F0763A220000000)
  %v746 = fadd <16 x float> %v745, %v725
  %v747 = fadd <16 x float> %v746, %v705
  %v748 = fadd <16 x float> %v747, %v664
  %v749 = fadd <16 x float> %v748, %v600
  %v750 = getelementptr float, ptr %ring2, i64 %x.480
  store <16 x float> %v591, ptr %v750, align 64
  %v751 = getelementptr float, ptr %ring3, i64 %x.480
  store <16 x float> %v749, ptr %v751, align 64
  %x.480.next = add nuw nsw i64 %x.480, 16
  %x.480.more = icmp ult i64 %x.480.next, 64
  br i1 %x.480.more, label %across.752, label %across.end.753
across.end.753:
  %v754 = getelementptr float, ptr %ring2, i64 5
  %v755 = load float, ptr %v754
  %v756 = getelementptr float, ptr %ring2, i64 -5
  store float %v755, ptr %v756
  %v757 = getelementptr float, ptr %ring2, i64 4
  %v758 = load float, ptr %v757
  %v759 = getelementptr float, ptr %ring2, i64 -4
  store float %v758, ptr %v759
  %v760 = getelementptr float, ptr %ring2, i64 3
  %v761 = load float, ptr %v760
  %v762 = getelementptr float, ptr %ring2, i64 -3
  store float %v761, ptr %v762
  %v763 = getelementptr float, ptr %ring2, i64 2
  %v764 = load float, ptr %v763
  %v765 = getelementptr float, ptr %ring2, i64 -2
  store float %v764, ptr %v765
  %v766 = getelementptr float, ptr %ring2, i64 1
  %v767 = load float, ptr %v766
  %v768 = getelementptr float, ptr %ring2, i64 -1
  store float %v767, ptr %v768
  %v769 = getelementptr float, ptr %ring2, i64 62
  %v770 = load float, ptr %v769
  %v771 = getelementptr float, ptr %ring2, i64 64
  store float %v770, ptr %v771
  %v772 = getelementptr float, ptr %ring2, i64 61
  %v773 = load float, ptr %v772
  %v774 = getelementptr float, ptr %ring2, i64 65
  store float %v773, ptr %v774
  %v775 = getelementptr float, ptr %ring2, i64 60
  %v776 = load float, ptr %v775
  %v777 = getelementptr float, ptr %ring2, i64 66
  store float %v776, ptr %v777
  %v778 = getelementptr float, ptr %ring2, i64 59
  %v779 = load float, ptr %v778
  %v780 = getelementptr float, ptr %ring2, i64 67
  store float %v779, ptr %v780
  %v781 = getelementptr float, ptr %ring2, i64 58
  %v782 = load float, ptr %v781
  %v783 = getelementptr float, ptr %ring2, i64 68
  store float %v782, ptr %v783
  %v784 = getelementptr float, ptr %ring3, i64 12
  %v785 = load float, ptr %v784
  %v786 = getelementptr float, ptr %ring3, i64 -12
  store float %v785, ptr %v786
  %v787 = getelementptr float, ptr %ring3, i64 11
  %v788 = load float, ptr %v787
  %v789 = getelementptr float, ptr %ring3, i64 -11
  store float %v788, ptr %v789
  %v790 = getelementptr float, ptr %ring3, i64 10
  %v791 = load float, ptr %v790
  %v792 = getelementptr float, ptr %ring3, i64 -10
  store float %v791, ptr %v792
  %v793 = getelementptr float, ptr %ring3, i64 9
  %v794 = load float, ptr %v793
  %v795 = getelementptr float, ptr %ring3, i64 -9
  store float %v794, ptr %v795
  %v796 = getelementptr float, ptr %ring3, i64 8
  %v797 = load float, ptr %v796
  %v798 = getelementptr float, ptr %ring3, i64 -8
  store float %v797, ptr %v798
  %v799 = getelementptr float, ptr %ring3, i64 7
  %v800 = load float, ptr %v799
  %v801 = getelementptr float, ptr %ring3, i64 -7
  store float %v800, ptr %v801
  %v802 = getelementptr float, ptr %ring3, i64 6
  %v803 = load float, ptr %v802
  %v804 = getelementptr float, ptr %ring3, i64 -6
  store float %v803, ptr %v804
  %v805 = getelementptr float, ptr %ring3, i64 5
  %v806 = load float, ptr %v805
  %v807 = getelementptr float, ptr %ring3, i64 -5
  store float %v806, ptr %v807
  %v808 = getelementptr float, ptr %ring3, i64 4
  %v809 = load float, ptr %v808
  %v810 = getelementptr float, ptr %ring3, i64 -4
  store float %v809, ptr %v810
  %v811 = getelementptr float, ptr %ring3, i64 3
  %v812 = load float, ptr %v811
  %v813 = getelementptr float, ptr %ring3, i64 -3
  store float %v812, ptr %v813
  %v814 = getelementptr float, ptr %ring3, i64 2
  %v815 = load float, ptr %v814
  %v816 = getelementptr float, ptr %ring3, i64 -2
  store float %v815, ptr %v816
  %v817 = getelementptr float, ptr %ring3, i64 1
  %v818 = load float, ptr %v817
  %v819 = getelementptr float, ptr %ring3, i64 -1
  store float %v818, ptr %v819
  %v820 = getelementptr float, ptr %ring3, i64 62
  %v821 = load float, ptr %v820
  %v822 = getelementptr float, ptr %ring3, i64 64
  store float %v821, ptr %v822
  %v823 = getelementptr float, ptr %ring3, i64 61
  %v824 = load float, ptr %v823
  %v825 = getelementptr float, ptr %ring3, i64 65
  store float %v824, ptr %v825
  %v826 = getelementptr float, ptr %ring3, i64 60
  %v827 = load float, ptr %v826
  %v828 = getelementptr float, ptr %ring3, i64 66
  store float %v827, ptr %v828
  %v829 = getelementptr float, ptr %ring3, i64 59
  %v830 = load float, ptr %v829
  %v831 = getelementptr float, ptr %ring3, i64 67
  store float %v830, ptr %v831
  %v832 = getelementptr float, ptr %ring3, i64 58
  %v833 = load float, ptr %v832
  %v834 = getelementptr float, ptr %ring3, i64 68
  store float %v833, ptr %v834
  %v835 = getelementptr float, ptr %ring3, i64 57
  %v836 = load float, ptr %v835
  %v837 = getelementptr float, ptr %ring3, i64 69
  store float %v836, ptr %v837
  %v838 = getelementptr float, ptr %ring3, i64 56
  %v839 = load float, ptr %v838
  %v840 = getelementptr float, ptr %ring3, i64 70
  store float %v839, ptr %v840
  %v841 = getelementptr float, ptr %ring3, i64 55
  %v842 = load float, ptr %v841
  %v843 = getelementptr float, ptr %ring3, i64 71
  store float %v842, ptr %v843
  %v844 = getelementptr float, ptr %ring3, i64 54
  %v845 = load float, ptr %v844
  %v846 = getelementptr float, ptr %ring3, i64 72
  store float %v845, ptr %v846
  %v847 = getelementptr float, ptr %ring3, i64 53
  %v848 = load float, ptr %v847
  %v849 = getelementptr float, ptr %ring3, i64 73
  store float %v848, ptr %v849
  %v850 = getelementptr float, ptr %ring3, i64 52
  %v851 = load float, ptr %v850
  %v852 = getelementptr float, ptr %ring3, i64 74
  store float %v851, ptr %v852
  %v853 = getelementptr float, ptr %ring3, i64 51
  %v854 = load float, ptr %v853
  %v855 = getelementptr float, ptr %ring3, i64 75
  store float %v854, ptr %v855
  br label %group1.end.479
group1.end.479:
  br label %joined.51
joined.51:
  ; group 2: output; 0 rows ahead; 0 more above, 0 below
  %r.856 = add nsw i64 %s.35, 0
  %v857 = icmp sge i64 %r.856, %low2
  %v858 = icmp slt i64 %r.856, %high2
  %v859 = and i1 %v857, %v858
  br i1 %v859, label %group2.860, label %group2.end.861
group2.860:
  %v871 = load <16 x i32>, ptr %ring3, align 64
  %v872 = bitcast <16 x i32> %v871 to <16 x float>
  %v873 = shufflevector <16 x float> %v872, <16 x float> poison, <16 x i32> <i32 0, i32 0, i32 0, i32 0, i32 12, i32 11, i32 10, i32 9, i32 8, i32 7, i32 6, i32 5, i32 4, i32 3, i32 2, i32 1>
  %v874 = bitcast <16 x float> %v873 to <16 x i32>
  %v875 = load <16 x i32>, ptr %ring3, align 64
  %v968 = load <16 x i32>, ptr %ring2, align 64
  %v969 = bitcast <16 x i32> %v968 to <16 x float>
  %v970 = shufflevector <16 x float> %v969, <16 x float> poison, <16 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 5, i32 4, i32 3, i32 2, i32 1>
  %v971 = bitcast <16 x float> %v970 to <16 x i32>
  %v972 = load <16 x i32>, ptr %ring2, align 64
  %v1014 = mul nsw i64 %r.856, 64
  %out.row.1015 = getelementptr i8, ptr %output1, i64 %v1014
  br label %across.1019
across.1019:
  %x.862 = phi i64 [ 0, %group2.860 ], [ %x.862.next, %across.1019 ]
  %before.866 = phi <16 x i32> [ %v874, %group2.860 ], [ %here.867, %across.1019 ]
  %here.867 = phi <16 x i32> [ %v875, %group2.860 ], [ %v870, %across.1019 ]
  %before.963 = phi <16 x i32> [ %v971, %group2.860 ], [ %here.964, %across.1019 ]
  %here.964 = phi <16 x i32> [ %v972, %group2.860 ], [ %v967, %across.1019 ]
  %v863 = getelementptr float, ptr %ring3, i64 %x.862
  %v864 = load <16 x float>, ptr %v863, align 64
  %v865 = fmul <16 x float> %v864, splat (float 0x3FC105A320000000)
  %v868 = getelementptr float, ptr %ring3, i64 %x.862
  %v869 = getelementptr float, ptr %v868, i64 16
  %v870 = load <16 x i32>, ptr %v869, align 64
  %v876 = shufflevector <16 x i32> %here.867, <16 x i32> %v870, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16>
  %v877 = bitcast <16 x i32> %v876 to <16 x float>
  %v878 = shufflevector <16 x i32> %before.866, <16 x i32> %here.867, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v879 = bitcast <16 x i32> %v878 to <16 x float>
  %v880 = fadd <16 x float> %v879, %v877
  %v881 = fmul <16 x float> %v880, splat (float 0x3FC01A2600000000)
  %v882 = shufflevector <16 x i32> %here.867, <16 x i32> %v870, <16 x i32> <i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17>
  %v883 = bitcast <16 x i32> %v882 to <16 x float>
  %v884 = shufflevector <16 x i32> %before.866, <16 x i32> %here.867, <16 x i32> <i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29>
  %v885 = bitcast <16 x i32> %v884 to <16 x float>
  %v886 = fadd <16 x float> %v885, %v883
  %v887 = fmul <16 x float> %v886, splat (float 0x3FBB42A580000000)
  %v888 = fadd <16 x float> %v887, %v881
  %v889 = shufflevector <16 x i32> %here.867, <16 x i32> %v870, <16 x i32> <i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18>
  %v890 = bitcast <16 x i32> %v889 to <16 x float>
  %v891 = shufflevector <16 x i32> %before.866, <16 x i32> %here.867, <16 x i32> <i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28>
  %v892 = bitcast <16 x i32> %v891 to <16 x float>
  %v893 = fadd <16 x float> %v892, %v890
  %v894 = fmul <16 x float> %v893, splat (float 0x3FB4A614E0000000)
  %v895 = shufflevector <16 x i32> %here.867, <16 x i32> %v870, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19>
  %v896 = bitcast <16 x i32> %v895 to <16 x float>
  %v897 = shufflevector <16 x i32> %before.866, <16 x i32> %here.867, <16 x i32> <i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27>
  %v898 = bitcast <16 x i32> %v897 to <16 x float>
  %v899 = fadd <16 x float> %v898, %v896
  %v900 = fmul <16 x float> %v899, splat (float 0x3FABFDE9C0000000)
  %v901 = fadd <16 x float> %v900, %v894
  %v902 = fadd <16 x float> %v901, %v888
  %v903 = fadd <16 x float> %v902, %v865
  %v904 = shufflevector <16 x i32> %here.867, <16 x i32> %v870, <16 x i32> <i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20>
  %v905 = bitcast <16 x i32> %v904 to <16 x float>
  %v906 = shufflevector <16 x i32> %before.866, <16 x i32> %here.867, <16 x i32> <i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26>
  %v907 = bitcast <16 x i32> %v906 to <16 x float>
  %v908 = fadd <16 x float> %v907, %v905
  %v909 = fmul <16 x float> %v908, splat (float 0x3FA0FA58A0000000)
  %v910 = shufflevector <16 x i32> %here.867, <16 x i32> %v870, <16 x i32> <i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21>
  %v911 = bitcast <16 x i32> %v910 to <16 x float>
  %v912 = shufflevector <16 x i32> %before.866, <16 x i32> %here.867, <16 x i32> <i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25>
  %v913 = bitcast <16 x i32> %v912 to <16 x float>
  %v914 = fadd <16 x float> %v913, %v911
  %v915 = fmul <16 x float> %v914, splat (float 0x3F926DEFC0000000)
  %v916 = fadd <16 x float> %v915, %v909
  %v917 = shufflevector <16 x i32> %here.867, <16 x i32> %v870, <16 x i32> <i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22>
  %v918 = bitcast <16 x i32> %v917 to <16 x float>
  %v919 = shufflevector <16 x i32> %before.866, <16 x i32> %here.867, <16 x i32> <i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24>
  %v920 = bitcast <16 x i32> %v919 to <16 x float>
  %v921 = fadd <16 x float> %v920, %v918
  %v922 = fmul <16 x float> %v921, splat (float 0x3F81E6BCC0000000)
  %v923 = shufflevector <16 x i32> %here.867, <16 x i32> %v870, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v924 = bitcast <16 x i32> %v923 to <16 x float>
  %v925 = shufflevector <16 x i32> %before.866, <16 x i32> %here.867, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v926 = bitcast <16 x i32> %v925 to <16 x float>
  %v927 = fadd <16 x float> %v926, %v924
  %v928 = fmul <16 x float> %v927, splat (float 0x3F6F1E9920000000)
  %v929 = fadd <16 x float> %v928, %v922
  %v930 = fadd <16 x float> %v929, %v916
  %v931 = shufflevector <16 x i32> %here.867, <16 x i32> %v870, <16 x i32> <i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24>
  %v932 = bitcast <16 x i32> %v931 to <16 x float>
  %v933 = shufflevector <16 x i32> %before.866, <16 x i32> %here.867, <16 x i32> <i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22>
  %v934 = bitcast <16 x i32> %v933 to <16 x float>
  %v935 = fadd <16 x float> %v934, %v932
  %v936 = fmul <16 x float> %v935, splat (float 0x3F58345960000000)
  %v937 = shufflevector <16 x i32> %here.867, <16 x i32> %v870, <16 x i32> <i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25>
  %v938 = bitcast <16 x i32> %v937 to <16 x float>
  %v939 = shufflevector <16 x i32> %before.866, <16 x i32> %here.867, <16 x i32> <i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21>
  %v940 = bitcast <16 x i32> %v939 to <16 x float>
  %v941 = fadd <16 x float> %v940, %v938
  %v942 = fmul <16 x float> %v941, splat (float 0x3F40D8A5A0000000)
  %v943 = fadd <16 x float> %v942, %v936
  %v944 = shufflevector <16 x i32> %here.867, <16 x i32> %v870, <16 x i32> <i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26>
  %v945 = bitcast <16 x i32> %v944 to <16 x float>
  %v946 = shufflevector <16 x i32> %before.866, <16 x i32> %here.867, <16 x i32> <i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20>
  %v947 = bitcast <16 x i32> %v946 to <16 x float>
  %v948 = fadd <16 x float> %v947, %v945
  %v949 = fmul <16 x float> %v948, splat (float 0x3F24FBE3A0000000)
  %v950 = shufflevector <16 x i32> %here.867, <16 x i32> %v870, <16 x i32> <i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27>
  %v951 = bitcast <16 x i32> %v950 to <16 x float>
  %v952 = shufflevector <16 x i32> %before.866, <16 x i32> %here.867, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19>
  %v953 = bitcast <16 x i32> %v952 to <16 x float>
  %v954 = fadd <16 x float> %v953, %v951
  %v955 = fmul <16 x float> %v954, splat (float 0x3F0763A220000000)
  %v956 = fadd <16 x float> %v955, %v949
  %v957 = fadd <16 x float> %v956, %v943
  %v958 = fadd <16 x float> %v957, %v930
  %v959 = fadd <16 x float> %v958, %v903
  %v960 = getelementptr float, ptr %ring2, i64 %x.862
  %v961 = load <16 x float>, ptr %v960, align 64
  %v962 = fmul <16 x float> %v961, splat (float 0x3FD546E7E0000000)
  %v965 = getelementptr float, ptr %ring2, i64 %x.862
  %v966 = getelementptr float, ptr %v965, i64 16
  %v967 = load <16 x i32>, ptr %v966, align 64
  %v973 = shufflevector <16 x i32> %here.964, <16 x i32> %v967, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16>
  %v974 = bitcast <16 x i32> %v973 to <16 x float>
  %v975 = shufflevector <16 x i32> %before.963, <16 x i32> %here.964, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v976 = bitcast <16 x i32> %v975 to <16 x float>
  %v977 = fadd <16 x float> %v976, %v974
  %v978 = fmul <16 x float> %v977, splat (float 0x3FCE1217C0000000)
  %v979 = fadd <16 x float> %v978, %v962
  %v980 = shufflevector <16 x i32> %here.964, <16 x i32> %v967, <16 x i32> <i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17>
  %v981 = bitcast <16 x i32> %v980 to <16 x float>
  %v982 = shufflevector <16 x i32> %before.963, <16 x i32> %here.964, <16 x i32> <i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29>
  %v983 = bitcast <16 x i32> %v982 to <16 x float>
  %v984 = fadd <16 x float> %v983, %v981
  %v985 = fmul <16 x float> %v984, splat (float 0x3FB538CAC0000000)
  %v986 = shufflevector <16 x i32> %here.964, <16 x i32> %v967, <16 x i32> <i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18>
  %v987 = bitcast <16 x i32> %v986 to <16 x float>
  %v988 = shufflevector <16 x i32> %before.963, <16 x i32> %here.964, <16 x i32> <i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28>
  %v989 = bitcast <16 x i32> %v988 to <16 x float>
  %v990 = fadd <16 x float> %v989, %v987
  %v991 = fmul <16 x float> %v990, splat (float 0x3F8DEA4020000000)
  %v992 = fadd <16 x float> %v991, %v985
  %v993 = shufflevector <16 x i32> %here.964, <16 x i32> %v967, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19>
  %v994 = bitcast <16 x i32> %v993 to <16 x float>
  %v995 = shufflevector <16 x i32> %before.963, <16 x i32> %here.964, <16 x i32> <i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27>
  %v996 = bitcast <16 x i32> %v995 to <16 x float>
  %v997 = fadd <16 x float> %v996, %v994
  %v998 = fmul <16 x float> %v997, splat (float 0x3F550EAB60000000)
  %v999 = shufflevector <16 x i32> %here.964, <16 x i32> %v967, <16 x i32> <i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20>
  %v1000 = bitcast <16 x i32> %v999 to <16 x float>
  %v1001 = shufflevector <16 x i32> %before.963, <16 x i32> %here.964, <16 x i32> <i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26>
  %v1002 = bitcast <16 x i32> %v1001 to <16 x float>
  %v1003 = fadd <16 x float> %v1002, %v1000
  %v1004 = fmul <16 x float> %v1003, splat (float 0x3F0D9B2EE0000000)
  %v1005 = fadd <16 x float> %v1004, %v998
  %v1006 = fadd <16 x float> %v1005, %v992
  %v1007 = fadd <16 x float> %v1006, %v979
  %v1008 = fsub <16 x float> %v1007, %v959
  %v1013 = fcmp olt <16 x float> %v1012, %v1008
  %v1016 = getelementptr i8, ptr %out.row.1015, i64 %x.862
  %v1017 = zext <16 x i1> %v1013 to <16 x i8>
  %v1018 = getelementptr i8, ptr %v1016, i64 128
  call void @llvm.prefetch.p0(ptr %v1018, i32 1, i32 3, i32 1)
  store <16 x i8> %v1017, ptr %v1016, align 1
  %x.862.next = add nuw nsw i64 %x.862, 16
  %x.862.more = icmp ult i64 %x.862.next, 64
  br i1 %x.862.more, label %across.1019, label %across.end.1020
across.end.1020:
  br label %group2.end.861
group2.end.861:
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

; spots: a host function, nothing is generated
