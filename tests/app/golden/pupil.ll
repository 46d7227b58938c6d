; gray+sound+even+smooth+lashes+dark
;
; in0: 64x48 u8
; dark.out: 64x48 bool, leaves
; dark.level: f32, an argument
; pass 0, images of 64x48
;   ring1: f32, 1 row, reflect101 4 px left and 4 px right
;   ring2: f32, 8 rows
;   ring3: f32, 7 rows, replicate 3 px left and 3 px right
;   ring4: f32, 5 rows
;   ring5: f32, 2 rows
;   ring6: f32, 7 rows, replicate 3 px left and 3 px right
;   ring7: f32, 5 rows
;   ring8: f32, 2 rows
;   row y+10, from 10 above the strip to 10 below, 16 pixels a vector:
;     ring1 = f32(in0[y, x])
;   row y+10, from 10 above the strip to 10 below, 16 pixels a vector:
;     t1 = ((ring1[y, x-4] + ring1[y, x+4]) * 0.0001338306174147874) + ((ring1[y, x-3] + ring1[y, x+3]) * 0.004431861452758312)
;     t2 = ((ring1[y, x-2] + ring1[y, x+2]) * 0.053991127759218216) + ((ring1[y, x-1] + ring1[y, x+1]) * 0.2419714480638504)
;     ring2 = (t1 + t2) + (ring1[y, x] * 0.3989434838294983)
;   row y+6, from 6 above the strip to 6 below, 16 pixels a vector:
;     t1 = ((ring2[y-4, x]{reflect101} + ring2[y+4, x]{reflect101}) * 0.0001338306174147874) + ((ring2[y-3, x]{reflect101} + ring2[y+3, x]{reflect101}) * 0.004431861452758312)
;     t2 = ((ring2[y-2, x]{reflect101} + ring2[y+2, x]{reflect101}) * 0.053991127759218216) + ((ring2[y-1, x]{reflect101} + ring2[y+1, x]{reflect101}) * 0.2419714480638504)
;     ring3 = (t1 + t2) + (ring2[y, x] * 0.3989434838294983)
;   row y+5, from 5 above the strip to 5 below, 16 pixels a vector:
;     ring4 = max(max(max(max(ring3[y, x-2], ring3[y, x-1]), ring3[y, x]), ring3[y, x+1]), ring3[y, x+2])
;   row y+4, from 4 above the strip to 4 below, 16 pixels a vector:
;     t1 = max(max(max(max(ring3[y, x-3], ring3[y, x-2]), ring3[y, x-1]), ring3[y, x]), ring3[y, x+1])
;     ring5 = max(max(t1, ring3[y, x+2]), ring3[y, x+3])
;   row y+3, from 3 above the strip to 3 below, 16 pixels a vector:
;     t1 = max(max(max(ring3[y-3, x]{replicate}, ring3[y-2, x]{replicate}), ring3[y-1, x]{replicate}), ring3[y, x])
;     t2 = max(max(max(t1, ring3[y+1, x]{replicate}), ring3[y+2, x]{replicate}), ring3[y+3, x]{replicate})
;     t3 = max(max(max(ring4[y-2, x]{replicate}, ring4[y-1, x]{replicate}), ring4[y, x]), ring4[y+1, x]{replicate})
;     ring6 = max(max(t2, max(t3, ring4[y+2, x]{replicate})), max(max(ring5[y-1, x]{replicate}, ring5[y, x]), ring5[y+1, x]{replicate}))
;   row y+2, from 2 above the strip to 2 below, 16 pixels a vector:
;     ring7 = min(min(min(min(ring6[y, x-2], ring6[y, x-1]), ring6[y, x]), ring6[y, x+1]), ring6[y, x+2])
;   row y+1, from 1 above the strip to 1 below, 16 pixels a vector:
;     t1 = min(min(min(min(ring6[y, x-3], ring6[y, x-2]), ring6[y, x-1]), ring6[y, x]), ring6[y, x+1])
;     ring8 = min(min(t1, ring6[y, x+2]), ring6[y, x+3])
;   row y, 16 pixels a vector:
;     t1 = min(min(min(ring6[y-3, x]{replicate}, ring6[y-2, x]{replicate}), ring6[y-1, x]{replicate}), ring6[y, x])
;     t2 = min(min(min(t1, ring6[y+1, x]{replicate}), ring6[y+2, x]{replicate}), ring6[y+3, x]{replicate})
;     t3 = min(min(min(ring7[y-2, x]{replicate}, ring7[y-1, x]{replicate}), ring7[y, x]), ring7[y+1, x]{replicate})
;     t4 = min(min(t2, min(t3, ring7[y+2, x]{replicate})), min(min(ring8[y-1, x]{replicate}, ring8[y, x]), ring8[y+1, x]{replicate}))
;     dark.out = t4 <= dark.level

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
  %v9 = sub i64 %first_row, 10
  %v10 = add i64 %last_row, 10
  %low0 = call i64 @llvm.smax.i64(i64 %v9, i64 0)
  %high0 = call i64 @llvm.smin.i64(i64 %v10, i64 48)
  %v11 = sub i64 %first_row, 10
  %v12 = add i64 %last_row, 10
  %low1 = call i64 @llvm.smax.i64(i64 %v11, i64 0)
  %high1 = call i64 @llvm.smin.i64(i64 %v12, i64 48)
  %v13 = sub i64 %first_row, 6
  %v14 = add i64 %last_row, 6
  %low2 = call i64 @llvm.smax.i64(i64 %v13, i64 0)
  %high2 = call i64 @llvm.smin.i64(i64 %v14, i64 48)
  %v15 = sub i64 %first_row, 5
  %v16 = add i64 %last_row, 5
  %low3 = call i64 @llvm.smax.i64(i64 %v15, i64 0)
  %high3 = call i64 @llvm.smin.i64(i64 %v16, i64 48)
  %v17 = sub i64 %first_row, 4
  %v18 = add i64 %last_row, 4
  %low4 = call i64 @llvm.smax.i64(i64 %v17, i64 0)
  %high4 = call i64 @llvm.smin.i64(i64 %v18, i64 48)
  %v19 = sub i64 %first_row, 3
  %v20 = add i64 %last_row, 3
  %low5 = call i64 @llvm.smax.i64(i64 %v19, i64 0)
  %high5 = call i64 @llvm.smin.i64(i64 %v20, i64 48)
  %v21 = sub i64 %first_row, 2
  %v22 = add i64 %last_row, 2
  %low6 = call i64 @llvm.smax.i64(i64 %v21, i64 0)
  %high6 = call i64 @llvm.smin.i64(i64 %v22, i64 48)
  %v23 = sub i64 %first_row, 1
  %v24 = add i64 %last_row, 1
  %low7 = call i64 @llvm.smax.i64(i64 %v23, i64 0)
  %high7 = call i64 @llvm.smin.i64(i64 %v24, i64 48)
  %v25 = sub i64 %first_row, 0
  %v26 = add i64 %last_row, 0
  %low8 = call i64 @llvm.smax.i64(i64 %v25, i64 0)
  %high8 = call i64 @llvm.smin.i64(i64 %v26, i64 48)
  %v27 = sub i64 %low0, 10
  %v28 = sub i64 %low1, 10
  %v29 = sub i64 %low2, 6
  %v30 = sub i64 %low3, 5
  %v31 = sub i64 %low4, 4
  %v32 = sub i64 %low5, 3
  %v33 = sub i64 %low6, 2
  %v34 = sub i64 %low7, 1
  %v35 = sub i64 %low8, 0
  %v36 = sub i64 %high0, 10
  %v37 = sub i64 %high1, 10
  %v38 = sub i64 %high2, 6
  %v39 = sub i64 %high3, 5
  %v40 = sub i64 %high4, 4
  %v41 = sub i64 %high5, 3
  %v42 = sub i64 %high6, 2
  %v43 = sub i64 %high7, 1
  %v44 = sub i64 %high8, 0
  %v45 = call i64 @llvm.smin.i64(i64 %v27, i64 %v28)
  %v46 = call i64 @llvm.smin.i64(i64 %v45, i64 %v29)
  %v47 = call i64 @llvm.smin.i64(i64 %v46, i64 %v30)
  %v48 = call i64 @llvm.smin.i64(i64 %v47, i64 %v31)
  %v49 = call i64 @llvm.smin.i64(i64 %v48, i64 %v32)
  %v50 = call i64 @llvm.smin.i64(i64 %v49, i64 %v33)
  %v51 = call i64 @llvm.smin.i64(i64 %v50, i64 %v34)
  %v52 = call i64 @llvm.smin.i64(i64 %v51, i64 %v35)
  %v53 = call i64 @llvm.smax.i64(i64 %v36, i64 %v37)
  %v54 = call i64 @llvm.smax.i64(i64 %v53, i64 %v38)
  %v55 = call i64 @llvm.smax.i64(i64 %v54, i64 %v39)
  %v56 = call i64 @llvm.smax.i64(i64 %v55, i64 %v40)
  %v57 = call i64 @llvm.smax.i64(i64 %v56, i64 %v41)
  %v58 = call i64 @llvm.smax.i64(i64 %v57, i64 %v42)
  %v59 = call i64 @llvm.smax.i64(i64 %v58, i64 %v43)
  %v60 = call i64 @llvm.smax.i64(i64 %v59, i64 %v44)
  %ring1 = getelementptr i8, ptr %scratch, i64 128
  %ring2 = getelementptr i8, ptr %scratch, i64 640
  %ring3 = getelementptr i8, ptr %scratch, i64 4352
  %ring4 = getelementptr i8, ptr %scratch, i64 8704
  %ring5 = getelementptr i8, ptr %scratch, i64 10944
  %ring6 = getelementptr i8, ptr %scratch, i64 11968
  %ring7 = getelementptr i8, ptr %scratch, i64 16320
  %ring8 = getelementptr i8, ptr %scratch, i64 18560
  %v1181 = getelementptr i8, ptr %args, i64 64
  %param.1182 = load float, ptr %v1181, align 8
  %v1183 = insertelement <16 x float> poison, float %param.1182, i64 0
  %v1184 = shufflevector <16 x float> %v1183, <16 x float> poison, <16 x i32> zeroinitializer
  br label %t.61
t.61:
  %t.64 = phi i64 [ %first_frame, %entry ], [ %t.64.next, %t.next.65 ]
  %v66 = icmp slt i64 %t.64, %last_frame
  br i1 %v66, label %t.do.62, label %t.end.63
t.do.62:
  %v1536 = mul i64 %frames, 0
  %v1537 = add i64 %v1536, %t.64
  %v1538 = getelementptr ptr, ptr %images, i64 %v1537
  %input0 = load ptr, ptr %v1538, align 8
  %v1539 = mul i64 %frames, 1
  %v1540 = add i64 %v1539, %t.64
  %v1541 = getelementptr ptr, ptr %images, i64 %v1540
  %output0 = load ptr, ptr %v1541, align 8
  %v67 = icmp eq i64 %t.64, 0
  %v68 = icmp ne i64 %is_first, 0
  %v69 = and i1 %v67, %v68
  br label %step.70
step.70:
  %s.73 = phi i64 [ %v52, %t.do.62 ], [ %s.73.next, %step.next.74 ]
  %v75 = icmp slt i64 %s.73, %v60
  br i1 %v75, label %step.do.71, label %step.end.72
step.do.71:
  ; group 0: plane ring1; 10 rows ahead; 10 more above, 10 below
  %r.76 = add nsw i64 %s.73, 10
  %v77 = icmp sge i64 %r.76, %low0
  %v78 = icmp slt i64 %r.76, %high0
  %v79 = and i1 %v77, %v78
  br i1 %v79, label %group0.80, label %group0.end.81
group0.80:
  %v82 = icmp sge i64 %r.76, %first_row
  %v83 = icmp slt i64 %r.76, %last_row
  %v84 = and i1 %v82, %v83
  %v86 = mul nsw i64 %r.76, 64
  %in.row.87 = getelementptr i8, ptr %input0, i64 %v86
  br label %across.100
across.100:
  %x.85 = phi i64 [ 0, %group0.80 ], [ %x.85.next, %across.100 ]
  %v88 = getelementptr i8, ptr %in.row.87, i64 %x.85
  %v89 = getelementptr i8, ptr %v88, i64 128
  call void @llvm.prefetch.p0(ptr %v89, i32 0, i32 3, i32 1)
  %v90 = load <16 x i8>, ptr %v88, align 1
  %v91 = zext <16 x i8> %v90 to <16 x i32>
  %v92 = sitofp <16 x i32> %v91 to <16 x float>
  %v93 = getelementptr float, ptr %ring1, i64 %x.85
  store <16 x float> %v92, ptr %v93, align 64
  %v94 = add i64 %x.85, 16
  %v95 = getelementptr i8, ptr %in.row.87, i64 %v94
  %v96 = load <16 x i8>, ptr %v95, align 1
  %v97 = zext <16 x i8> %v96 to <16 x i32>
  %v98 = sitofp <16 x i32> %v97 to <16 x float>
  %v99 = getelementptr float, ptr %ring1, i64 %v94
  store <16 x float> %v98, ptr %v99, align 64
  %x.85.next = add nuw nsw i64 %x.85, 32
  %x.85.more = icmp ult i64 %x.85.next, 64
  br i1 %x.85.more, label %across.100, label %across.end.101
across.end.101:
  %v102 = getelementptr float, ptr %ring1, i64 4
  %v103 = load float, ptr %v102
  %v104 = getelementptr float, ptr %ring1, i64 -4
  store float %v103, ptr %v104
  %v105 = getelementptr float, ptr %ring1, i64 3
  %v106 = load float, ptr %v105
  %v107 = getelementptr float, ptr %ring1, i64 -3
  store float %v106, ptr %v107
  %v108 = getelementptr float, ptr %ring1, i64 2
  %v109 = load float, ptr %v108
  %v110 = getelementptr float, ptr %ring1, i64 -2
  store float %v109, ptr %v110
  %v111 = getelementptr float, ptr %ring1, i64 1
  %v112 = load float, ptr %v111
  %v113 = getelementptr float, ptr %ring1, i64 -1
  store float %v112, ptr %v113
  %v114 = getelementptr float, ptr %ring1, i64 62
  %v115 = load float, ptr %v114
  %v116 = getelementptr float, ptr %ring1, i64 64
  store float %v115, ptr %v116
  %v117 = getelementptr float, ptr %ring1, i64 61
  %v118 = load float, ptr %v117
  %v119 = getelementptr float, ptr %ring1, i64 65
  store float %v118, ptr %v119
  %v120 = getelementptr float, ptr %ring1, i64 60
  %v121 = load float, ptr %v120
  %v122 = getelementptr float, ptr %ring1, i64 66
  store float %v121, ptr %v122
  %v123 = getelementptr float, ptr %ring1, i64 59
  %v124 = load float, ptr %v123
  %v125 = getelementptr float, ptr %ring1, i64 67
  store float %v124, ptr %v125
  br label %group0.end.81
group0.end.81:
  ; group 1: plane ring2; 10 rows ahead; 10 more above, 10 below
  %r.126 = add nsw i64 %s.73, 10
  %v127 = icmp sge i64 %r.126, %low1
  %v128 = icmp slt i64 %r.126, %high1
  %v129 = and i1 %v127, %v128
  ; group 2: plane ring3; 6 rows ahead; 6 more above, 6 below
  %r.130 = add nsw i64 %s.73, 6
  %v131 = icmp sge i64 %r.130, %low2
  %v132 = icmp slt i64 %r.130, %high2
  %v133 = and i1 %v131, %v132
  %v134 = icmp sge i64 %r.130, 4
  %v135 = and i1 %v129, %v133
  %v136 = and i1 %v134, %v135
  br i1 %v136, label %together.137, label %apart.138
together.137:
  %v140 = icmp sge i64 %r.126, %first_row
  %v141 = icmp slt i64 %r.126, %last_row
  %v142 = and i1 %v140, %v141
  %v155 = load <16 x i32>, ptr %ring1, align 64
  %v156 = bitcast <16 x i32> %v155 to <16 x float>
  %v157 = shufflevector <16 x float> %v156, <16 x float> poison, <16 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 4, i32 3, i32 2, i32 1>
  %v158 = bitcast <16 x float> %v157 to <16 x i32>
  %v159 = load <16 x i32>, ptr %ring1, align 64
  %v269 = urem i64 %r.126, 8
  %v270 = mul nsw i64 %v269, 112
  %ring2.row.271 = getelementptr float, ptr %ring2, i64 %v270
  %v143 = icmp sge i64 %r.130, %first_row
  %v144 = icmp slt i64 %r.130, %last_row
  %v145 = and i1 %v143, %v144
  %v188 = urem i64 %r.130, 8
  %v189 = mul nsw i64 %v188, 112
  %ring2.row.190 = getelementptr float, ptr %ring2, i64 %v189
  %v194 = add i64 %r.130, 1
  %v195 = call i64 @llvm.abs.i64(i64 %v194, i1 false)
  %v196 = sub i64 94, %v195
  %v197 = call i64 @llvm.smin.i64(i64 %v195, i64 %v196)
  %v198 = urem i64 %v197, 8
  %v199 = mul nsw i64 %v198, 112
  %ring2.row.200 = getelementptr float, ptr %ring2, i64 %v199
  %v203 = add i64 %r.130, -1
  %v204 = call i64 @llvm.abs.i64(i64 %v203, i1 false)
  %v205 = sub i64 94, %v204
  %v206 = call i64 @llvm.smin.i64(i64 %v204, i64 %v205)
  %v207 = urem i64 %v206, 8
  %v208 = mul nsw i64 %v207, 112
  %ring2.row.209 = getelementptr float, ptr %ring2, i64 %v208
  %v214 = add i64 %r.130, 2
  %v215 = call i64 @llvm.abs.i64(i64 %v214, i1 false)
  %v216 = sub i64 94, %v215
  %v217 = call i64 @llvm.smin.i64(i64 %v215, i64 %v216)
  %v218 = urem i64 %v217, 8
  %v219 = mul nsw i64 %v218, 112
  %ring2.row.220 = getelementptr float, ptr %ring2, i64 %v219
  %v223 = add i64 %r.130, -2
  %v224 = call i64 @llvm.abs.i64(i64 %v223, i1 false)
  %v225 = sub i64 94, %v224
  %v226 = call i64 @llvm.smin.i64(i64 %v224, i64 %v225)
  %v227 = urem i64 %v226, 8
  %v228 = mul nsw i64 %v227, 112
  %ring2.row.229 = getelementptr float, ptr %ring2, i64 %v228
  %v235 = add i64 %r.130, 3
  %v236 = call i64 @llvm.abs.i64(i64 %v235, i1 false)
  %v237 = sub i64 94, %v236
  %v238 = call i64 @llvm.smin.i64(i64 %v236, i64 %v237)
  %v239 = urem i64 %v238, 8
  %v240 = mul nsw i64 %v239, 112
  %ring2.row.241 = getelementptr float, ptr %ring2, i64 %v240
  %v244 = add i64 %r.130, -3
  %v245 = call i64 @llvm.abs.i64(i64 %v244, i1 false)
  %v246 = sub i64 94, %v245
  %v247 = call i64 @llvm.smin.i64(i64 %v245, i64 %v246)
  %v248 = urem i64 %v247, 8
  %v249 = mul nsw i64 %v248, 112
  %ring2.row.250 = getelementptr float, ptr %ring2, i64 %v249
  %v255 = add i64 %r.130, -4
  %v256 = call i64 @llvm.abs.i64(i64 %v255, i1 false)
  %v257 = sub i64 94, %v256
  %v258 = call i64 @llvm.smin.i64(i64 %v256, i64 %v257)
  %v259 = urem i64 %v258, 8
  %v260 = mul nsw i64 %v259, 112
  %ring2.row.261 = getelementptr float, ptr %ring2, i64 %v260
  %v273 = urem i64 %r.130, 7
  %v274 = mul nsw i64 %v273, 160
  %ring3.row.275 = getelementptr float, ptr %ring3, i64 %v274
  br label %across.343
across.343:
  %x.146 = phi i64 [ 0, %together.137 ], [ %x.146.next, %across.343 ]
  %before.150 = phi <16 x i32> [ %v158, %together.137 ], [ %v154, %across.343 ]
  %here.151 = phi <16 x i32> [ %v159, %together.137 ], [ %v283, %across.343 ]
  %v147 = getelementptr float, ptr %ring1, i64 %x.146
  %v148 = load <16 x float>, ptr %v147, align 64
  %v149 = fmul <16 x float> %v148, splat (float 0x3FD9884A40000000)
  %v152 = getelementptr float, ptr %ring1, i64 %x.146
  %v153 = getelementptr float, ptr %v152, i64 16
  %v154 = load <16 x i32>, ptr %v153, align 64
  %v160 = shufflevector <16 x i32> %here.151, <16 x i32> %v154, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16>
  %v161 = bitcast <16 x i32> %v160 to <16 x float>
  %v162 = shufflevector <16 x i32> %before.150, <16 x i32> %here.151, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v163 = bitcast <16 x i32> %v162 to <16 x float>
  %v164 = fadd <16 x float> %v163, %v161
  %v165 = fmul <16 x float> %v164, splat (float 0x3FCEF8EBA0000000)
  %v166 = shufflevector <16 x i32> %here.151, <16 x i32> %v154, <16 x i32> <i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17>
  %v167 = bitcast <16 x i32> %v166 to <16 x float>
  %v168 = shufflevector <16 x i32> %before.150, <16 x i32> %here.151, <16 x i32> <i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29>
  %v169 = bitcast <16 x i32> %v168 to <16 x float>
  %v170 = fadd <16 x float> %v169, %v167
  %v171 = fmul <16 x float> %v170, splat (float 0x3FABA4B9A0000000)
  %v172 = fadd <16 x float> %v171, %v165
  %v173 = shufflevector <16 x i32> %here.151, <16 x i32> %v154, <16 x i32> <i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18>
  %v174 = bitcast <16 x i32> %v173 to <16 x float>
  %v175 = shufflevector <16 x i32> %before.150, <16 x i32> %here.151, <16 x i32> <i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28>
  %v176 = bitcast <16 x i32> %v175 to <16 x float>
  %v177 = fadd <16 x float> %v176, %v174
  %v178 = fmul <16 x float> %v177, splat (float 0x3F722724C0000000)
  %v179 = shufflevector <16 x i32> %here.151, <16 x i32> %v154, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19>
  %v180 = bitcast <16 x i32> %v179 to <16 x float>
  %v181 = shufflevector <16 x i32> %before.150, <16 x i32> %here.151, <16 x i32> <i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27>
  %v182 = bitcast <16 x i32> %v181 to <16 x float>
  %v183 = fadd <16 x float> %v182, %v180
  %v184 = fmul <16 x float> %v183, splat (float 0x3F218A9C40000000)
  %v185 = fadd <16 x float> %v184, %v178
  %v186 = fadd <16 x float> %v185, %v172
  %v187 = fadd <16 x float> %v186, %v149
  %v191 = getelementptr float, ptr %ring2.row.190, i64 %x.146
  %v192 = load <16 x float>, ptr %v191, align 64
  %v193 = fmul <16 x float> %v192, splat (float 0x3FD9884A40000000)
  %v201 = getelementptr float, ptr %ring2.row.200, i64 %x.146
  %v202 = load <16 x float>, ptr %v201, align 64
  %v210 = getelementptr float, ptr %ring2.row.209, i64 %x.146
  %v211 = load <16 x float>, ptr %v210, align 64
  %v212 = fadd <16 x float> %v211, %v202
  %v213 = fmul <16 x float> %v212, splat (float 0x3FCEF8EBA0000000)
  %v221 = getelementptr float, ptr %ring2.row.220, i64 %x.146
  %v222 = load <16 x float>, ptr %v221, align 64
  %v230 = getelementptr float, ptr %ring2.row.229, i64 %x.146
  %v231 = load <16 x float>, ptr %v230, align 64
  %v232 = fadd <16 x float> %v231, %v222
  %v233 = fmul <16 x float> %v232, splat (float 0x3FABA4B9A0000000)
  %v234 = fadd <16 x float> %v233, %v213
  %v242 = getelementptr float, ptr %ring2.row.241, i64 %x.146
  %v243 = load <16 x float>, ptr %v242, align 64
  %v251 = getelementptr float, ptr %ring2.row.250, i64 %x.146
  %v252 = load <16 x float>, ptr %v251, align 64
  %v253 = fadd <16 x float> %v252, %v243
  %v254 = fmul <16 x float> %v253, splat (float 0x3F722724C0000000)
  %v262 = getelementptr float, ptr %ring2.row.261, i64 %x.146
  %v263 = load <16 x float>, ptr %v262, align 64
  %v264 = fadd <16 x float> %v263, %v187
  %v265 = fmul <16 x float> %v264, splat (float 0x3F218A9C40000000)
  %v266 = fadd <16 x float> %v265, %v254
  %v267 = fadd <16 x float> %v266, %v234
  %v268 = fadd <16 x float> %v267, %v193
  %v272 = getelementptr float, ptr %ring2.row.271, i64 %x.146
  store <16 x float> %v187, ptr %v272, align 64
  %v276 = getelementptr float, ptr %ring3.row.275, i64 %x.146
  store <16 x float> %v268, ptr %v276, align 64
  %v277 = add i64 %x.146, 16
  %v278 = getelementptr float, ptr %ring1, i64 %v277
  %v279 = load <16 x float>, ptr %v278, align 64
  %v280 = fmul <16 x float> %v279, splat (float 0x3FD9884A40000000)
  %v281 = getelementptr float, ptr %ring1, i64 %v277
  %v282 = getelementptr float, ptr %v281, i64 16
  %v283 = load <16 x i32>, ptr %v282, align 64
  %v284 = shufflevector <16 x i32> %v154, <16 x i32> %v283, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16>
  %v285 = bitcast <16 x i32> %v284 to <16 x float>
  %v286 = shufflevector <16 x i32> %here.151, <16 x i32> %v154, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v287 = bitcast <16 x i32> %v286 to <16 x float>
  %v288 = fadd <16 x float> %v287, %v285
  %v289 = fmul <16 x float> %v288, splat (float 0x3FCEF8EBA0000000)
  %v290 = shufflevector <16 x i32> %v154, <16 x i32> %v283, <16 x i32> <i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17>
  %v291 = bitcast <16 x i32> %v290 to <16 x float>
  %v292 = shufflevector <16 x i32> %here.151, <16 x i32> %v154, <16 x i32> <i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29>
  %v293 = bitcast <16 x i32> %v292 to <16 x float>
  %v294 = fadd <16 x float> %v293, %v291
  %v295 = fmul <16 x float> %v294, splat (float 0x3FABA4B9A0000000)
  %v296 = fadd <16 x float> %v295, %v289
  %v297 = shufflevector <16 x i32> %v154, <16 x i32> %v283, <16 x i32> <i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18>
  %v298 = bitcast <16 x i32> %v297 to <16 x float>
  %v299 = shufflevector <16 x i32> %here.151, <16 x i32> %v154, <16 x i32> <i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28>
  %v300 = bitcast <16 x i32> %v299 to <16 x float>
  %v301 = fadd <16 x float> %v300, %v298
  %v302 = fmul <16 x float> %v301, splat (float 0x3F722724C0000000)
  %v303 = shufflevector <16 x i32> %v154, <16 x i32> %v283, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19>
  %v304 = bitcast <16 x i32> %v303 to <16 x float>
  %v305 = shufflevector <16 x i32> %here.151, <16 x i32> %v154, <16 x i32> <i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27>
  %v306 = bitcast <16 x i32> %v305 to <16 x float>
  %v307 = fadd <16 x float> %v306, %v304
  %v308 = fmul <16 x float> %v307, splat (float 0x3F218A9C40000000)
  %v309 = fadd <16 x float> %v308, %v302
  %v310 = fadd <16 x float> %v309, %v296
  %v311 = fadd <16 x float> %v310, %v280
  %v312 = getelementptr float, ptr %ring2.row.190, i64 %v277
  %v313 = load <16 x float>, ptr %v312, align 64
  %v314 = fmul <16 x float> %v313, splat (float 0x3FD9884A40000000)
  %v315 = getelementptr float, ptr %ring2.row.200, i64 %v277
  %v316 = load <16 x float>, ptr %v315, align 64
  %v317 = getelementptr float, ptr %ring2.row.209, i64 %v277
  %v318 = load <16 x float>, ptr %v317, align 64
  %v319 = fadd <16 x float> %v318, %v316
  %v320 = fmul <16 x float> %v319, splat (float 0x3FCEF8EBA0000000)
  %v321 = getelementptr float, ptr %ring2.row.220, i64 %v277
  %v322 = load <16 x float>, ptr %v321, align 64
  %v323 = getelementptr float, ptr %ring2.row.229, i64 %v277
  %v324 = load <16 x float>, ptr %v323, align 64
  %v325 = fadd <16 x float> %v324, %v322
  %v326 = fmul <16 x float> %v325, splat (float 0x3FABA4B9A0000000)
  %v327 = fadd <16 x float> %v326, %v320
  %v328 = getelementptr float, ptr %ring2.row.241, i64 %v277
  %v329 = load <16 x float>, ptr %v328, align 64
  %v330 = getelementptr float, ptr %ring2.row.250, i64 %v277
  %v331 = load <16 x float>, ptr %v330, align 64
  %v332 = fadd <16 x float> %v331, %v329
  %v333 = fmul <16 x float> %v332, splat (float 0x3F722724C0000000)
  %v334 = getelementptr float, ptr %ring2.row.261, i64 %v277
  %v335 = load <16 x float>, ptr %v334, align 64
  %v336 = fadd <16 x float> %v335, %v311
  %v337 = fmul <16 x float> %v336, splat (float 0x3F218A9C40000000)
  %v338 = fadd <16 x float> %v337, %v333
  %v339 = fadd <16 x float> %v338, %v327
  %v340 = fadd <16 x float> %v339, %v314
  %v341 = getelementptr float, ptr %ring2.row.271, i64 %v277
  store <16 x float> %v311, ptr %v341, align 64
  %v342 = getelementptr float, ptr %ring3.row.275, i64 %v277
  store <16 x float> %v340, ptr %v342, align 64
  %x.146.next = add nuw nsw i64 %x.146, 32
  %x.146.more = icmp ult i64 %x.146.next, 64
  br i1 %x.146.more, label %across.343, label %across.end.344
across.end.344:
  %v345 = getelementptr float, ptr %ring3.row.275, i64 0
  %v346 = load float, ptr %v345
  %v347 = getelementptr float, ptr %ring3.row.275, i64 -3
  store float %v346, ptr %v347
  %v348 = getelementptr float, ptr %ring3.row.275, i64 0
  %v349 = load float, ptr %v348
  %v350 = getelementptr float, ptr %ring3.row.275, i64 -2
  store float %v349, ptr %v350
  %v351 = getelementptr float, ptr %ring3.row.275, i64 0
  %v352 = load float, ptr %v351
  %v353 = getelementptr float, ptr %ring3.row.275, i64 -1
  store float %v352, ptr %v353
  %v354 = getelementptr float, ptr %ring3.row.275, i64 63
  %v355 = load float, ptr %v354
  %v356 = getelementptr float, ptr %ring3.row.275, i64 64
  store float %v355, ptr %v356
  %v357 = getelementptr float, ptr %ring3.row.275, i64 63
  %v358 = load float, ptr %v357
  %v359 = getelementptr float, ptr %ring3.row.275, i64 65
  store float %v358, ptr %v359
  %v360 = getelementptr float, ptr %ring3.row.275, i64 63
  %v361 = load float, ptr %v360
  %v362 = getelementptr float, ptr %ring3.row.275, i64 66
  store float %v361, ptr %v362
  br label %joined.139
apart.138:
  ; group 1: plane ring2; 10 rows ahead; 10 more above, 10 below
  %r.363 = add nsw i64 %s.73, 10
  %v364 = icmp sge i64 %r.363, %low1
  %v365 = icmp slt i64 %r.363, %high1
  %v366 = and i1 %v364, %v365
  br i1 %v366, label %group1.367, label %group1.end.368
group1.367:
  %v369 = icmp sge i64 %r.363, %first_row
  %v370 = icmp slt i64 %r.363, %last_row
  %v371 = and i1 %v369, %v370
  %v381 = load <16 x i32>, ptr %ring1, align 64
  %v382 = bitcast <16 x i32> %v381 to <16 x float>
  %v383 = shufflevector <16 x float> %v382, <16 x float> poison, <16 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 4, i32 3, i32 2, i32 1>
  %v384 = bitcast <16 x float> %v383 to <16 x i32>
  %v385 = load <16 x i32>, ptr %ring1, align 64
  %v414 = urem i64 %r.363, 8
  %v415 = mul nsw i64 %v414, 112
  %ring2.row.416 = getelementptr float, ptr %ring2, i64 %v415
  br label %across.418
across.418:
  %x.372 = phi i64 [ 0, %group1.367 ], [ %x.372.next, %across.418 ]
  %before.376 = phi <16 x i32> [ %v384, %group1.367 ], [ %here.377, %across.418 ]
  %here.377 = phi <16 x i32> [ %v385, %group1.367 ], [ %v380, %across.418 ]
  %v373 = getelementptr float, ptr %ring1, i64 %x.372
  %v374 = load <16 x float>, ptr %v373, align 64
  %v375 = fmul <16 x float> %v374, splat (float 0x3FD9884A40000000)
  %v378 = getelementptr float, ptr %ring1, i64 %x.372
  %v379 = getelementptr float, ptr %v378, i64 16
  %v380 = load <16 x i32>, ptr %v379, align 64
  %v386 = shufflevector <16 x i32> %here.377, <16 x i32> %v380, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16>
  %v387 = bitcast <16 x i32> %v386 to <16 x float>
  %v388 = shufflevector <16 x i32> %before.376, <16 x i32> %here.377, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v389 = bitcast <16 x i32> %v388 to <16 x float>
  %v390 = fadd <16 x float> %v389, %v387
  %v391 = fmul <16 x float> %v390, splat (float 0x3FCEF8EBA0000000)
  %v392 = shufflevector <16 x i32> %here.377, <16 x i32> %v380, <16 x i32> <i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17>
  %v393 = bitcast <16 x i32> %v392 to <16 x float>
  %v394 = shufflevector <16 x i32> %before.376, <16 x i32> %here.377, <16 x i32> <i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29>
  %v395 = bitcast <16 x i32> %v394 to <16 x float>
  %v396 = fadd <16 x float> %v395, %v393
  %v397 = fmul <16 x float> %v396, splat (float 0x3FABA4B9A0000000)
  %v398 = fadd <16 x float> %v397, %v391
  %v399 = shufflevector <16 x i32> %here.377, <16 x i32> %v380, <16 x i32> <i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18>
  %v400 = bitcast <16 x i32> %v399 to <16 x float>
  %v401 = shufflevector <16 x i32> %before.376, <16 x i32> %here.377, <16 x i32> <i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28>
  %v402 = bitcast <16 x i32> %v401 to <16 x float>
  %v403 = fadd <16 x float> %v402, %v400
  %v404 = fmul <16 x float> %v403, splat (float 0x3F722724C0000000)
  %v405 = shufflevector <16 x i32> %here.377, <16 x i32> %v380, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19>
  %v406 = bitcast <16 x i32> %v405 to <16 x float>
  %v407 = shufflevector <16 x i32> %before.376, <16 x i32> %here.377, <16 x i32> <i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27>
  %v408 = bitcast <16 x i32> %v407 to <16 x float>
  %v409 = fadd <16 x float> %v408, %v406
  %v410 = fmul <16 x float> %v409, splat (float 0x3F218A9C40000000)
  %v411 = fadd <16 x float> %v410, %v404
  %v412 = fadd <16 x float> %v411, %v398
  %v413 = fadd <16 x float> %v412, %v375
  %v417 = getelementptr float, ptr %ring2.row.416, i64 %x.372
  store <16 x float> %v413, ptr %v417, align 64
  %x.372.next = add nuw nsw i64 %x.372, 16
  %x.372.more = icmp ult i64 %x.372.next, 64
  br i1 %x.372.more, label %across.418, label %across.end.419
across.end.419:
  br label %group1.end.368
group1.end.368:
  ; group 2: plane ring3; 6 rows ahead; 6 more above, 6 below
  %r.420 = add nsw i64 %s.73, 6
  %v421 = icmp sge i64 %r.420, %low2
  %v422 = icmp slt i64 %r.420, %high2
  %v423 = and i1 %v421, %v422
  br i1 %v423, label %group2.424, label %group2.end.425
group2.424:
  %v426 = icmp sge i64 %r.420, %first_row
  %v427 = icmp slt i64 %r.420, %last_row
  %v428 = and i1 %v426, %v427
  %v430 = urem i64 %r.420, 8
  %v431 = mul nsw i64 %v430, 112
  %ring2.row.432 = getelementptr float, ptr %ring2, i64 %v431
  %v436 = add i64 %r.420, 1
  %v437 = call i64 @llvm.abs.i64(i64 %v436, i1 false)
  %v438 = sub i64 94, %v437
  %v439 = call i64 @llvm.smin.i64(i64 %v437, i64 %v438)
  %v440 = urem i64 %v439, 8
  %v441 = mul nsw i64 %v440, 112
  %ring2.row.442 = getelementptr float, ptr %ring2, i64 %v441
  %v445 = add i64 %r.420, -1
  %v446 = call i64 @llvm.abs.i64(i64 %v445, i1 false)
  %v447 = sub i64 94, %v446
  %v448 = call i64 @llvm.smin.i64(i64 %v446, i64 %v447)
  %v449 = urem i64 %v448, 8
  %v450 = mul nsw i64 %v449, 112
  %ring2.row.451 = getelementptr float, ptr %ring2, i64 %v450
  %v456 = add i64 %r.420, 2
  %v457 = call i64 @llvm.abs.i64(i64 %v456, i1 false)
  %v458 = sub i64 94, %v457
  %v459 = call i64 @llvm.smin.i64(i64 %v457, i64 %v458)
  %v460 = urem i64 %v459, 8
  %v461 = mul nsw i64 %v460, 112
  %ring2.row.462 = getelementptr float, ptr %ring2, i64 %v461
  %v465 = add i64 %r.420, -2
  %v466 = call i64 @llvm.abs.i64(i64 %v465, i1 false)
  %v467 = sub i64 94, %v466
  %v468 = call i64 @llvm.smin.i64(i64 %v466, i64 %v467)
  %v469 = urem i64 %v468, 8
  %v470 = mul nsw i64 %v469, 112
  %ring2.row.471 = getelementptr float, ptr %ring2, i64 %v470
  %v477 = add i64 %r.420, 3
  %v478 = call i64 @llvm.abs.i64(i64 %v477, i1 false)
  %v479 = sub i64 94, %v478
  %v480 = call i64 @llvm.smin.i64(i64 %v478, i64 %v479)
  %v481 = urem i64 %v480, 8
  %v482 = mul nsw i64 %v481, 112
  %ring2.row.483 = getelementptr float, ptr %ring2, i64 %v482
  %v486 = add i64 %r.420, -3
  %v487 = call i64 @llvm.abs.i64(i64 %v486, i1 false)
  %v488 = sub i64 94, %v487
  %v489 = call i64 @llvm.smin.i64(i64 %v487, i64 %v488)
  %v490 = urem i64 %v489, 8
  %v491 = mul nsw i64 %v490, 112
  %ring2.row.492 = getelementptr float, ptr %ring2, i64 %v491
  %v497 = add i64 %r.420, 4
  %v498 = call i64 @llvm.abs.i64(i64 %v497, i1 false)
  %v499 = sub i64 94, %v498
  %v500 = call i64 @llvm.smin.i64(i64 %v498, i64 %v499)
  %v501 = urem i64 %v500, 8
  %v502 = mul nsw i64 %v501, 112
  %ring2.row.503 = getelementptr float, ptr %ring2, i64 %v502
  %v506 = add i64 %r.420, -4
  %v507 = call i64 @llvm.abs.i64(i64 %v506, i1 false)
  %v508 = sub i64 94, %v507
  %v509 = call i64 @llvm.smin.i64(i64 %v507, i64 %v508)
  %v510 = urem i64 %v509, 8
  %v511 = mul nsw i64 %v510, 112
  %ring2.row.512 = getelementptr float, ptr %ring2, i64 %v511
  %v520 = urem i64 %r.420, 7
  %v521 = mul nsw i64 %v520, 160
  %ring3.row.522 = getelementptr float, ptr %ring3, i64 %v521
  br label %across.524
across.524:
  %x.429 = phi i64 [ 0, %group2.424 ], [ %x.429.next, %across.524 ]
  %v433 = getelementptr float, ptr %ring2.row.432, i64 %x.429
  %v434 = load <16 x float>, ptr %v433, align 64
  %v435 = fmul <16 x float> %v434, splat (float 0x3FD9884A40000000)
  %v443 = getelementptr float, ptr %ring2.row.442, i64 %x.429
  %v444 = load <16 x float>, ptr %v443, align 64
  %v452 = getelementptr float, ptr %ring2.row.451, i64 %x.429
  %v453 = load <16 x float>, ptr %v452, align 64
  %v454 = fadd <16 x float> %v453, %v444
  %v455 = fmul <16 x float> %v454, splat (float 0x3FCEF8EBA0000000)
  %v463 = getelementptr float, ptr %ring2.row.462, i64 %x.429
  %v464 = load <16 x float>, ptr %v463, align 64
  %v472 = getelementptr float, ptr %ring2.row.471, i64 %x.429
  %v473 = load <16 x float>, ptr %v472, align 64
  %v474 = fadd <16 x float> %v473, %v464
  %v475 = fmul <16 x float> %v474, splat (float 0x3FABA4B9A0000000)
  %v476 = fadd <16 x float> %v475, %v455
  %v484 = getelementptr float, ptr %ring2.row.483, i64 %x.429
  %v485 = load <16 x float>, ptr %v484, align 64
  %v493 = getelementptr float, ptr %ring2.row.492, i64 %x.429
  %v494 = load <16 x float>, ptr %v493, align 64
  %v495 = fadd <16 x float> %v494, %v485
  %v496 = fmul <16 x float> %v495, splat (float 0x3F722724C0000000)
  %v504 = getelementptr float, ptr %ring2.row.503, i64 %x.429
  %v505 = load <16 x float>, ptr %v504, align 64
  %v513 = getelementptr float, ptr %ring2.row.512, i64 %x.429
  %v514 = load <16 x float>, ptr %v513, align 64
  %v515 = fadd <16 x float> %v514, %v505
  %v516 = fmul <16 x float> %v515, splat (float 0x3F218A9C40000000)
  %v517 = fadd <16 x float> %v516, %v496
  %v518 = fadd <16 x float> %v517, %v476
  %v519 = fadd <16 x float> %v518, %v435
  %v523 = getelementptr float, ptr %ring3.row.522, i64 %x.429
  store <16 x float> %v519, ptr %v523, align 64
  %x.429.next = add nuw nsw i64 %x.429, 16
  %x.429.more = icmp ult i64 %x.429.next, 64
  br i1 %x.429.more, label %across.524, label %across.end.525
across.end.525:
  %v526 = getelementptr float, ptr %ring3.row.522, i64 0
  %v527 = load float, ptr %v526
  %v528 = getelementptr float, ptr %ring3.row.522, i64 -3
  store float %v527, ptr %v528
  %v529 = getelementptr float, ptr %ring3.row.522, i64 0
  %v530 = load float, ptr %v529
  %v531 = getelementptr float, ptr %ring3.row.522, i64 -2
  store float %v530, ptr %v531
  %v532 = getelementptr float, ptr %ring3.row.522, i64 0
  %v533 = load float, ptr %v532
  %v534 = getelementptr float, ptr %ring3.row.522, i64 -1
  store float %v533, ptr %v534
  %v535 = getelementptr float, ptr %ring3.row.522, i64 63
  %v536 = load float, ptr %v535
  %v537 = getelementptr float, ptr %ring3.row.522, i64 64
  store float %v536, ptr %v537
  %v538 = getelementptr float, ptr %ring3.row.522, i64 63
  %v539 = load float, ptr %v538
  %v540 = getelementptr float, ptr %ring3.row.522, i64 65
  store float %v539, ptr %v540
  %v541 = getelementptr float, ptr %ring3.row.522, i64 63
  %v542 = load float, ptr %v541
  %v543 = getelementptr float, ptr %ring3.row.522, i64 66
  store float %v542, ptr %v543
  br label %group2.end.425
group2.end.425:
  br label %joined.139
joined.139:
  ; group 3: plane ring4; 5 rows ahead; 5 more above, 5 below
  %r.544 = add nsw i64 %s.73, 5
  %v545 = icmp sge i64 %r.544, %low3
  %v546 = icmp slt i64 %r.544, %high3
  %v547 = and i1 %v545, %v546
  br i1 %v547, label %group3.548, label %group3.end.549
group3.548:
  %v550 = icmp sge i64 %r.544, %first_row
  %v551 = icmp slt i64 %r.544, %last_row
  %v552 = and i1 %v550, %v551
  %v554 = urem i64 %r.544, 7
  %v555 = mul nsw i64 %v554, 160
  %ring3.row.556 = getelementptr float, ptr %ring3, i64 %v555
  %v562 = load <16 x i32>, ptr %ring3.row.556, align 64
  %v563 = bitcast <16 x i32> %v562 to <16 x float>
  %v564 = shufflevector <16 x float> %v563, <16 x float> poison, <16 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %v565 = bitcast <16 x float> %v564 to <16 x i32>
  %v566 = load <16 x i32>, ptr %ring3.row.556, align 64
  %v584 = urem i64 %r.544, 5
  %v585 = mul nsw i64 %v584, 112
  %ring4.row.586 = getelementptr float, ptr %ring4, i64 %v585
  br label %across.610
across.610:
  %x.553 = phi i64 [ 0, %group3.548 ], [ %x.553.next, %across.610 ]
  %before.557 = phi <16 x i32> [ %v565, %group3.548 ], [ %v561, %across.610 ]
  %here.558 = phi <16 x i32> [ %v566, %group3.548 ], [ %v591, %across.610 ]
  %v559 = getelementptr float, ptr %ring3.row.556, i64 %x.553
  %v560 = getelementptr float, ptr %v559, i64 16
  %v561 = load <16 x i32>, ptr %v560, align 64
  %v567 = shufflevector <16 x i32> %here.558, <16 x i32> %v561, <16 x i32> <i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17>
  %v568 = bitcast <16 x i32> %v567 to <16 x float>
  %v569 = shufflevector <16 x i32> %here.558, <16 x i32> %v561, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16>
  %v570 = bitcast <16 x i32> %v569 to <16 x float>
  %v571 = bitcast <16 x i32> %here.558 to <16 x float>
  %v572 = shufflevector <16 x i32> %before.557, <16 x i32> %here.558, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v573 = bitcast <16 x i32> %v572 to <16 x float>
  %v574 = shufflevector <16 x i32> %before.557, <16 x i32> %here.558, <16 x i32> <i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29>
  %v575 = bitcast <16 x i32> %v574 to <16 x float>
  %v576 = fcmp ogt <16 x float> %v575, %v573
  %v577 = select <16 x i1> %v576, <16 x float> %v575, <16 x float> %v573
  %v578 = fcmp ogt <16 x float> %v577, %v571
  %v579 = select <16 x i1> %v578, <16 x float> %v577, <16 x float> %v571
  %v580 = fcmp ogt <16 x float> %v579, %v570
  %v581 = select <16 x i1> %v580, <16 x float> %v579, <16 x float> %v570
  %v582 = fcmp ogt <16 x float> %v581, %v568
  %v583 = select <16 x i1> %v582, <16 x float> %v581, <16 x float> %v568
  %v587 = getelementptr float, ptr %ring4.row.586, i64 %x.553
  store <16 x float> %v583, ptr %v587, align 64
  %v588 = add i64 %x.553, 16
  %v589 = getelementptr float, ptr %ring3.row.556, i64 %v588
  %v590 = getelementptr float, ptr %v589, i64 16
  %v591 = load <16 x i32>, ptr %v590, align 64
  %v592 = shufflevector <16 x i32> %v561, <16 x i32> %v591, <16 x i32> <i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17>
  %v593 = bitcast <16 x i32> %v592 to <16 x float>
  %v594 = shufflevector <16 x i32> %v561, <16 x i32> %v591, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16>
  %v595 = bitcast <16 x i32> %v594 to <16 x float>
  %v596 = bitcast <16 x i32> %v561 to <16 x float>
  %v597 = shufflevector <16 x i32> %here.558, <16 x i32> %v561, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v598 = bitcast <16 x i32> %v597 to <16 x float>
  %v599 = shufflevector <16 x i32> %here.558, <16 x i32> %v561, <16 x i32> <i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29>
  %v600 = bitcast <16 x i32> %v599 to <16 x float>
  %v601 = fcmp ogt <16 x float> %v600, %v598
  %v602 = select <16 x i1> %v601, <16 x float> %v600, <16 x float> %v598
  %v603 = fcmp ogt <16 x float> %v602, %v596
  %v604 = select <16 x i1> %v603, <16 x float> %v602, <16 x float> %v596
  %v605 = fcmp ogt <16 x float> %v604, %v595
  %v606 = select <16 x i1> %v605, <16 x float> %v604, <16 x float> %v595
  %v607 = fcmp ogt <16 x float> %v606, %v593
  %v608 = select <16 x i1> %v607, <16 x float> %v606, <16 x float> %v593
  %v609 = getelementptr float, ptr %ring4.row.586, i64 %v588
  store <16 x float> %v608, ptr %v609, align 64
  %x.553.next = add nuw nsw i64 %x.553, 32
  %x.553.more = icmp ult i64 %x.553.next, 64
  br i1 %x.553.more, label %across.610, label %across.end.611
across.end.611:
  br label %group3.end.549
group3.end.549:
  ; group 4: plane ring5; 4 rows ahead; 4 more above, 4 below
  %r.612 = add nsw i64 %s.73, 4
  %v613 = icmp sge i64 %r.612, %low4
  %v614 = icmp slt i64 %r.612, %high4
  %v615 = and i1 %v613, %v614
  ; group 5: plane ring6; 3 rows ahead; 3 more above, 3 below
  %r.616 = add nsw i64 %s.73, 3
  %v617 = icmp sge i64 %r.616, %low5
  %v618 = icmp slt i64 %r.616, %high5
  %v619 = and i1 %v617, %v618
  %v620 = icmp sge i64 %r.616, 1
  %v621 = and i1 %v615, %v619
  %v622 = and i1 %v620, %v621
  br i1 %v622, label %together.623, label %apart.624
together.623:
  %v626 = icmp sge i64 %r.612, %first_row
  %v627 = icmp slt i64 %r.612, %last_row
  %v628 = and i1 %v626, %v627
  %v633 = urem i64 %r.612, 7
  %v634 = mul nsw i64 %v633, 160
  %ring3.row.635 = getelementptr float, ptr %ring3, i64 %v634
  %v641 = load <16 x i32>, ptr %ring3.row.635, align 64
  %v642 = bitcast <16 x i32> %v641 to <16 x float>
  %v643 = shufflevector <16 x float> %v642, <16 x float> poison, <16 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %v644 = bitcast <16 x float> %v643 to <16 x i32>
  %v645 = load <16 x i32>, ptr %ring3.row.635, align 64
  %v802 = urem i64 %r.612, 2
  %v803 = mul nsw i64 %v802, 112
  %ring5.row.804 = getelementptr float, ptr %ring5, i64 %v803
  %v629 = icmp sge i64 %r.616, %first_row
  %v630 = icmp slt i64 %r.616, %last_row
  %v631 = and i1 %v629, %v630
  %v671 = urem i64 %r.616, 2
  %v672 = mul nsw i64 %v671, 112
  %ring5.row.673 = getelementptr float, ptr %ring5, i64 %v672
  %v676 = add i64 %r.616, -1
  %v677 = call i64 @llvm.smax.i64(i64 %v676, i64 0)
  %v678 = call i64 @llvm.smin.i64(i64 %v677, i64 47)
  %v679 = urem i64 %v678, 2
  %v680 = mul nsw i64 %v679, 112
  %ring5.row.681 = getelementptr float, ptr %ring5, i64 %v680
  %v688 = add i64 %r.616, 2
  %v689 = call i64 @llvm.smax.i64(i64 %v688, i64 0)
  %v690 = call i64 @llvm.smin.i64(i64 %v689, i64 47)
  %v691 = urem i64 %v690, 5
  %v692 = mul nsw i64 %v691, 112
  %ring4.row.693 = getelementptr float, ptr %ring4, i64 %v692
  %v696 = add i64 %r.616, 1
  %v697 = call i64 @llvm.smax.i64(i64 %v696, i64 0)
  %v698 = call i64 @llvm.smin.i64(i64 %v697, i64 47)
  %v699 = urem i64 %v698, 5
  %v700 = mul nsw i64 %v699, 112
  %ring4.row.701 = getelementptr float, ptr %ring4, i64 %v700
  %v704 = urem i64 %r.616, 5
  %v705 = mul nsw i64 %v704, 112
  %ring4.row.706 = getelementptr float, ptr %ring4, i64 %v705
  %v709 = add i64 %r.616, -1
  %v710 = call i64 @llvm.smax.i64(i64 %v709, i64 0)
  %v711 = call i64 @llvm.smin.i64(i64 %v710, i64 47)
  %v712 = urem i64 %v711, 5
  %v713 = mul nsw i64 %v712, 112
  %ring4.row.714 = getelementptr float, ptr %ring4, i64 %v713
  %v717 = add i64 %r.616, -2
  %v718 = call i64 @llvm.smax.i64(i64 %v717, i64 0)
  %v719 = call i64 @llvm.smin.i64(i64 %v718, i64 47)
  %v720 = urem i64 %v719, 5
  %v721 = mul nsw i64 %v720, 112
  %ring4.row.722 = getelementptr float, ptr %ring4, i64 %v721
  %v733 = add i64 %r.616, 3
  %v734 = call i64 @llvm.smax.i64(i64 %v733, i64 0)
  %v735 = call i64 @llvm.smin.i64(i64 %v734, i64 47)
  %v736 = urem i64 %v735, 7
  %v737 = mul nsw i64 %v736, 160
  %ring3.row.738 = getelementptr float, ptr %ring3, i64 %v737
  %v741 = add i64 %r.616, 2
  %v742 = call i64 @llvm.smax.i64(i64 %v741, i64 0)
  %v743 = call i64 @llvm.smin.i64(i64 %v742, i64 47)
  %v744 = urem i64 %v743, 7
  %v745 = mul nsw i64 %v744, 160
  %ring3.row.746 = getelementptr float, ptr %ring3, i64 %v745
  %v749 = add i64 %r.616, 1
  %v750 = call i64 @llvm.smax.i64(i64 %v749, i64 0)
  %v751 = call i64 @llvm.smin.i64(i64 %v750, i64 47)
  %v752 = urem i64 %v751, 7
  %v753 = mul nsw i64 %v752, 160
  %ring3.row.754 = getelementptr float, ptr %ring3, i64 %v753
  %v757 = urem i64 %r.616, 7
  %v758 = mul nsw i64 %v757, 160
  %ring3.row.759 = getelementptr float, ptr %ring3, i64 %v758
  %v762 = add i64 %r.616, -1
  %v763 = call i64 @llvm.smax.i64(i64 %v762, i64 0)
  %v764 = call i64 @llvm.smin.i64(i64 %v763, i64 47)
  %v765 = urem i64 %v764, 7
  %v766 = mul nsw i64 %v765, 160
  %ring3.row.767 = getelementptr float, ptr %ring3, i64 %v766
  %v770 = add i64 %r.616, -2
  %v771 = call i64 @llvm.smax.i64(i64 %v770, i64 0)
  %v772 = call i64 @llvm.smin.i64(i64 %v771, i64 47)
  %v773 = urem i64 %v772, 7
  %v774 = mul nsw i64 %v773, 160
  %ring3.row.775 = getelementptr float, ptr %ring3, i64 %v774
  %v778 = add i64 %r.616, -3
  %v779 = call i64 @llvm.smax.i64(i64 %v778, i64 0)
  %v780 = call i64 @llvm.smin.i64(i64 %v779, i64 47)
  %v781 = urem i64 %v780, 7
  %v782 = mul nsw i64 %v781, 160
  %ring3.row.783 = getelementptr float, ptr %ring3, i64 %v782
  %v806 = urem i64 %r.616, 7
  %v807 = mul nsw i64 %v806, 160
  %ring6.row.808 = getelementptr float, ptr %ring6, i64 %v807
  br label %across.810
across.810:
  %x.632 = phi i64 [ 0, %together.623 ], [ %x.632.next, %across.810 ]
  %before.636 = phi <16 x i32> [ %v644, %together.623 ], [ %here.637, %across.810 ]
  %here.637 = phi <16 x i32> [ %v645, %together.623 ], [ %v640, %across.810 ]
  %v638 = getelementptr float, ptr %ring3.row.635, i64 %x.632
  %v639 = getelementptr float, ptr %v638, i64 16
  %v640 = load <16 x i32>, ptr %v639, align 64
  %v646 = shufflevector <16 x i32> %here.637, <16 x i32> %v640, <16 x i32> <i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18>
  %v647 = bitcast <16 x i32> %v646 to <16 x float>
  %v648 = shufflevector <16 x i32> %here.637, <16 x i32> %v640, <16 x i32> <i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17>
  %v649 = bitcast <16 x i32> %v648 to <16 x float>
  %v650 = shufflevector <16 x i32> %here.637, <16 x i32> %v640, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16>
  %v651 = bitcast <16 x i32> %v650 to <16 x float>
  %v652 = bitcast <16 x i32> %here.637 to <16 x float>
  %v653 = shufflevector <16 x i32> %before.636, <16 x i32> %here.637, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v654 = bitcast <16 x i32> %v653 to <16 x float>
  %v655 = shufflevector <16 x i32> %before.636, <16 x i32> %here.637, <16 x i32> <i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29>
  %v656 = bitcast <16 x i32> %v655 to <16 x float>
  %v657 = shufflevector <16 x i32> %before.636, <16 x i32> %here.637, <16 x i32> <i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28>
  %v658 = bitcast <16 x i32> %v657 to <16 x float>
  %v659 = fcmp ogt <16 x float> %v658, %v656
  %v660 = select <16 x i1> %v659, <16 x float> %v658, <16 x float> %v656
  %v661 = fcmp ogt <16 x float> %v660, %v654
  %v662 = select <16 x i1> %v661, <16 x float> %v660, <16 x float> %v654
  %v663 = fcmp ogt <16 x float> %v662, %v652
  %v664 = select <16 x i1> %v663, <16 x float> %v662, <16 x float> %v652
  %v665 = fcmp ogt <16 x float> %v664, %v651
  %v666 = select <16 x i1> %v665, <16 x float> %v664, <16 x float> %v651
  %v667 = fcmp ogt <16 x float> %v666, %v649
  %v668 = select <16 x i1> %v667, <16 x float> %v666, <16 x float> %v649
  %v669 = fcmp ogt <16 x float> %v668, %v647
  %v670 = select <16 x i1> %v669, <16 x float> %v668, <16 x float> %v647
  %v674 = getelementptr float, ptr %ring5.row.673, i64 %x.632
  %v675 = load <16 x float>, ptr %v674, align 64
  %v682 = getelementptr float, ptr %ring5.row.681, i64 %x.632
  %v683 = load <16 x float>, ptr %v682, align 64
  %v684 = fcmp ogt <16 x float> %v683, %v675
  %v685 = select <16 x i1> %v684, <16 x float> %v683, <16 x float> %v675
  %v686 = fcmp ogt <16 x float> %v685, %v670
  %v687 = select <16 x i1> %v686, <16 x float> %v685, <16 x float> %v670
  %v694 = getelementptr float, ptr %ring4.row.693, i64 %x.632
  %v695 = load <16 x float>, ptr %v694, align 64
  %v702 = getelementptr float, ptr %ring4.row.701, i64 %x.632
  %v703 = load <16 x float>, ptr %v702, align 64
  %v707 = getelementptr float, ptr %ring4.row.706, i64 %x.632
  %v708 = load <16 x float>, ptr %v707, align 64
  %v715 = getelementptr float, ptr %ring4.row.714, i64 %x.632
  %v716 = load <16 x float>, ptr %v715, align 64
  %v723 = getelementptr float, ptr %ring4.row.722, i64 %x.632
  %v724 = load <16 x float>, ptr %v723, align 64
  %v725 = fcmp ogt <16 x float> %v724, %v716
  %v726 = select <16 x i1> %v725, <16 x float> %v724, <16 x float> %v716
  %v727 = fcmp ogt <16 x float> %v726, %v708
  %v728 = select <16 x i1> %v727, <16 x float> %v726, <16 x float> %v708
  %v729 = fcmp ogt <16 x float> %v728, %v703
  %v730 = select <16 x i1> %v729, <16 x float> %v728, <16 x float> %v703
  %v731 = fcmp ogt <16 x float> %v730, %v695
  %v732 = select <16 x i1> %v731, <16 x float> %v730, <16 x float> %v695
  %v739 = getelementptr float, ptr %ring3.row.738, i64 %x.632
  %v740 = load <16 x float>, ptr %v739, align 64
  %v747 = getelementptr float, ptr %ring3.row.746, i64 %x.632
  %v748 = load <16 x float>, ptr %v747, align 64
  %v755 = getelementptr float, ptr %ring3.row.754, i64 %x.632
  %v756 = load <16 x float>, ptr %v755, align 64
  %v760 = getelementptr float, ptr %ring3.row.759, i64 %x.632
  %v761 = load <16 x float>, ptr %v760, align 64
  %v768 = getelementptr float, ptr %ring3.row.767, i64 %x.632
  %v769 = load <16 x float>, ptr %v768, align 64
  %v776 = getelementptr float, ptr %ring3.row.775, i64 %x.632
  %v777 = load <16 x float>, ptr %v776, align 64
  %v784 = getelementptr float, ptr %ring3.row.783, i64 %x.632
  %v785 = load <16 x float>, ptr %v784, align 64
  %v786 = fcmp ogt <16 x float> %v785, %v777
  %v787 = select <16 x i1> %v786, <16 x float> %v785, <16 x float> %v777
  %v788 = fcmp ogt <16 x float> %v787, %v769
  %v789 = select <16 x i1> %v788, <16 x float> %v787, <16 x float> %v769
  %v790 = fcmp ogt <16 x float> %v789, %v761
  %v791 = select <16 x i1> %v790, <16 x float> %v789, <16 x float> %v761
  %v792 = fcmp ogt <16 x float> %v791, %v756
  %v793 = select <16 x i1> %v792, <16 x float> %v791, <16 x float> %v756
  %v794 = fcmp ogt <16 x float> %v793, %v748
  %v795 = select <16 x i1> %v794, <16 x float> %v793, <16 x float> %v748
  %v796 = fcmp ogt <16 x float> %v795, %v740
  %v797 = select <16 x i1> %v796, <16 x float> %v795, <16 x float> %v740
  %v798 = fcmp ogt <16 x float> %v797, %v732
  %v799 = select <16 x i1> %v798, <16 x float> %v797, <16 x float> %v732
  %v800 = fcmp ogt <16 x float> %v799, %v687
  %v801 = select <16 x i1> %v800, <16 x float> %v799, <16 x float> %v687
  %v805 = getelementptr float, ptr %ring5.row.804, i64 %x.632
  store <16 x float> %v670, ptr %v805, align 64
  %v809 = getelementptr float, ptr %ring6.row.808, i64 %x.632
  store <16 x float> %v801, ptr %v809, align 64
  %x.632.next = add nuw nsw i64 %x.632, 16
  %x.632.more = icmp ult i64 %x.632.next, 64
  br i1 %x.632.more, label %across.810, label %across.end.811
across.end.811:
  %v812 = getelementptr float, ptr %ring6.row.808, i64 0
  %v813 = load float, ptr %v812
  %v814 = getelementptr float, ptr %ring6.row.808, i64 -3
  store float %v813, ptr %v814
  %v815 = getelementptr float, ptr %ring6.row.808, i64 0
  %v816 = load float, ptr %v815
  %v817 = getelementptr float, ptr %ring6.row.808, i64 -2
  store float %v816, ptr %v817
  %v818 = getelementptr float, ptr %ring6.row.808, i64 0
  %v819 = load float, ptr %v818
  %v820 = getelementptr float, ptr %ring6.row.808, i64 -1
  store float %v819, ptr %v820
  %v821 = getelementptr float, ptr %ring6.row.808, i64 63
  %v822 = load float, ptr %v821
  %v823 = getelementptr float, ptr %ring6.row.808, i64 64
  store float %v822, ptr %v823
  %v824 = getelementptr float, ptr %ring6.row.808, i64 63
  %v825 = load float, ptr %v824
  %v826 = getelementptr float, ptr %ring6.row.808, i64 65
  store float %v825, ptr %v826
  %v827 = getelementptr float, ptr %ring6.row.808, i64 63
  %v828 = load float, ptr %v827
  %v829 = getelementptr float, ptr %ring6.row.808, i64 66
  store float %v828, ptr %v829
  br label %joined.625
apart.624:
  ; group 4: plane ring5; 4 rows ahead; 4 more above, 4 below
  %r.830 = add nsw i64 %s.73, 4
  %v831 = icmp sge i64 %r.830, %low4
  %v832 = icmp slt i64 %r.830, %high4
  %v833 = and i1 %v831, %v832
  br i1 %v833, label %group4.834, label %group4.end.835
group4.834:
  %v836 = icmp sge i64 %r.830, %first_row
  %v837 = icmp slt i64 %r.830, %last_row
  %v838 = and i1 %v836, %v837
  %v840 = urem i64 %r.830, 7
  %v841 = mul nsw i64 %v840, 160
  %ring3.row.842 = getelementptr float, ptr %ring3, i64 %v841
  %v848 = load <16 x i32>, ptr %ring3.row.842, align 64
  %v849 = bitcast <16 x i32> %v848 to <16 x float>
  %v850 = shufflevector <16 x float> %v849, <16 x float> poison, <16 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %v851 = bitcast <16 x float> %v850 to <16 x i32>
  %v852 = load <16 x i32>, ptr %ring3.row.842, align 64
  %v878 = urem i64 %r.830, 2
  %v879 = mul nsw i64 %v878, 112
  %ring5.row.880 = getelementptr float, ptr %ring5, i64 %v879
  br label %across.882
across.882:
  %x.839 = phi i64 [ 0, %group4.834 ], [ %x.839.next, %across.882 ]
  %before.843 = phi <16 x i32> [ %v851, %group4.834 ], [ %here.844, %across.882 ]
  %here.844 = phi <16 x i32> [ %v852, %group4.834 ], [ %v847, %across.882 ]
  %v845 = getelementptr float, ptr %ring3.row.842, i64 %x.839
  %v846 = getelementptr float, ptr %v845, i64 16
  %v847 = load <16 x i32>, ptr %v846, align 64
  %v853 = shufflevector <16 x i32> %here.844, <16 x i32> %v847, <16 x i32> <i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18>
  %v854 = bitcast <16 x i32> %v853 to <16 x float>
  %v855 = shufflevector <16 x i32> %here.844, <16 x i32> %v847, <16 x i32> <i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17>
  %v856 = bitcast <16 x i32> %v855 to <16 x float>
  %v857 = shufflevector <16 x i32> %here.844, <16 x i32> %v847, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16>
  %v858 = bitcast <16 x i32> %v857 to <16 x float>
  %v859 = bitcast <16 x i32> %here.844 to <16 x float>
  %v860 = shufflevector <16 x i32> %before.843, <16 x i32> %here.844, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v861 = bitcast <16 x i32> %v860 to <16 x float>
  %v862 = shufflevector <16 x i32> %before.843, <16 x i32> %here.844, <16 x i32> <i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29>
  %v863 = bitcast <16 x i32> %v862 to <16 x float>
  %v864 = shufflevector <16 x i32> %before.843, <16 x i32> %here.844, <16 x i32> <i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28>
  %v865 = bitcast <16 x i32> %v864 to <16 x float>
  %v866 = fcmp ogt <16 x float> %v865, %v863
  %v867 = select <16 x i1> %v866, <16 x float> %v865, <16 x float> %v863
  %v868 = fcmp ogt <16 x float> %v867, %v861
  %v869 = select <16 x i1> %v868, <16 x float> %v867, <16 x float> %v861
  %v870 = fcmp ogt <16 x float> %v869, %v859
  %v871 = select <16 x i1> %v870, <16 x float> %v869, <16 x float> %v859
  %v872 = fcmp ogt <16 x float> %v871, %v858
  %v873 = select <16 x i1> %v872, <16 x float> %v871, <16 x float> %v858
  %v874 = fcmp ogt <16 x float> %v873, %v856
  %v875 = select <16 x i1> %v874, <16 x float> %v873, <16 x float> %v856
  %v876 = fcmp ogt <16 x float> %v875, %v854
  %v877 = select <16 x i1> %v876, <16 x float> %v875, <16 x float> %v854
  %v881 = getelementptr float, ptr %ring5.row.880, i64 %x.839
  store <16 x float> %v877, ptr %v881, align 64
  %x.839.next = add nuw nsw i64 %x.839, 16
  %x.839.more = icmp ult i64 %x.839.next, 64
  br i1 %x.839.more, label %across.882, label %across.end.883
across.end.883:
  br label %group4.end.835
group4.end.835:
  ; group 5: plane ring6; 3 rows ahead; 3 more above, 3 below
  %r.884 = add nsw i64 %s.73, 3
  %v885 = icmp sge i64 %r.884, %low5
  %v886 = icmp slt i64 %r.884, %high5
  %v887 = and i1 %v885, %v886
  br i1 %v887, label %group5.888, label %group5.end.889
group5.888:
  %v890 = icmp sge i64 %r.884, %first_row
  %v891 = icmp slt i64 %r.884, %last_row
  %v892 = and i1 %v890, %v891
  %v894 = add i64 %r.884, 1
  %v895 = call i64 @llvm.smax.i64(i64 %v894, i64 0)
  %v896 = call i64 @llvm.smin.i64(i64 %v895, i64 47)
  %v897 = urem i64 %v896, 2
  %v898 = mul nsw i64 %v897, 112
  %ring5.row.899 = getelementptr float, ptr %ring5, i64 %v898
  %v902 = urem i64 %r.884, 2
  %v903 = mul nsw i64 %v902, 112
  %ring5.row.904 = getelementptr float, ptr %ring5, i64 %v903
  %v907 = add i64 %r.884, -1
  %v908 = call i64 @llvm.smax.i64(i64 %v907, i64 0)
  %v909 = call i64 @llvm.smin.i64(i64 %v908, i64 47)
  %v910 = urem i64 %v909, 2
  %v911 = mul nsw i64 %v910, 112
  %ring5.row.912 = getelementptr float, ptr %ring5, i64 %v911
  %v919 = add i64 %r.884, 2
  %v920 = call i64 @llvm.smax.i64(i64 %v919, i64 0)
  %v921 = call i64 @llvm.smin.i64(i64 %v920, i64 47)
  %v922 = urem i64 %v921, 5
  %v923 = mul nsw i64 %v922, 112
  %ring4.row.924 = getelementptr float, ptr %ring4, i64 %v923
  %v927 = add i64 %r.884, 1
  %v928 = call i64 @llvm.smax.i64(i64 %v927, i64 0)
  %v929 = call i64 @llvm.smin.i64(i64 %v928, i64 47)
  %v930 = urem i64 %v929, 5
  %v931 = mul nsw i64 %v930, 112
  %ring4.row.932 = getelementptr float, ptr %ring4, i64 %v931
  %v935 = urem i64 %r.884, 5
  %v936 = mul nsw i64 %v935, 112
  %ring4.row.937 = getelementptr float, ptr %ring4, i64 %v936
  %v940 = add i64 %r.884, -1
  %v941 = call i64 @llvm.smax.i64(i64 %v940, i64 0)
  %v942 = call i64 @llvm.smin.i64(i64 %v941, i64 47)
  %v943 = urem i64 %v942, 5
  %v944 = mul nsw i64 %v943, 112
  %ring4.row.945 = getelementptr float, ptr %ring4, i64 %v944
  %v948 = add i64 %r.884, -2
  %v949 = call i64 @llvm.smax.i64(i64 %v948, i64 0)
  %v950 = call i64 @llvm.smin.i64(i64 %v949, i64 47)
  %v951 = urem i64 %v950, 5
  %v952 = mul nsw i64 %v951, 112
  %ring4.row.953 = getelementptr float, ptr %ring4, i64 %v952
  %v964 = add i64 %r.884, 3
  %v965 = call i64 @llvm.smax.i64(i64 %v964, i64 0)
  %v966 = call i64 @llvm.smin.i64(i64 %v965, i64 47)
  %v967 = urem i64 %v966, 7
  %v968 = mul nsw i64 %v967, 160
  %ring3.row.969 = getelementptr float, ptr %ring3, i64 %v968
  %v972 = add i64 %r.884, 2
  %v973 = call i64 @llvm.smax.i64(i64 %v972, i64 0)
  %v974 = call i64 @llvm.smin.i64(i64 %v973, i64 47)
  %v975 = urem i64 %v974, 7
  %v976 = mul nsw i64 %v975, 160
  %ring3.row.977 = getelementptr float, ptr %ring3, i64 %v976
  %v980 = add i64 %r.884, 1
  %v981 = call i64 @llvm.smax.i64(i64 %v980, i64 0)
  %v982 = call i64 @llvm.smin.i64(i64 %v981, i64 47)
  %v983 = urem i64 %v982, 7
  %v984 = mul nsw i64 %v983, 160
  %ring3.row.985 = getelementptr float, ptr %ring3, i64 %v984
  %v988 = urem i64 %r.884, 7
  %v989 = mul nsw i64 %v988, 160
  %ring3.row.990 = getelementptr float, ptr %ring3, i64 %v989
  %v993 = add i64 %r.884, -1
  %v994 = call i64 @llvm.smax.i64(i64 %v993, i64 0)
  %v995 = call i64 @llvm.smin.i64(i64 %v994, i64 47)
  %v996 = urem i64 %v995, 7
  %v997 = mul nsw i64 %v996, 160
  %ring3.row.998 = getelementptr float, ptr %ring3, i64 %v997
  %v1001 = add i64 %r.884, -2
  %v1002 = call i64 @llvm.smax.i64(i64 %v1001, i64 0)
  %v1003 = call i64 @llvm.smin.i64(i64 %v1002, i64 47)
  %v1004 = urem i64 %v1003, 7
  %v1005 = mul nsw i64 %v1004, 160
  %ring3.row.1006 = getelementptr float, ptr %ring3, i64 %v1005
  %v1009 = add i64 %r.884, -3
  %v1010 = call i64 @llvm.smax.i64(i64 %v1009, i64 0)
  %v1011 = call i64 @llvm.smin.i64(i64 %v1010, i64 47)
  %v1012 = urem i64 %v1011, 7
  %v1013 = mul nsw i64 %v1012, 160
  %ring3.row.1014 = getelementptr float, ptr %ring3, i64 %v1013
  %v1033 = urem i64 %r.884, 7
  %v1034 = mul nsw i64 %v1033, 160
  %ring6.row.1035 = getelementptr float, ptr %ring6, i64 %v1034
  br label %across.1037
across.1037:
  %x.893 = phi i64 [ 0, %group5.888 ], [ %x.893.next, %across.1037 ]
  %v900 = getelementptr float, ptr %ring5.row.899, i64 %x.893
  %v901 = load <16 x float>, ptr %v900, align 64
  %v905 = getelementptr float, ptr %ring5.row.904, i64 %x.893
  %v906 = load <16 x float>, ptr %v905, align 64
  %v913 = getelementptr float, ptr %ring5.row.912, i64 %x.893
  %v914 = load <16 x float>, ptr %v913, align 64
  %v915 = fcmp ogt <16 x float> %v914, %v906
  %v916 = select <16 x i1> %v915, <16 x float> %v914, <16 x float> %v906
  %v917 = fcmp ogt <16 x float> %v916, %v901
  %v918 = select <16 x i1> %v917, <16 x float> %v916, <16 x float> %v901
  %v925 = getelementptr float, ptr %ring4.row.924, i64 %x.893
  %v926 = load <16 x float>, ptr %v925, align 64
  %v933 = getelementptr float, ptr %ring4.row.932, i64 %x.893
  %v934 = load <16 x float>, ptr %v933, align 64
  %v938 = getelementptr float, ptr %ring4.row.937, i64 %x.893
  %v939 = load <16 x float>, ptr %v938, align 64
  %v946 = getelementptr float, ptr %ring4.row.945, i64 %x.893
  %v947 = load <16 x float>, ptr %v946, align 64
  %v954 = getelementptr float, ptr %ring4.row.953, i64 %x.893
  %v955 = load <16 x float>, ptr %v954, align 64
  %v956 = fcmp ogt <16 x float> %v955, %v947
  %v957 = select <16 x i1> %v956, <16 x float> %v955, <16 x float> %v947
  %v958 = fcmp ogt <16 x float> %v957, %v939
  %v959 = select <16 x i1> %v958, <16 x float> %v957, <16 x float> %v939
  %v960 = fcmp ogt <16 x float> %v959, %v934
  %v961 = select <16 x i1> %v960, <16 x float> %v959, <16 x float> %v934
  %v962 = fcmp ogt <16 x float> %v961, %v926
  %v963 = select <16 x i1> %v962, <16 x float> %v961, <16 x float> %v926
  %v970 = getelementptr float, ptr %ring3.row.969, i64 %x.893
  %v971 = load <16 x float>, ptr %v970, align 64
  %v978 = getelementptr float, ptr %ring3.row.977, i64 %x.893
  %v979 = load <16 x float>, ptr %v978, align 64
  %v986 = getelementptr float, ptr %ring3.row.985, i64 %x.893
  %v987 = load <16 x float>, ptr %v986, align 64
  %v991 = getelementptr float, ptr %ring3.row.990, i64 %x.893
  %v992 = load <16 x float>, ptr %v991, align 64
  %v999 = getelementptr float, ptr %ring3.row.998, i64 %x.893
  %v1000 = load <16 x float>, ptr %v999, align 64
  %v1007 = getelementptr float, ptr %ring3.row.1006, i64 %x.893
  %v1008 = load <16 x float>, ptr %v1007, align 64
  %v1015 = getelementptr float, ptr %ring3.row.1014, i64 %x.893
  %v1016 = load <16 x float>, ptr %v1015, align 64
  %v1017 = fcmp ogt <16 x float> %v1016, %v1008
  %v1018 = select <16 x i1> %v1017, <16 x float> %v1016, <16 x float> %v1008
  %v1019 = fcmp ogt <16 x float> %v1018, %v1000
  %v1020 = select <16 x i1> %v1019, <16 x float> %v1018, <16 x float> %v1000
  %v1021 = fcmp ogt <16 x float> %v1020, %v992
  %v1022 = select <16 x i1> %v1021, <16 x float> %v1020, <16 x float> %v992
  %v1023 = fcmp ogt <16 x float> %v1022, %v987
  %v1024 = select <16 x i1> %v1023, <16 x float> %v1022, <16 x float> %v987
  %v1025 = fcmp ogt <16 x float> %v1024, %v979
  %v1026 = select <16 x i1> %v1025, <16 x float> %v1024, <16 x float> %v979
  %v1027 = fcmp ogt <16 x float> %v1026, %v971
  %v1028 = select <16 x i1> %v1027, <16 x float> %v1026, <16 x float> %v971
  %v1029 = fcmp ogt <16 x float> %v1028, %v963
  %v1030 = select <16 x i1> %v1029, <16 x float> %v1028, <16 x float> %v963
  %v1031 = fcmp ogt <16 x float> %v1030, %v918
  %v1032 = select <16 x i1> %v1031, <16 x float> %v1030, <16 x float> %v918
  %v1036 = getelementptr float, ptr %ring6.row.1035, i64 %x.893
  store <16 x float> %v1032, ptr %v1036, align 64
  %x.893.next = add nuw nsw i64 %x.893, 16
  %x.893.more = icmp ult i64 %x.893.next, 64
  br i1 %x.893.more, label %across.1037, label %across.end.1038
across.end.1038:
  %v1039 = getelementptr float, ptr %ring6.row.1035, i64 0
  %v1040 = load float, ptr %v1039
  %v1041 = getelementptr float, ptr %ring6.row.1035, i64 -3
  store float %v1040, ptr %v1041
  %v1042 = getelementptr float, ptr %ring6.row.1035, i64 0
  %v1043 = load float, ptr %v1042
  %v1044 = getelementptr float, ptr %ring6.row.1035, i64 -2
  store float %v1043, ptr %v1044
  %v1045 = getelementptr float, ptr %ring6.row.1035, i64 0
  %v1046 = load float, ptr %v1045
  %v1047 = getelementptr float, ptr %ring6.row.1035, i64 -1
  store float %v1046, ptr %v1047
  %v1048 = getelementptr float, ptr %ring6.row.1035, i64 63
  %v1049 = load float, ptr %v1048
  %v1050 = getelementptr float, ptr %ring6.row.1035, i64 64
  store float %v1049, ptr %v1050
  %v1051 = getelementptr float, ptr %ring6.row.1035, i64 63
  %v1052 = load float, ptr %v1051
  %v1053 = getelementptr float, ptr %ring6.row.1035, i64 65
  store float %v1052, ptr %v1053
  %v1054 = getelementptr float, ptr %ring6.row.1035, i64 63
  %v1055 = load float, ptr %v1054
  %v1056 = getelementptr float, ptr %ring6.row.1035, i64 66
  store float %v1055, ptr %v1056
  br label %group5.end.889
group5.end.889:
  br label %joined.625
joined.625:
  ; group 6: plane ring7; 2 rows ahead; 2 more above, 2 below
  %r.1057 = add nsw i64 %s.73, 2
  %v1058 = icmp sge i64 %r.1057, %low6
  %v1059 = icmp slt i64 %r.1057, %high6
  %v1060 = and i1 %v1058, %v1059
  br i1 %v1060, label %group6.1061, label %group6.end.1062
group6.1061:
  %v1063 = icmp sge i64 %r.1057, %first_row
  %v1064 = icmp slt i64 %r.1057, %last_row
  %v1065 = and i1 %v1063, %v1064
  %v1067 = urem i64 %r.1057, 7
  %v1068 = mul nsw i64 %v1067, 160
  %ring6.row.1069 = getelementptr float, ptr %ring6, i64 %v1068
  %v1075 = load <16 x i32>, ptr %ring6.row.1069, align 64
  %v1076 = bitcast <16 x i32> %v1075 to <16 x float>
  %v1077 = shufflevector <16 x float> %v1076, <16 x float> poison, <16 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %v1078 = bitcast <16 x float> %v1077 to <16 x i32>
  %v1079 = load <16 x i32>, ptr %ring6.row.1069, align 64
  %v1097 = urem i64 %r.1057, 5
  %v1098 = mul nsw i64 %v1097, 112
  %ring7.row.1099 = getelementptr float, ptr %ring7, i64 %v1098
  br label %across.1123
across.1123:
  %x.1066 = phi i64 [ 0, %group6.1061 ], [ %x.1066.next, %across.1123 ]
  %before.1070 = phi <16 x i32> [ %v1078, %group6.1061 ], [ %v1074, %across.1123 ]
  %here.1071 = phi <16 x i32> [ %v1079, %group6.1061 ], [ %v1104, %across.1123 ]
  %v1072 = getelementptr float, ptr %ring6.row.1069, i64 %x.1066
  %v1073 = getelementptr float, ptr %v1072, i64 16
  %v1074 = load <16 x i32>, ptr %v1073, align 64
  %v1080 = shufflevector <16 x i32> %here.1071, <16 x i32> %v1074, <16 x i32> <i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17>
  %v1081 = bitcast <16 x i32> %v1080 to <16 x float>
  %v1082 = shufflevector <16 x i32> %here.1071, <16 x i32> %v1074, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16>
  %v1083 = bitcast <16 x i32> %v1082 to <16 x float>
  %v1084 = bitcast <16 x i32> %here.1071 to <16 x float>
  %v1085 = shufflevector <16 x i32> %before.1070, <16 x i32> %here.1071, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v1086 = bitcast <16 x i32> %v1085 to <16 x float>
  %v1087 = shufflevector <16 x i32> %before.1070, <16 x i32> %here.1071, <16 x i32> <i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29>
  %v1088 = bitcast <16 x i32> %v1087 to <16 x float>
  %v1089 = fcmp olt <16 x float> %v1088, %v1086
  %v1090 = select <16 x i1> %v1089, <16 x float> %v1088, <16 x float> %v1086
  %v1091 = fcmp olt <16 x float> %v1090, %v1084
  %v1092 = select <16 x i1> %v1091, <16 x float> %v1090, <16 x float> %v1084
  %v1093 = fcmp olt <16 x float> %v1092, %v1083
  %v1094 = select <16 x i1> %v1093, <16 x float> %v1092, <16 x float> %v1083
  %v1095 = fcmp olt <16 x float> %v1094, %v1081
  %v1096 = select <16 x i1> %v1095, <16 x float> %v1094, <16 x float> %v1081
  %v1100 = getelementptr float, ptr %ring7.row.1099, i64 %x.1066
  store <16 x float> %v1096, ptr %v1100, align 64
  %v1101 = add i64 %x.1066, 16
  %v1102 = getelementptr float, ptr %ring6.row.1069, i64 %v1101
  %v1103 = getelementptr float, ptr %v1102, i64 16
  %v1104 = load <16 x i32>, ptr %v1103, align 64
  %v1105 = shufflevector <16 x i32> %v1074, <16 x i32> %v1104, <16 x i32> <i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17>
  %v1106 = bitcast <16 x i32> %v1105 to <16 x float>
  %v1107 = shufflevector <16 x i32> %v1074, <16 x i32> %v1104, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16>
  %v1108 = bitcast <16 x i32> %v1107 to <16 x float>
  %v1109 = bitcast <16 x i32> %v1074 to <16 x float>
  %v1110 = shufflevector <16 x i32> %here.1071, <16 x i32> %v1074, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v1111 = bitcast <16 x i32> %v1110 to <16 x float>
  %v1112 = shufflevector <16 x i32> %here.1071, <16 x i32> %v1074, <16 x i32> <i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29>
  %v1113 = bitcast <16 x i32> %v1112 to <16 x float>
  %v1114 = fcmp olt <16 x float> %v1113, %v1111
  %v1115 = select <16 x i1> %v1114, <16 x float> %v1113, <16 x float> %v1111
  %v1116 = fcmp olt <16 x float> %v1115, %v1109
  %v1117 = select <16 x i1> %v1116, <16 x float> %v1115, <16 x float> %v1109
  %v1118 = fcmp olt <16 x float> %v1117, %v1108
  %v1119 = select <16 x i1> %v1118, <16 x float> %v1117, <16 x float> %v1108
  %v1120 = fcmp olt <16 x float> %v1119, %v1106
  %v1121 = select <16 x i1> %v1120, <16 x float> %v1119, <16 x float> %v1106
  %v1122 = getelementptr float, ptr %ring7.row.1099, i64 %v1101
  store <16 x float> %v1121, ptr %v1122, align 64
  %x.1066.next = add nuw nsw i64 %x.1066, 32
  %x.1066.more = icmp ult i64 %x.1066.next, 64
  br i1 %x.1066.more, label %across.1123, label %across.end.1124
across.end.1124:
  br label %group6.end.1062
group6.end.1062:
  ; group 7: plane ring8; 1 rows ahead; 1 more above, 1 below
  %r.1125 = add nsw i64 %s.73, 1
  %v1126 = icmp sge i64 %r.1125, %low7
  %v1127 = icmp slt i64 %r.1125, %high7
  %v1128 = and i1 %v1126, %v1127
  ; group 8: output; 0 rows ahead; 0 more above, 0 below
  %r.1129 = add nsw i64 %s.73, 0
  %v1130 = icmp sge i64 %r.1129, %low8
  %v1131 = icmp slt i64 %r.1129, %high8
  %v1132 = and i1 %v1130, %v1131
  %v1133 = icmp sge i64 %r.1129, 1
  %v1134 = and i1 %v1128, %v1132
  %v1135 = and i1 %v1133, %v1134
  br i1 %v1135, label %together.1136, label %apart.1137
together.1136:
  %v1139 = icmp sge i64 %r.1125, %first_row
  %v1140 = icmp slt i64 %r.1125, %last_row
  %v1141 = and i1 %v1139, %v1140
  %v1143 = urem i64 %r.1125, 7
  %v1144 = mul nsw i64 %v1143, 160
  %ring6.row.1145 = getelementptr float, ptr %ring6, i64 %v1144
  %v1151 = load <16 x i32>, ptr %ring6.row.1145, align 64
  %v1152 = bitcast <16 x i32> %v1151 to <16 x float>
  %v1153 = shufflevector <16 x float> %v1152, <16 x float> poison, <16 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %v1154 = bitcast <16 x float> %v1153 to <16 x i32>
  %v1155 = load <16 x i32>, ptr %ring6.row.1145, align 64
  %v1317 = urem i64 %r.1125, 2
  %v1318 = mul nsw i64 %v1317, 112
  %ring8.row.1319 = getelementptr float, ptr %ring8, i64 %v1318
  %v1185 = urem i64 %r.1129, 2
  %v1186 = mul nsw i64 %v1185, 112
  %ring8.row.1187 = getelementptr float, ptr %ring8, i64 %v1186
  %v1190 = add i64 %r.1129, -1
  %v1191 = call i64 @llvm.smax.i64(i64 %v1190, i64 0)
  %v1192 = call i64 @llvm.smin.i64(i64 %v1191, i64 47)
  %v1193 = urem i64 %v1192, 2
  %v1194 = mul nsw i64 %v1193, 112
  %ring8.row.1195 = getelementptr float, ptr %ring8, i64 %v1194
  %v1202 = add i64 %r.1129, 2
  %v1203 = call i64 @llvm.smax.i64(i64 %v1202, i64 0)
  %v1204 = call i64 @llvm.smin.i64(i64 %v1203, i64 47)
  %v1205 = urem i64 %v1204, 5
  %v1206 = mul nsw i64 %v1205, 112
  %ring7.row.1207 = getelementptr float, ptr %ring7, i64 %v1206
  %v1210 = add i64 %r.1129, 1
  %v1211 = call i64 @llvm.smax.i64(i64 %v1210, i64 0)
  %v1212 = call i64 @llvm.smin.i64(i64 %v1211, i64 47)
  %v1213 = urem i64 %v1212, 5
  %v1214 = mul nsw i64 %v1213, 112
  %ring7.row.1215 = getelementptr float, ptr %ring7, i64 %v1214
  %v1218 = urem i64 %r.1129, 5
  %v1219 = mul nsw i64 %v1218, 112
  %ring7.row.1220 = getelementptr float, ptr %ring7, i64 %v1219
  %v1223 = add i64 %r.1129, -1
  %v1224 = call i64 @llvm.smax.i64(i64 %v1223, i64 0)
  %v1225 = call i64 @llvm.smin.i64(i64 %v1224, i64 47)
  %v1226 = urem i64 %v1225, 5
  %v1227 = mul nsw i64 %v1226, 112
  %ring7.row.1228 = getelementptr float, ptr %ring7, i64 %v1227
  %v1231 = add i64 %r.1129, -2
  %v1232 = call i64 @llvm.smax.i64(i64 %v1231, i64 0)
  %v1233 = call i64 @llvm.smin.i64(i64 %v1232, i64 47)
  %v1234 = urem i64 %v1233, 5
  %v1235 = mul nsw i64 %v1234, 112
  %ring7.row.1236 = getelementptr float, ptr %ring7, i64 %v1235
  %v1247 = add i64 %r.1129, 3
  %v1248 = call i64 @llvm.smax.i64(i64 %v1247, i64 0)
  %v1249 = call i64 @llvm.smin.i64(i64 %v1248, i64 47)
  %v1250 = urem i64 %v1249, 7
  %v1251 = mul nsw i64 %v1250, 160
  %ring6.row.1252 = getelementptr float, ptr %ring6, i64 %v1251
  %v1255 = add i64 %r.1129, 2
  %v1256 = call i64 @llvm.smax.i64(i64 %v1255, i64 0)
  %v1257 = call i64 @llvm.smin.i64(i64 %v1256, i64 47)
  %v1258 = urem i64 %v1257, 7
  %v1259 = mul nsw i64 %v1258, 160
  %ring6.row.1260 = getelementptr float, ptr %ring6, i64 %v1259
  %v1263 = add i64 %r.1129, 1
  %v1264 = call i64 @llvm.smax.i64(i64 %v1263, i64 0)
  %v1265 = call i64 @llvm.smin.i64(i64 %v1264, i64 47)
  %v1266 = urem i64 %v1265, 7
  %v1267 = mul nsw i64 %v1266, 160
  %ring6.row.1268 = getelementptr float, ptr %ring6, i64 %v1267
  %v1271 = urem i64 %r.1129, 7
  %v1272 = mul nsw i64 %v1271, 160
  %ring6.row.1273 = getelementptr float, ptr %ring6, i64 %v1272
  %v1276 = add i64 %r.1129, -1
  %v1277 = call i64 @llvm.smax.i64(i64 %v1276, i64 0)
  %v1278 = call i64 @llvm.smin.i64(i64 %v1277, i64 47)
  %v1279 = urem i64 %v1278, 7
  %v1280 = mul nsw i64 %v1279, 160
  %ring6.row.1281 = getelementptr float, ptr %ring6, i64 %v1280
  %v1284 = add i64 %r.1129, -2
  %v1285 = call i64 @llvm.smax.i64(i64 %v1284, i64 0)
  %v1286 = call i64 @llvm.smin.i64(i64 %v1285, i64 47)
  %v1287 = urem i64 %v1286, 7
  %v1288 = mul nsw i64 %v1287, 160
  %ring6.row.1289 = getelementptr float, ptr %ring6, i64 %v1288
  %v1292 = add i64 %r.1129, -3
  %v1293 = call i64 @llvm.smax.i64(i64 %v1292, i64 0)
  %v1294 = call i64 @llvm.smin.i64(i64 %v1293, i64 47)
  %v1295 = urem i64 %v1294, 7
  %v1296 = mul nsw i64 %v1295, 160
  %ring6.row.1297 = getelementptr float, ptr %ring6, i64 %v1296
  %v1321 = mul nsw i64 %r.1129, 64
  %out.row.1322 = getelementptr i8, ptr %output0, i64 %v1321
  br label %across.1326
across.1326:
  %x.1142 = phi i64 [ 0, %together.1136 ], [ %x.1142.next, %across.1326 ]
  %before.1146 = phi <16 x i32> [ %v1154, %together.1136 ], [ %here.1147, %across.1326 ]
  %here.1147 = phi <16 x i32> [ %v1155, %together.1136 ], [ %v1150, %across.1326 ]
  %v1148 = getelementptr float, ptr %ring6.row.1145, i64 %x.1142
  %v1149 = getelementptr float, ptr %v1148, i64 16
  %v1150 = load <16 x i32>, ptr %v1149, align 64
  %v1156 = shufflevector <16 x i32> %here.1147, <16 x i32> %v1150, <16 x i32> <i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18>
  %v1157 = bitcast <16 x i32> %v1156 to <16 x float>
  %v1158 = shufflevector <16 x i32> %here.1147, <16 x i32> %v1150, <16 x i32> <i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17>
  %v1159 = bitcast <16 x i32> %v1158 to <16 x float>
  %v1160 = shufflevector <16 x i32> %here.1147, <16 x i32> %v1150, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16>
  %v1161 = bitcast <16 x i32> %v1160 to <16 x float>
  %v1162 = bitcast <16 x i32> %here.1147 to <16 x float>
  %v1163 = shufflevector <16 x i32> %before.1146, <16 x i32> %here.1147, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v1164 = bitcast <16 x i32> %v1163 to <16 x float>
  %v1165 = shufflevector <16 x i32> %before.1146, <16 x i32> %here.1147, <16 x i32> <i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29>
  %v1166 = bitcast <16 x i32> %v1165 to <16 x float>
  %v1167 = shufflevector <16 x i32> %before.1146, <16 x i32> %here.1147, <16 x i32> <i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28>
  %v1168 = bitcast <16 x i32> %v1167 to <16 x float>
  %v1169 = fcmp olt <16 x float> %v1168, %v1166
  %v1170 = select <16 x i1> %v1169, <16 x float> %v1168, <16 x float> %v1166
  %v1171 = fcmp olt <16 x float> %v1170, %v1164
  %v1172 = select <16 x i1> %v1171, <16 x float> %v1170, <16 x float> %v1164
  %v1173 = fcmp olt <16 x float> %v1172, %v1162
  %v1174 = select <16 x i1> %v1173, <16 x float> %v1172, <16 x float> %v1162
  %v1175 = fcmp olt <16 x float> %v1174, %v1161
  %v1176 = select <16 x i1> %v1175, <16 x float> %v1174, <16 x float> %v1161
  %v1177 = fcmp olt <16 x float> %v1176, %v1159
  %v1178 = select <16 x i1> %v1177, <16 x float> %v1176, <16 x float> %v1159
  %v1179 = fcmp olt <16 x float> %v1178, %v1157
  %v1180 = select <16 x i1> %v1179, <16 x float> %v1178, <16 x float> %v1157
  %v1188 = getelementptr float, ptr %ring8.row.1187, i64 %x.1142
  %v1189 = load <16 x float>, ptr %v1188, align 64
  %v1196 = getelementptr float, ptr %ring8.row.1195, i64 %x.1142
  %v1197 = load <16 x float>, ptr %v1196, align 64
  %v1198 = fcmp olt <16 x float> %v1197, %v1189
  %v1199 = select <16 x i1> %v1198, <16 x float> %v1197, <16 x float> %v1189
  %v1200 = fcmp olt <16 x float> %v1199, %v1180
  %v1201 = select <16 x i1> %v1200, <16 x float> %v1199, <16 x float> %v1180
  %v1208 = getelementptr float, ptr %ring7.row.1207, i64 %x.1142
  %v1209 = load <16 x float>, ptr %v1208, align 64
  %v1216 = getelementptr float, ptr %ring7.row.1215, i64 %x.1142
  %v1217 = load <16 x float>, ptr %v1216, align 64
  %v1221 = getelementptr float, ptr %ring7.row.1220, i64 %x.1142
  %v1222 = load <16 x float>, ptr %v1221, align 64
  %v1229 = getelementptr float, ptr %ring7.row.1228, i64 %x.1142
  %v1230 = load <16 x float>, ptr %v1229, align 64
  %v1237 = getelementptr float, ptr %ring7.row.1236, i64 %x.1142
  %v1238 = load <16 x float>, ptr %v1237, align 64
  %v1239 = fcmp olt <16 x float> %v1238, %v1230
  %v1240 = select <16 x i1> %v1239, <16 x float> %v1238, <16 x float> %v1230
  %v1241 = fcmp olt <16 x float> %v1240, %v1222
  %v1242 = select <16 x i1> %v1241, <16 x float> %v1240, <16 x float> %v1222
  %v1243 = fcmp olt <16 x float> %v1242, %v1217
  %v1244 = select <16 x i1> %v1243, <16 x float> %v1242, <16 x float> %v1217
  %v1245 = fcmp olt <16 x float> %v1244, %v1209
  %v1246 = select <16 x i1> %v1245, <16 x float> %v1244, <16 x float> %v1209
  %v1253 = getelementptr float, ptr %ring6.row.1252, i64 %x.1142
  %v1254 = load <16 x float>, ptr %v1253, align 64
  %v1261 = getelementptr float, ptr %ring6.row.1260, i64 %x.1142
  %v1262 = load <16 x float>, ptr %v1261, align 64
  %v1269 = getelementptr float, ptr %ring6.row.1268, i64 %x.1142
  %v1270 = load <16 x float>, ptr %v1269, align 64
  %v1274 = getelementptr float, ptr %ring6.row.1273, i64 %x.1142
  %v1275 = load <16 x float>, ptr %v1274, align 64
  %v1282 = getelementptr float, ptr %ring6.row.1281, i64 %x.1142
  %v1283 = load <16 x float>, ptr %v1282, align 64
  %v1290 = getelementptr float, ptr %ring6.row.1289, i64 %x.1142
  %v1291 = load <16 x float>, ptr %v1290, align 64
  %v1298 = getelementptr float, ptr %ring6.row.1297, i64 %x.1142
  %v1299 = load <16 x float>, ptr %v1298, align 64
  %v1300 = fcmp olt <16 x float> %v1299, %v1291
  %v1301 = select <16 x i1> %v1300, <16 x float> %v1299, <16 x float> %v1291
  %v1302 = fcmp olt <16 x float> %v1301, %v1283
  %v1303 = select <16 x i1> %v1302, <16 x float> %v1301, <16 x float> %v1283
  %v1304 = fcmp olt <16 x float> %v1303, %v1275
  %v1305 = select <16 x i1> %v1304, <16 x float> %v1303, <16 x float> %v1275
  %v1306 = fcmp olt <16 x float> %v1305, %v1270
  %v1307 = select <16 x i1> %v1306, <16 x float> %v1305, <16 x float> %v1270
  %v1308 = fcmp olt <16 x float> %v1307, %v1262
  %v1309 = select <16 x i1> %v1308, <16 x float> %v1307, <16 x float> %v1262
  %v1310 = fcmp olt <16 x float> %v1309, %v1254
  %v1311 = select <16 x i1> %v1310, <16 x float> %v1309, <16 x float> %v1254
  %v1312 = fcmp olt <16 x float> %v1311, %v1246
  %v1313 = select <16 x i1> %v1312, <16 x float> %v1311, <16 x float> %v1246
  %v1314 = fcmp olt <16 x float> %v1313, %v1201
  %v1315 = select <16 x i1> %v1314, <16 x float> %v1313, <16 x float> %v1201
  %v1316 = fcmp ole <16 x float> %v1315, %v1184
  %v1320 = getelementptr float, ptr %ring8.row.1319, i64 %x.1142
  store <16 x float> %v1180, ptr %v1320, align 64
  %v1323 = getelementptr i8, ptr %out.row.1322, i64 %x.1142
  %v1324 = zext <16 x i1> %v1316 to <16 x i8>
  %v1325 = getelementptr i8, ptr %v1323, i64 128
  call void @llvm.prefetch.p0(ptr %v1325, i32 1, i32 3, i32 1)
  store <16 x i8> %v1324, ptr %v1323, align 1
  %x.1142.next = add nuw nsw i64 %x.1142, 16
  %x.1142.more = icmp ult i64 %x.1142.next, 64
  br i1 %x.1142.more, label %across.1326, label %across.end.1327
across.end.1327:
  br label %joined.1138
apart.1137:
  ; group 7: plane ring8; 1 rows ahead; 1 more above, 1 below
  %r.1328 = add nsw i64 %s.73, 1
  %v1329 = icmp sge i64 %r.1328, %low7
  %v1330 = icmp slt i64 %r.1328, %high7
  %v1331 = and i1 %v1329, %v1330
  br i1 %v1331, label %group7.1332, label %group7.end.1333
group7.1332:
  %v1334 = icmp sge i64 %r.1328, %first_row
  %v1335 = icmp slt i64 %r.1328, %last_row
  %v1336 = and i1 %v1334, %v1335
  %v1338 = urem i64 %r.1328, 7
  %v1339 = mul nsw i64 %v1338, 160
  %ring6.row.1340 = getelementptr float, ptr %ring6, i64 %v1339
  %v1346 = load <16 x i32>, ptr %ring6.row.1340, align 64
  %v1347 = bitcast <16 x i32> %v1346 to <16 x float>
  %v1348 = shufflevector <16 x float> %v1347, <16 x float> poison, <16 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %v1349 = bitcast <16 x float> %v1348 to <16 x i32>
  %v1350 = load <16 x i32>, ptr %ring6.row.1340, align 64
  %v1376 = urem i64 %r.1328, 2
  %v1377 = mul nsw i64 %v1376, 112
  %ring8.row.1378 = getelementptr float, ptr %ring8, i64 %v1377
  br label %across.1380
across.1380:
  %x.1337 = phi i64 [ 0, %group7.1332 ], [ %x.1337.next, %across.1380 ]
  %before.1341 = phi <16 x i32> [ %v1349, %group7.1332 ], [ %here.1342, %across.1380 ]
  %here.1342 = phi <16 x i32> [ %v1350, %group7.1332 ], [ %v1345, %across.1380 ]
  %v1343 = getelementptr float, ptr %ring6.row.1340, i64 %x.1337
  %v1344 = getelementptr float, ptr %v1343, i64 16
  %v1345 = load <16 x i32>, ptr %v1344, align 64
  %v1351 = shufflevector <16 x i32> %here.1342, <16 x i32> %v1345, <16 x i32> <i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18>
  %v1352 = bitcast <16 x i32> %v1351 to <16 x float>
  %v1353 = shufflevector <16 x i32> %here.1342, <16 x i32> %v1345, <16 x i32> <i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17>
  %v1354 = bitcast <16 x i32> %v1353 to <16 x float>
  %v1355 = shufflevector <16 x i32> %here.1342, <16 x i32> %v1345, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16>
  %v1356 = bitcast <16 x i32> %v1355 to <16 x float>
  %v1357 = bitcast <16 x i32> %here.1342 to <16 x float>
  %v1358 = shufflevector <16 x i32> %before.1341, <16 x i32> %here.1342, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v1359 = bitcast <16 x i32> %v1358 to <16 x float>
  %v1360 = shufflevector <16 x i32> %before.1341, <16 x i32> %here.1342, <16 x i32> <i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29>
  %v1361 = bitcast <16 x i32> %v1360 to <16 x float>
  %v1362 = shufflevector <16 x i32> %before.1341, <16 x i32> %here.1342, <16 x i32> <i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28>
  %v1363 = bitcast <16 x i32> %v1362 to <16 x float>
  %v1364 = fcmp olt <16 x float> %v1363, %v1361
  %v1365 = select <16 x i1> %v1364, <16 x float> %v1363, <16 x float> %v1361
  %v1366 = fcmp olt <16 x float> %v1365, %v1359
  %v1367 = select <16 x i1> %v1366, <16 x float> %v1365, <16 x float> %v1359
  %v1368 = fcmp olt <16 x float> %v1367, %v1357
  %v1369 = select <16 x i1> %v1368, <16 x float> %v1367, <16 x float> %v1357
  %v1370 = fcmp olt <16 x float> %v1369, %v1356
  %v1371 = select <16 x i1> %v1370, <16 x float> %v1369, <16 x float> %v1356
  %v1372 = fcmp olt <16 x float> %v1371, %v1354
  %v1373 = select <16 x i1> %v1372, <16 x float> %v1371, <16 x float> %v1354
  %v1374 = fcmp olt <16 x float> %v1373, %v1352
  %v1375 = select <16 x i1> %v1374, <16 x float> %v1373, <16 x float> %v1352
  %v1379 = getelementptr float, ptr %ring8.row.1378, i64 %x.1337
  store <16 x float> %v1375, ptr %v1379, align 64
  %x.1337.next = add nuw nsw i64 %x.1337, 16
  %x.1337.more = icmp ult i64 %x.1337.next, 64
  br i1 %x.1337.more, label %across.1380, label %across.end.1381
across.end.1381:
  br label %group7.end.1333
group7.end.1333:
  ; group 8: output; 0 rows ahead; 0 more above, 0 below
  %r.1382 = add nsw i64 %s.73, 0
  %v1383 = icmp sge i64 %r.1382, %low8
  %v1384 = icmp slt i64 %r.1382, %high8
  %v1385 = and i1 %v1383, %v1384
  br i1 %v1385, label %group8.1386, label %group8.end.1387
group8.1386:
  %v1389 = add i64 %r.1382, 1
  %v1390 = call i64 @llvm.smax.i64(i64 %v1389, i64 0)
  %v1391 = call i64 @llvm.smin.i64(i64 %v1390, i64 47)
  %v1392 = urem i64 %v1391, 2
  %v1393 = mul nsw i64 %v1392, 112
  %ring8.row.1394 = getelementptr float, ptr %ring8, i64 %v1393
  %v1397 = urem i64 %r.1382, 2
  %v1398 = mul nsw i64 %v1397, 112
  %ring8.row.1399 = getelementptr float, ptr %ring8, i64 %v1398
  %v1402 = add i64 %r.1382, -1
  %v1403 = call i64 @llvm.smax.i64(i64 %v1402, i64 0)
  %v1404 = call i64 @llvm.smin.i64(i64 %v1403, i64 47)
  %v1405 = urem i64 %v1404, 2
  %v1406 = mul nsw i64 %v1405, 112
  %ring8.row.1407 = getelementptr float, ptr %ring8, i64 %v1406
  %v1414 = add i64 %r.1382, 2
  %v1415 = call i64 @llvm.smax.i64(i64 %v1414, i64 0)
  %v1416 = call i64 @llvm.smin.i64(i64 %v1415, i64 47)
  %v1417 = urem i64 %v1416, 5
  %v1418 = mul nsw i64 %v1417, 112
  %ring7.row.1419 = getelementptr float, ptr %ring7, i64 %v1418
  %v1422 = add i64 %r.1382, 1
  %v1423 = call i64 @llvm.smax.i64(i64 %v1422, i64 0)
  %v1424 = call i64 @llvm.smin.i64(i64 %v1423, i64 47)
  %v1425 = urem i64 %v1424, 5
  %v1426 = mul nsw i64 %v1425, 112
  %ring7.row.1427 = getelementptr float, ptr %ring7, i64 %v1426
  %v1430 = urem i64 %r.1382, 5
  %v1431 = mul nsw i64 %v1430, 112
  %ring7.row.1432 = getelementptr float, ptr %ring7, i64 %v1431
  %v1435 = add i64 %r.1382, -1
  %v1436 = call i64 @llvm.smax.i64(i64 %v1435, i64 0)
  %v1437 = call i64 @llvm.smin.i64(i64 %v1436, i64 47)
  %v1438 = urem i64 %v1437, 5
  %v1439 = mul nsw i64 %v1438, 112
  %ring7.row.1440 = getelementptr float, ptr %ring7, i64 %v1439
  %v1443 = add i64 %r.1382, -2
  %v1444 = call i64 @llvm.smax.i64(i64 %v1443, i64 0)
  %v1445 = call i64 @llvm.smin.i64(i64 %v1444, i64 47)
  %v1446 = urem i64 %v1445, 5
  %v1447 = mul nsw i64 %v1446, 112
  %ring7.row.1448 = getelementptr float, ptr %ring7, i64 %v1447
  %v1459 = add i64 %r.1382, 3
  %v1460 = call i64 @llvm.smax.i64(i64 %v1459, i64 0)
  %v1461 = call i64 @llvm.smin.i64(i64 %v1460, i64 47)
  %v1462 = urem i64 %v1461, 7
  %v1463 = mul nsw i64 %v1462, 160
  %ring6.row.1464 = getelementptr float, ptr %ring6, i64 %v1463
  %v1467 = add i64 %r.1382, 2
  %v1468 = call i64 @llvm.smax.i64(i64 %v1467, i64 0)
  %v1469 = call i64 @llvm.smin.i64(i64 %v1468, i64 47)
  %v1470 = urem i64 %v1469, 7
  %v1471 = mul nsw i64 %v1470, 160
  %ring6.row.1472 = getelementptr float, ptr %ring6, i64 %v1471
  %v1475 = add i64 %r.1382, 1
  %v1476 = call i64 @llvm.smax.i64(i64 %v1475, i64 0)
  %v1477 = call i64 @llvm.smin.i64(i64 %v1476, i64 47)
  %v1478 = urem i64 %v1477, 7
  %v1479 = mul nsw i64 %v1478, 160
  %ring6.row.1480 = getelementptr float, ptr %ring6, i64 %v1479
  %v1483 = urem i64 %r.1382, 7
  %v1484 = mul nsw i64 %v1483, 160
  %ring6.row.1485 = getelementptr float, ptr %ring6, i64 %v1484
  %v1488 = add i64 %r.1382, -1
  %v1489 = call i64 @llvm.smax.i64(i64 %v1488, i64 0)
  %v1490 = call i64 @llvm.smin.i64(i64 %v1489, i64 47)
  %v1491 = urem i64 %v1490, 7
  %v1492 = mul nsw i64 %v1491, 160
  %ring6.row.1493 = getelementptr float, ptr %ring6, i64 %v1492
  %v1496 = add i64 %r.1382, -2
  %v1497 = call i64 @llvm.smax.i64(i64 %v1496, i64 0)
  %v1498 = call i64 @llvm.smin.i64(i64 %v1497, i64 47)
  %v1499 = urem i64 %v1498, 7
  %v1500 = mul nsw i64 %v1499, 160
  %ring6.row.1501 = getelementptr float, ptr %ring6, i64 %v1500
  %v1504 = add i64 %r.1382, -3
  %v1505 = call i64 @llvm.smax.i64(i64 %v1504, i64 0)
  %v1506 = call i64 @llvm.smin.i64(i64 %v1505, i64 47)
  %v1507 = urem i64 %v1506, 7
  %v1508 = mul nsw i64 %v1507, 160
  %ring6.row.1509 = getelementptr float, ptr %ring6, i64 %v1508
  %v1529 = mul nsw i64 %r.1382, 64
  %out.row.1530 = getelementptr i8, ptr %output0, i64 %v1529
  br label %across.1534
across.1534:
  %x.1388 = phi i64 [ 0, %group8.1386 ], [ %x.1388.next, %across.1534 ]
  %v1395 = getelementptr float, ptr %ring8.row.1394, i64 %x.1388
  %v1396 = load <16 x float>, ptr %v1395, align 64
  %v1400 = getelementptr float, ptr %ring8.row.1399, i64 %x.1388
  %v1401 = load <16 x float>, ptr %v1400, align 64
  %v1408 = getelementptr float, ptr %ring8.row.1407, i64 %x.1388
  %v1409 = load <16 x float>, ptr %v1408, align 64
  %v1410 = fcmp olt <16 x float> %v1409, %v1401
  %v1411 = select <16 x i1> %v1410, <16 x float> %v1409, <16 x float> %v1401
  %v1412 = fcmp olt <16 x float> %v1411, %v1396
  %v1413 = select <16 x i1> %v1412, <16 x float> %v1411, <16 x float> %v1396
  %v1420 = getelementptr float, ptr %ring7.row.1419, i64 %x.1388
  %v1421 = load <16 x float>, ptr %v1420, align 64
  %v1428 = getelementptr float, ptr %ring7.row.1427, i64 %x.1388
  %v1429 = load <16 x float>, ptr %v1428, align 64
  %v1433 = getelementptr float, ptr %ring7.row.1432, i64 %x.1388
  %v1434 = load <16 x float>, ptr %v1433, align 64
  %v1441 = getelementptr float, ptr %ring7.row.1440, i64 %x.1388
  %v1442 = load <16 x float>, ptr %v1441, align 64
  %v1449 = getelementptr float, ptr %ring7.row.1448, i64 %x.1388
  %v1450 = load <16 x float>, ptr %v1449, align 64
  %v1451 = fcmp olt <16 x float> %v1450, %v1442
  %v1452 = select <16 x i1> %v1451, <16 x float> %v1450, <16 x float> %v1442
  %v1453 = fcmp olt <16 x float> %v1452, %v1434
  %v1454 = select <16 x i1> %v1453, <16 x float> %v1452, <16 x float> %v1434
  %v1455 = fcmp olt <16 x float> %v1454, %v1429
  %v1456 = select <16 x i1> %v1455, <16 x float> %v1454, <16 x float> %v1429
  %v1457 = fcmp olt <16 x float> %v1456, %v1421
  %v1458 = select <16 x i1> %v1457, <16 x float> %v1456, <16 x float> %v1421
  %v1465 = getelementptr float, ptr %ring6.row.1464, i64 %x.1388
  %v1466 = load <16 x float>, ptr %v1465, align 64
  %v1473 = getelementptr float, ptr %ring6.row.1472, i64 %x.1388
  %v1474 = load <16 x float>, ptr %v1473, align 64
  %v1481 = getelementptr float, ptr %ring6.row.1480, i64 %x.1388
  %v1482 = load <16 x float>, ptr %v1481, align 64
  %v1486 = getelementptr float, ptr %ring6.row.1485, i64 %x.1388
  %v1487 = load <16 x float>, ptr %v1486, align 64
  %v1494 = getelementptr float, ptr %ring6.row.1493, i64 %x.1388
  %v1495 = load <16 x float>, ptr %v1494, align 64
  %v1502 = getelementptr float, ptr %ring6.row.1501, i64 %x.1388
  %v1503 = load <16 x float>, ptr %v1502, align 64
  %v1510 = getelementptr float, ptr %ring6.row.1509, i64 %x.1388
  %v1511 = load <16 x float>, ptr %v1510, align 64
  %v1512 = fcmp olt <16 x float> %v1511, %v1503
  %v1513 = select <16 x i1> %v1512, <16 x float> %v1511, <16 x float> %v1503
  %v1514 = fcmp olt <16 x float> %v1513, %v1495
  %v1515 = select <16 x i1> %v1514, <16 x float> %v1513, <16 x float> %v1495
  %v1516 = fcmp olt <16 x float> %v1515, %v1487
  %v1517 = select <16 x i1> %v1516, <16 x float> %v1515, <16 x float> %v1487
  %v1518 = fcmp olt <16 x float> %v1517, %v1482
  %v1519 = select <16 x i1> %v1518, <16 x float> %v1517, <16 x float> %v1482
  %v1520 = fcmp olt <16 x float> %v1519, %v1474
  %v1521 = select <16 x i1> %v1520, <16 x float> %v1519, <16 x float> %v1474
  %v1522 = fcmp olt <16 x float> %v1521, %v1466
  %v1523 = select <16 x i1> %v1522, <16 x float> %v1521, <16 x float> %v1466
  %v1524 = fcmp olt <16 x float> %v1523, %v1458
  %v1525 = select <16 x i1> %v1524, <16 x float> %v1523, <16 x float> %v1458
  %v1526 = fcmp olt <16 x float> %v1525, %v1413
  %v1527 = select <16 x i1> %v1526, <16 x float> %v1525, <16 x float> %v1413
  %v1528 = fcmp ole <16 x float> %v1527, %v1184
  %v1531 = getelementptr i8, ptr %out.row.1530, i64 %x.1388
  %v1532 = zext <16 x i1> %v1528 to <16 x i8>
  %v1533 = getelementptr i8, ptr %v1531, i64 128
  call void @llvm.prefetch.p0(ptr %v1533, i32 1, i32 3, i32 1)
  store <16 x i8> %v1532, ptr %v1531, align 1
  %x.1388.next = add nuw nsw i64 %x.1388, 16
  %x.1388.more = icmp ult i64 %x.1388.next, 64
  br i1 %x.1388.more, label %across.1534, label %across.end.1535
across.end.1535:
  br label %group8.end.1387
group8.end.1387:
  br label %joined.1138
joined.1138:
  br label %step.next.74
step.next.74:
  %s.73.next = add nsw i64 %s.73, 1
  br label %step.70
step.end.72:
  br label %t.next.65
t.next.65:
  %t.64.next = add nsw i64 %t.64, 1
  br label %t.61
t.end.63:
  ret void
}

declare i64 @llvm.abs.i64(i64, i1)
declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.smin.i64(i64, i64)
declare void @llvm.prefetch.p0(ptr, i32, i32, i32)

; pupil: a host function, nothing is generated
