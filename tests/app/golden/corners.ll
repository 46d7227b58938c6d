; gray+response+candidates
;
; in0: 64x48 u8
; candidates.out: table of x, y, value, dx, dy (at most 768 rows), leaves
; candidates.threshold: f32, an argument
; pass 0, images of 64x48
;   ring1: i16, 1 row, reflect101 1 px left and 1 px right
;   ring2: i16, 2 rows
;   ring3: i16, 2 rows
;   ring4: i32, 1 row, reflect101 3 px left and 3 px right
;   ring5: i32, 1 row, reflect101 3 px left and 3 px right
;   ring6: i32, 1 row, reflect101 3 px left and 3 px right
;   ring7: i32, 6 rows
;   ring8: i32, 6 rows
;   ring9: i32, 6 rows
;   ring10: f32, 3 rows, reflect101 1 px left and 1 px right
;   ring11: i32, 2 rows, constant -2.1391e+09 1 px left and 1 px right
;   ring12: i32, 2 rows
;   ring13: bool, 1 row
;   row y+5, from 5 above the strip to 5 below, 32 pixels a vector:
;     ring1 = i16(in0[y, x])
;   row y+5, from 5 above the strip to 5 below, 32 pixels a vector:
;     ring2 = (-ring1[y, x-1]) + ring1[y, x+1]
;     ring3 = (ring1[y, x-1] + (ring1[y, x] * 2)) + ring1[y, x+1]
;   row y+4, from 4 above the strip to 4 below, 32 pixels a vector:
;     t1 = i32((ring2[y-1, x]{reflect101} + (ring2[y, x] * 2)) + ring2[y+1, x]{reflect101})
;     ring4 = t1 * t1
;     t3 = i32((-ring3[y-1, x]{reflect101}) + ring3[y+1, x]{reflect101})
;     ring5 = t3 * t3
;     ring6 = t1 * t3
;   row y+4, from 4 above the strip to 4 below, 16 pixels a vector:
;     t1 = ((((ring4[y, x-3] + ring4[y, x-2]) + ring4[y, x-1]) + ring4[y, x]) + ring4[y, x+1]) + ring4[y, x+2]
;     ring7 = t1 + ring4[y, x+3]
;     t3 = ((((ring5[y, x-3] + ring5[y, x-2]) + ring5[y, x-1]) + ring5[y, x]) + ring5[y, x+1]) + ring5[y, x+2]
;     ring8 = t3 + ring5[y, x+3]
;     t5 = ((((ring6[y, x-3] + ring6[y, x-2]) + ring6[y, x-1]) + ring6[y, x]) + ring6[y, x+1]) + ring6[y, x+2]
;     ring9 = t5 + ring6[y, x+3]
;   row y+1, from 1 above the strip to 1 below, 16 pixels a vector:
;     t1 = ((ring7[y-3, x]{reflect101} + ring7[y-2, x]{reflect101}) + ring7[y-1, x]{reflect101}) + ring7[y, x]
;     t2 = ((t1 + ring7[y+1, x]{reflect101}) + ring7[y+2, x]{reflect101}) + ring7[y+3, x]{reflect101}
;     t3 = f32(t2) * 1.9615688628960015e-08
;     t4 = ((ring8[y-3, x]{reflect101} + ring8[y-2, x]{reflect101}) + ring8[y-1, x]{reflect101}) + ring8[y, x]
;     t5 = ((t4 + ring8[y+1, x]{reflect101}) + ring8[y+2, x]{reflect101}) + ring8[y+3, x]{reflect101}
;     t6 = f32(t5) * 1.9615688628960015e-08
;     t7 = (t3 - t6) * 0.5
;     t8 = ((ring9[y-3, x]{reflect101} + ring9[y-2, x]{reflect101}) + ring9[y-1, x]{reflect101}) + ring9[y, x]
;     t9 = ((t8 + ring9[y+1, x]{reflect101}) + ring9[y+2, x]{reflect101}) + ring9[y+3, x]{reflect101}
;     t10 = f32(t9) * 1.9615688628960015e-08
;     ring10 = ((t3 + t6) * 0.5) - sqrt((t7 * t7) + (t10 * t10))
;     t12 = bits(ring10)
;     t13 = t12 >> 31
;     ring11 = ((t12 & 2147483647) ^ t13) - t13
;   row y+1, from 1 above the strip to 1 below, 16 pixels a vector:
;     ring12 = max(max(ring11[y, x-1], ring11[y, x]), ring11[y, x+1])
;   row y, 16 pixels a vector:
;     t1 = (max(ring12[y-1, x]{constant -2.1391e+09}, ring11[y, x-1]) < ring11[y, x]) & (max(ring12[y, x], ring12[y+1, x]{constant -2.1391e+09}) <= ring11[y, x])
;     ring13 = ((candidates.threshold < ring10[y, x]) & (ring10[y, x] == ring10[y, x])) & t1
;   row y, 16 pixels a vector:
;     t1 = ring10[y, x] - ring10[y, x-1]
;     t2 = ring10[y, x] - ring10[y, x+1]
;     t3 = t1 + t2
;     t4 = ring10[y, x] - ring10[y-1, x]{reflect101}
;     t5 = ring10[y, x] - ring10[y+1, x]{reflect101}
;     t6 = t4 + t5
;     candidates.out: a row where ring13[y, x]
;       value = ring10[y, x]
;       dx = select(0.0 < t3, ((t1 - t2) / t3) * 0.5, 0.0)
;       dy = select(0.0 < t6, ((t4 - t5) / t6) * 0.5, 0.0)

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
  %v9 = sub i64 %first_row, 5
  %v10 = add i64 %last_row, 5
  %low0 = call i64 @llvm.smax.i64(i64 %v9, i64 0)
  %high0 = call i64 @llvm.smin.i64(i64 %v10, i64 48)
  %v11 = sub i64 %first_row, 5
  %v12 = add i64 %last_row, 5
  %low1 = call i64 @llvm.smax.i64(i64 %v11, i64 0)
  %high1 = call i64 @llvm.smin.i64(i64 %v12, i64 48)
  %v13 = sub i64 %first_row, 4
  %v14 = add i64 %last_row, 4
  %low2 = call i64 @llvm.smax.i64(i64 %v13, i64 0)
  %high2 = call i64 @llvm.smin.i64(i64 %v14, i64 48)
  %v15 = sub i64 %first_row, 4
  %v16 = add i64 %last_row, 4
  %low3 = call i64 @llvm.smax.i64(i64 %v15, i64 0)
  %high3 = call i64 @llvm.smin.i64(i64 %v16, i64 48)
  %v17 = sub i64 %first_row, 1
  %v18 = add i64 %last_row, 1
  %low4 = call i64 @llvm.smax.i64(i64 %v17, i64 0)
  %high4 = call i64 @llvm.smin.i64(i64 %v18, i64 48)
  %v19 = sub i64 %first_row, 1
  %v20 = add i64 %last_row, 1
  %low5 = call i64 @llvm.smax.i64(i64 %v19, i64 0)
  %high5 = call i64 @llvm.smin.i64(i64 %v20, i64 48)
  %v21 = sub i64 %first_row, 0
  %v22 = add i64 %last_row, 0
  %low6 = call i64 @llvm.smax.i64(i64 %v21, i64 0)
  %high6 = call i64 @llvm.smin.i64(i64 %v22, i64 48)
  %v23 = sub i64 %first_row, 0
  %v24 = add i64 %last_row, 0
  %low7 = call i64 @llvm.smax.i64(i64 %v23, i64 0)
  %high7 = call i64 @llvm.smin.i64(i64 %v24, i64 48)
  %v25 = sub i64 %low0, 5
  %v26 = sub i64 %low1, 5
  %v27 = sub i64 %low2, 4
  %v28 = sub i64 %low3, 4
  %v29 = sub i64 %low4, 1
  %v30 = sub i64 %low5, 1
  %v31 = sub i64 %low6, 0
  %v32 = sub i64 %low7, 0
  %v33 = sub i64 %high0, 5
  %v34 = sub i64 %high1, 5
  %v35 = sub i64 %high2, 4
  %v36 = sub i64 %high3, 4
  %v37 = sub i64 %high4, 1
  %v38 = sub i64 %high5, 1
  %v39 = sub i64 %high6, 0
  %v40 = sub i64 %high7, 0
  %v41 = call i64 @llvm.smin.i64(i64 %v25, i64 %v26)
  %v42 = call i64 @llvm.smin.i64(i64 %v41, i64 %v27)
  %v43 = call i64 @llvm.smin.i64(i64 %v42, i64 %v28)
  %v44 = call i64 @llvm.smin.i64(i64 %v43, i64 %v29)
  %v45 = call i64 @llvm.smin.i64(i64 %v44, i64 %v30)
  %v46 = call i64 @llvm.smin.i64(i64 %v45, i64 %v31)
  %v47 = call i64 @llvm.smin.i64(i64 %v46, i64 %v32)
  %v48 = call i64 @llvm.smax.i64(i64 %v33, i64 %v34)
  %v49 = call i64 @llvm.smax.i64(i64 %v48, i64 %v35)
  %v50 = call i64 @llvm.smax.i64(i64 %v49, i64 %v36)
  %v51 = call i64 @llvm.smax.i64(i64 %v50, i64 %v37)
  %v52 = call i64 @llvm.smax.i64(i64 %v51, i64 %v38)
  %v53 = call i64 @llvm.smax.i64(i64 %v52, i64 %v39)
  %v54 = call i64 @llvm.smax.i64(i64 %v53, i64 %v40)
  %ring1 = getelementptr i8, ptr %scratch, i64 64
  %ring2 = getelementptr i8, ptr %scratch, i64 384
  %ring3 = getelementptr i8, ptr %scratch, i64 896
  %ring4 = getelementptr i8, ptr %scratch, i64 1536
  %ring5 = getelementptr i8, ptr %scratch, i64 2176
  %ring6 = getelementptr i8, ptr %scratch, i64 2816
  %ring7 = getelementptr i8, ptr %scratch, i64 3328
  %ring8 = getelementptr i8, ptr %scratch, i64 6016
  %ring9 = getelementptr i8, ptr %scratch, i64 8704
  %ring10 = getelementptr i8, ptr %scratch, i64 11520
  %ring11 = getelementptr i8, ptr %scratch, i64 13440
  %ring12 = getelementptr i8, ptr %scratch, i64 14592
  %ring13 = getelementptr i8, ptr %scratch, i64 15488
  %v1132 = getelementptr i8, ptr %args, i64 64
  %param.1133 = load float, ptr %v1132, align 8
  %v1134 = insertelement <16 x float> poison, float %param.1133, i64 0
  %v1135 = shufflevector <16 x float> %v1134, <16 x float> poison, <16 x i32> zeroinitializer
  br label %t.55
t.55:
  %t.58 = phi i64 [ %first_frame, %entry ], [ %t.58.next, %t.next.59 ]
  %v60 = icmp slt i64 %t.58, %last_frame
  br i1 %v60, label %t.do.56, label %t.end.57
t.do.56:
  %v1380 = mul i64 %frames, 0
  %v1381 = add i64 %v1380, %t.58
  %v1382 = getelementptr ptr, ptr %images, i64 %v1381
  %input0 = load ptr, ptr %v1382, align 8
  %v61 = icmp eq i64 %t.58, 0
  %v62 = icmp ne i64 %is_first, 0
  %v63 = and i1 %v61, %v62
  br label %step.64
step.64:
  %s.67 = phi i64 [ %v47, %t.do.56 ], [ %s.67.next, %step.next.68 ]
  %v69 = icmp slt i64 %s.67, %v54
  br i1 %v69, label %step.do.65, label %step.end.66
step.do.65:
  ; group 0: plane ring1; 5 rows ahead; 5 more above, 5 below
  %r.70 = add nsw i64 %s.67, 5
  %v71 = icmp sge i64 %r.70, %low0
  %v72 = icmp slt i64 %r.70, %high0
  %v73 = and i1 %v71, %v72
  br i1 %v73, label %group0.74, label %group0.end.75
group0.74:
  %v76 = icmp sge i64 %r.70, %first_row
  %v77 = icmp slt i64 %r.70, %last_row
  %v78 = and i1 %v76, %v77
  %v80 = mul nsw i64 %r.70, 64
  %in.row.81 = getelementptr i8, ptr %input0, i64 %v80
  br label %across.92
across.92:
  %x.79 = phi i64 [ 0, %group0.74 ], [ %x.79.next, %across.92 ]
  %v82 = getelementptr i8, ptr %in.row.81, i64 %x.79
  %v83 = getelementptr i8, ptr %v82, i64 128
  call void @llvm.prefetch.p0(ptr %v83, i32 0, i32 3, i32 1)
  %v84 = load <32 x i8>, ptr %v82, align 1
  %v85 = zext <32 x i8> %v84 to <32 x i16>
  %v86 = getelementptr i16, ptr %ring1, i64 %x.79
  store <32 x i16> %v85, ptr %v86, align 64
  %v87 = add i64 %x.79, 32
  %v88 = getelementptr i8, ptr %in.row.81, i64 %v87
  %v89 = load <32 x i8>, ptr %v88, align 1
  %v90 = zext <32 x i8> %v89 to <32 x i16>
  %v91 = getelementptr i16, ptr %ring1, i64 %v87
  store <32 x i16> %v90, ptr %v91, align 64
  %x.79.next = add nuw nsw i64 %x.79, 64
  %x.79.more = icmp ult i64 %x.79.next, 64
  br i1 %x.79.more, label %across.92, label %across.end.93
across.end.93:
  %v94 = getelementptr i16, ptr %ring1, i64 1
  %v95 = load i16, ptr %v94
  %v96 = getelementptr i16, ptr %ring1, i64 -1
  store i16 %v95, ptr %v96
  %v97 = getelementptr i16, ptr %ring1, i64 62
  %v98 = load i16, ptr %v97
  %v99 = getelementptr i16, ptr %ring1, i64 64
  store i16 %v98, ptr %v99
  br label %group0.end.75
group0.end.75:
  ; group 1: plane ring2, plane ring3; 5 rows ahead; 5 more above, 5 below
  %r.100 = add nsw i64 %s.67, 5
  %v101 = icmp sge i64 %r.100, %low1
  %v102 = icmp slt i64 %r.100, %high1
  %v103 = and i1 %v101, %v102
  ; group 2: plane ring4, plane ring5, plane ring6; 4 rows ahead; 4 more above, 4 below
  %r.104 = add nsw i64 %s.67, 4
  %v105 = icmp sge i64 %r.104, %low2
  %v106 = icmp slt i64 %r.104, %high2
  %v107 = and i1 %v105, %v106
  %v108 = icmp sge i64 %r.104, 1
  %v109 = and i1 %v103, %v107
  %v110 = and i1 %v108, %v109
  br i1 %v110, label %together.111, label %apart.112
together.111:
  %v114 = icmp sge i64 %r.100, %first_row
  %v115 = icmp slt i64 %r.100, %last_row
  %v116 = and i1 %v114, %v115
  %v126 = load <32 x i16>, ptr %ring1, align 64
  %v127 = shufflevector <32 x i16> %v126, <32 x i16> poison, <32 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 1>
  %v128 = load <32 x i16>, ptr %ring1, align 64
  %v169 = urem i64 %r.100, 2
  %v170 = mul nsw i64 %v169, 128
  %ring2.row.171 = getelementptr i16, ptr %ring2, i64 %v170
  %v173 = urem i64 %r.100, 2
  %v174 = mul nsw i64 %v173, 128
  %ring3.row.175 = getelementptr i16, ptr %ring3, i64 %v174
  %v117 = icmp sge i64 %r.104, %first_row
  %v118 = icmp slt i64 %r.104, %last_row
  %v119 = and i1 %v117, %v118
  %v136 = urem i64 %r.104, 2
  %v137 = mul nsw i64 %v136, 128
  %ring2.row.138 = getelementptr i16, ptr %ring2, i64 %v137
  %v142 = add i64 %r.104, -1
  %v143 = call i64 @llvm.abs.i64(i64 %v142, i1 false)
  %v144 = sub i64 94, %v143
  %v145 = call i64 @llvm.smin.i64(i64 %v143, i64 %v144)
  %v146 = urem i64 %v145, 2
  %v147 = mul nsw i64 %v146, 128
  %ring2.row.148 = getelementptr i16, ptr %ring2, i64 %v147
  %v155 = add i64 %r.104, -1
  %v156 = call i64 @llvm.abs.i64(i64 %v155, i1 false)
  %v157 = sub i64 94, %v156
  %v158 = call i64 @llvm.smin.i64(i64 %v156, i64 %v157)
  %v159 = urem i64 %v158, 2
  %v160 = mul nsw i64 %v159, 128
  %ring3.row.161 = getelementptr i16, ptr %ring3, i64 %v160
  br label %across.212
across.212:
  %x.120 = phi i64 [ 0, %together.111 ], [ %x.120.next, %across.212 ]
  %before.121 = phi <32 x i16> [ %v127, %together.111 ], [ %v125, %across.212 ]
  %here.122 = phi <32 x i16> [ %v128, %together.111 ], [ %v183, %across.212 ]
  %v123 = getelementptr i16, ptr %ring1, i64 %x.120
  %v124 = getelementptr i16, ptr %v123, i64 32
  %v125 = load <32 x i16>, ptr %v124, align 64
  %v129 = shufflevector <32 x i16> %here.122, <32 x i16> %v125, <32 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31, i32 32>
  %v130 = shufflevector <32 x i16> %before.121, <32 x i16> %here.122, <32 x i32> <i32 31, i32 32, i32 33, i32 34, i32 35, i32 36, i32 37, i32 38, i32 39, i32 40, i32 41, i32 42, i32 43, i32 44, i32 45, i32 46, i32 47, i32 48, i32 49, i32 50, i32 51, i32 52, i32 53, i32 54, i32 55, i32 56, i32 57, i32 58, i32 59, i32 60, i32 61, i32 62>
  %v131 = sub <32 x i16> zeroinitializer, %v130
  %v132 = add <32 x i16> %v131, %v129
  %v133 = mul <32 x i16> %here.122, splat (i16 2)
  %v134 = add <32 x i16> %v130, %v133
  %v135 = add <32 x i16> %v134, %v129
  %v139 = getelementptr i16, ptr %ring2.row.138, i64 %x.120
  %v140 = load <32 x i16>, ptr %v139, align 64
  %v141 = mul <32 x i16> %v140, splat (i16 2)
  %v149 = getelementptr i16, ptr %ring2.row.148, i64 %x.120
  %v150 = load <32 x i16>, ptr %v149, align 64
  %v151 = add <32 x i16> %v150, %v141
  %v152 = add <32 x i16> %v151, %v132
  %v153 = sext <32 x i16> %v152 to <32 x i32>
  %v154 = mul <32 x i32> %v153, %v153
  %v162 = getelementptr i16, ptr %ring3.row.161, i64 %x.120
  %v163 = load <32 x i16>, ptr %v162, align 64
  %v164 = sub <32 x i16> zeroinitializer, %v163
  %v165 = add <32 x i16> %v164, %v135
  %v166 = sext <32 x i16> %v165 to <32 x i32>
  %v167 = mul <32 x i32> %v166, %v166
  %v168 = mul <32 x i32> %v153, %v166
  %v172 = getelementptr i16, ptr %ring2.row.171, i64 %x.120
  store <32 x i16> %v132, ptr %v172, align 64
  %v176 = getelementptr i16, ptr %ring3.row.175, i64 %x.120
  store <32 x i16> %v135, ptr %v176, align 64
  %v177 = getelementptr i32, ptr %ring4, i64 %x.120
  store <32 x i32> %v154, ptr %v177, align 64
  %v178 = getelementptr i32, ptr %ring5, i64 %x.120
  store <32 x i32> %v167, ptr %v178, align 64
  %v179 = getelementptr i32, ptr %ring6, i64 %x.120
  store <32 x i32> %v168, ptr %v179, align 64
  %v180 = add i64 %x.120, 32
  %v181 = getelementptr i16, ptr %ring1, i64 %v180
  %v182 = getelementptr i16, ptr %v181, i64 32
  %v183 = load <32 x i16>, ptr %v182, align 64
  %v184 = shufflevector <32 x i16> %v125, <32 x i16> %v183, <32 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31, i32 32>
  %v185 = shufflevector <32 x i16> %here.122, <32 x i16> %v125, <32 x i32> <i32 31, i32 32, i32 33, i32 34, i32 35, i32 36, i32 37, i32 38, i32 39, i32 40, i32 41, i32 42, i32 43, i32 44, i32 45, i32 46, i32 47, i32 48, i32 49, i32 50, i32 51, i32 52, i32 53, i32 54, i32 55, i32 56, i32 57, i32 58, i32 59, i32 60, i32 61, i32 62>
  %v186 = sub <32 x i16> zeroinitializer, %v185
  %v187 = add <32 x i16> %v186, %v184
  %v188 = mul <32 x i16> %v125, splat (i16 2)
  %v189 = add <32 x i16> %v185, %v188
  %v190 = add <32 x i16> %v189, %v184
  %v191 = getelementptr i16, ptr %ring2.row.138, i64 %v180
  %v192 = load <32 x i16>, ptr %v191, align 64
  %v193 = mul <32 x i16> %v192, splat (i16 2)
  %v194 = getelementptr i16, ptr %ring2.row.148, i64 %v180
  %v195 = load <32 x i16>, ptr %v194, align 64
  %v196 = add <32 x i16> %v195, %v193
  %v197 = add <32 x i16> %v196, %v187
  %v198 = sext <32 x i16> %v197 to <32 x i32>
  %v199 = mul <32 x i32> %v198, %v198
  %v200 = getelementptr i16, ptr %ring3.row.161, i64 %v180
  %v201 = load <32 x i16>, ptr %v200, align 64
  %v202 = sub <32 x i16> zeroinitializer, %v201
  %v203 = add <32 x i16> %v202, %v190
  %v204 = sext <32 x i16> %v203 to <32 x i32>
  %v205 = mul <32 x i32> %v204, %v204
  %v206 = mul <32 x i32> %v198, %v204
  %v207 = getelementptr i16, ptr %ring2.row.171, i64 %v180
  store <32 x i16> %v187, ptr %v207, align 64
  %v208 = getelementptr i16, ptr %ring3.row.175, i64 %v180
  store <32 x i16> %v190, ptr %v208, align 64
  %v209 = getelementptr i32, ptr %ring4, i64 %v180
  store <32 x i32> %v199, ptr %v209, align 64
  %v210 = getelementptr i32, ptr %ring5, i64 %v180
  store <32 x i32> %v205, ptr %v210, align 64
  %v211 = getelementptr i32, ptr %ring6, i64 %v180
  store <32 x i32> %v206, ptr %v211, align 64
  %x.120.next = add nuw nsw i64 %x.120, 64
  %x.120.more = icmp ult i64 %x.120.next, 64
  br i1 %x.120.more, label %across.212, label %across.end.213
across.end.213:
  %v214 = getelementptr i32, ptr %ring4, i64 3
  %v215 = load i32, ptr %v214
  %v216 = getelementptr i32, ptr %ring4, i64 -3
  store i32 %v215, ptr %v216
  %v217 = getelementptr i32, ptr %ring4, i64 2
  %v218 = load i32, ptr %v217
  %v219 = getelementptr i32, ptr %ring4, i64 -2
  store i32 %v218, ptr %v219
  %v220 = getelementptr i32, ptr %ring4, i64 1
  %v221 = load i32, ptr %v220
  %v222 = getelementptr i32, ptr %ring4, i64 -1
  store i32 %v221, ptr %v222
  %v223 = getelementptr i32, ptr %ring4, i64 62
  %v224 = load i32, ptr %v223
  %v225 = getelementptr i32, ptr %ring4, i64 64
  store i32 %v224, ptr %v225
  %v226 = getelementptr i32, ptr %ring4, i64 61
  %v227 = load i32, ptr %v226
  %v228 = getelementptr i32, ptr %ring4, i64 65
  store i32 %v227, ptr %v228
  %v229 = getelementptr i32, ptr %ring4, i64 60
  %v230 = load i32, ptr %v229
  %v231 = getelementptr i32, ptr %ring4, i64 66
  store i32 %v230, ptr %v231
  %v232 = getelementptr i32, ptr %ring5, i64 3
  %v233 = load i32, ptr %v232
  %v234 = getelementptr i32, ptr %ring5, i64 -3
  store i32 %v233, ptr %v234
  %v235 = getelementptr i32, ptr %ring5, i64 2
  %v236 = load i32, ptr %v235
  %v237 = getelementptr i32, ptr %ring5, i64 -2
  store i32 %v236, ptr %v237
  %v238 = getelementptr i32, ptr %ring5, i64 1
  %v239 = load i32, ptr %v238
  %v240 = getelementptr i32, ptr %ring5, i64 -1
  store i32 %v239, ptr %v240
  %v241 = getelementptr i32, ptr %ring5, i64 62
  %v242 = load i32, ptr %v241
  %v243 = getelementptr i32, ptr %ring5, i64 64
  store i32 %v242, ptr %v243
  %v244 = getelementptr i32, ptr %ring5, i64 61
  %v245 = load i32, ptr %v244
  %v246 = getelementptr i32, ptr %ring5, i64 65
  store i32 %v245, ptr %v246
  %v247 = getelementptr i32, ptr %ring5, i64 60
  %v248 = load i32, ptr %v247
  %v249 = getelementptr i32, ptr %ring5, i64 66
  store i32 %v248, ptr %v249
  %v250 = getelementptr i32, ptr %ring6, i64 3
  %v251 = load i32, ptr %v250
  %v252 = getelementptr i32, ptr %ring6, i64 -3
  store i32 %v251, ptr %v252
  %v253 = getelementptr i32, ptr %ring6, i64 2
  %v254 = load i32, ptr %v253
  %v255 = getelementptr i32, ptr %ring6, i64 -2
  store i32 %v254, ptr %v255
  %v256 = getelementptr i32, ptr %ring6, i64 1
  %v257 = load i32, ptr %v256
  %v258 = getelementptr i32, ptr %ring6, i64 -1
  store i32 %v257, ptr %v258
  %v259 = getelementptr i32, ptr %ring6, i64 62
  %v260 = load i32, ptr %v259
  %v261 = getelementptr i32, ptr %ring6, i64 64
  store i32 %v260, ptr %v261
  %v262 = getelementptr i32, ptr %ring6, i64 61
  %v263 = load i32, ptr %v262
  %v264 = getelementptr i32, ptr %ring6, i64 65
  store i32 %v263, ptr %v264
  %v265 = getelementptr i32, ptr %ring6, i64 60
  %v266 = load i32, ptr %v265
  %v267 = getelementptr i32, ptr %ring6, i64 66
  store i32 %v266, ptr %v267
  br label %joined.113
apart.112:
  ; group 1: plane ring2, plane ring3; 5 rows ahead; 5 more above, 5 below
  %r.268 = add nsw i64 %s.67, 5
  %v269 = icmp sge i64 %r.268, %low1
  %v270 = icmp slt i64 %r.268, %high1
  %v271 = and i1 %v269, %v270
  br i1 %v271, label %group1.272, label %group1.end.273
group1.272:
  %v274 = icmp sge i64 %r.268, %first_row
  %v275 = icmp slt i64 %r.268, %last_row
  %v276 = and i1 %v274, %v275
  %v283 = load <32 x i16>, ptr %ring1, align 64
  %v284 = shufflevector <32 x i16> %v283, <32 x i16> poison, <32 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 1>
  %v285 = load <32 x i16>, ptr %ring1, align 64
  %v293 = urem i64 %r.268, 2
  %v294 = mul nsw i64 %v293, 128
  %ring2.row.295 = getelementptr i16, ptr %ring2, i64 %v294
  %v297 = urem i64 %r.268, 2
  %v298 = mul nsw i64 %v297, 128
  %ring3.row.299 = getelementptr i16, ptr %ring3, i64 %v298
  br label %across.301
across.301:
  %x.277 = phi i64 [ 0, %group1.272 ], [ %x.277.next, %across.301 ]
  %before.278 = phi <32 x i16> [ %v284, %group1.272 ], [ %here.279, %across.301 ]
  %here.279 = phi <32 x i16> [ %v285, %group1.272 ], [ %v282, %across.301 ]
  %v280 = getelementptr i16, ptr %ring1, i64 %x.277
  %v281 = getelementptr i16, ptr %v280, i64 32
  %v282 = load <32 x i16>, ptr %v281, align 64
  %v286 = shufflevector <32 x i16> %here.279, <32 x i16> %v282, <32 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31, i32 32>
  %v287 = shufflevector <32 x i16> %before.278, <32 x i16> %here.279, <32 x i32> <i32 31, i32 32, i32 33, i32 34, i32 35, i32 36, i32 37, i32 38, i32 39, i32 40, i32 41, i32 42, i32 43, i32 44, i32 45, i32 46, i32 47, i32 48, i32 49, i32 50, i32 51, i32 52, i32 53, i32 54, i32 55, i32 56, i32 57, i32 58, i32 59, i32 60, i32 61, i32 62>
  %v288 = sub <32 x i16> zeroinitializer, %v287
  %v289 = add <32 x i16> %v288, %v286
  %v290 = mul <32 x i16> %here.279, splat (i16 2)
  %v291 = add <32 x i16> %v287, %v290
  %v292 = add <32 x i16> %v291, %v286
  %v296 = getelementptr i16, ptr %ring2.row.295, i64 %x.277
  store <32 x i16> %v289, ptr %v296, align 64
  %v300 = getelementptr i16, ptr %ring3.row.299, i64 %x.277
  store <32 x i16> %v292, ptr %v300, align 64
  %x.277.next = add nuw nsw i64 %x.277, 32
  %x.277.more = icmp ult i64 %x.277.next, 64
  br i1 %x.277.more, label %across.301, label %across.end.302
across.end.302:
  br label %group1.end.273
group1.end.273:
  ; group 2: plane ring4, plane ring5, plane ring6; 4 rows ahead; 4 more above, 4 below
  %r.303 = add nsw i64 %s.67, 4
  %v304 = icmp sge i64 %r.303, %low2
  %v305 = icmp slt i64 %r.303, %high2
  %v306 = and i1 %v304, %v305
  br i1 %v306, label %group2.307, label %group2.end.308
group2.307:
  %v309 = icmp sge i64 %r.303, %first_row
  %v310 = icmp slt i64 %r.303, %last_row
  %v311 = and i1 %v309, %v310
  %v313 = add i64 %r.303, 1
  %v314 = call i64 @llvm.abs.i64(i64 %v313, i1 false)
  %v315 = sub i64 94, %v314
  %v316 = call i64 @llvm.smin.i64(i64 %v314, i64 %v315)
  %v317 = urem i64 %v316, 2
  %v318 = mul nsw i64 %v317, 128
  %ring2.row.319 = getelementptr i16, ptr %ring2, i64 %v318
  %v322 = urem i64 %r.303, 2
  %v323 = mul nsw i64 %v322, 128
  %ring2.row.324 = getelementptr i16, ptr %ring2, i64 %v323
  %v328 = add i64 %r.303, -1
  %v329 = call i64 @llvm.abs.i64(i64 %v328, i1 false)
  %v330 = sub i64 94, %v329
  %v331 = call i64 @llvm.smin.i64(i64 %v329, i64 %v330)
  %v332 = urem i64 %v331, 2
  %v333 = mul nsw i64 %v332, 128
  %ring2.row.334 = getelementptr i16, ptr %ring2, i64 %v333
  %v341 = add i64 %r.303, 1
  %v342 = call i64 @llvm.abs.i64(i64 %v341, i1 false)
  %v343 = sub i64 94, %v342
  %v344 = call i64 @llvm.smin.i64(i64 %v342, i64 %v343)
  %v345 = urem i64 %v344, 2
  %v346 = mul nsw i64 %v345, 128
  %ring3.row.347 = getelementptr i16, ptr %ring3, i64 %v346
  %v350 = add i64 %r.303, -1
  %v351 = call i64 @llvm.abs.i64(i64 %v350, i1 false)
  %v352 = sub i64 94, %v351
  %v353 = call i64 @llvm.smin.i64(i64 %v351, i64 %v352)
  %v354 = urem i64 %v353, 2
  %v355 = mul nsw i64 %v354, 128
  %ring3.row.356 = getelementptr i16, ptr %ring3, i64 %v355
  br label %across.367
across.367:
  %x.312 = phi i64 [ 0, %group2.307 ], [ %x.312.next, %across.367 ]
  %v320 = getelementptr i16, ptr %ring2.row.319, i64 %x.312
  %v321 = load <32 x i16>, ptr %v320, align 64
  %v325 = getelementptr i16, ptr %ring2.row.324, i64 %x.312
  %v326 = load <32 x i16>, ptr %v325, align 64
  %v327 = mul <32 x i16> %v326, splat (i16 2)
  %v335 = getelementptr i16, ptr %ring2.row.334, i64 %x.312
  %v336 = load <32 x i16>, ptr %v335, align 64
  %v337 = add <32 x i16> %v336, %v327
  %v338 = add <32 x i16> %v337, %v321
  %v339 = sext <32 x i16> %v338 to <32 x i32>
  %v340 = mul <32 x i32> %v339, %v339
  %v348 = getelementptr i16, ptr %ring3.row.347, i64 %x.312
  %v349 = load <32 x i16>, ptr %v348, align 64
  %v357 = getelementptr i16, ptr %ring3.row.356, i64 %x.312
  %v358 = load <32 x i16>, ptr %v357, align 64
  %v359 = sub <32 x i16> zeroinitializer, %v358
  %v360 = add <32 x i16> %v359, %v349
  %v361 = sext <32 x i16> %v360 to <32 x i32>
  %v362 = mul <32 x i32> %v361, %v361
  %v363 = mul <32 x i32> %v339, %v361
  %v364 = getelementptr i32, ptr %ring4, i64 %x.312
  store <32 x i32> %v340, ptr %v364, align 64
  %v365 = getelementptr i32, ptr %ring5, i64 %x.312
  store <32 x i32> %v362, ptr %v365, align 64
  %v366 = getelementptr i32, ptr %ring6, i64 %x.312
  store <32 x i32> %v363, ptr %v366, align 64
  %x.312.next = add nuw nsw i64 %x.312, 32
  %x.312.more = icmp ult i64 %x.312.next, 64
  br i1 %x.312.more, label %across.367, label %across.end.368
across.end.368:
  %v369 = getelementptr i32, ptr %ring4, i64 3
  %v370 = load i32, ptr %v369
  %v371 = getelementptr i32, ptr %ring4, i64 -3
  store i32 %v370, ptr %v371
  %v372 = getelementptr i32, ptr %ring4, i64 2
  %v373 = load i32, ptr %v372
  %v374 = getelementptr i32, ptr %ring4, i64 -2
  store i32 %v373, ptr %v374
  %v375 = getelementptr i32, ptr %ring4, i64 1
  %v376 = load i32, ptr %v375
  %v377 = getelementptr i32, ptr %ring4, i64 -1
  store i32 %v376, ptr %v377
  %v378 = getelementptr i32, ptr %ring4, i64 62
  %v379 = load i32, ptr %v378
  %v380 = getelementptr i32, ptr %ring4, i64 64
  store i32 %v379, ptr %v380
  %v381 = getelementptr i32, ptr %ring4, i64 61
  %v382 = load i32, ptr %v381
  %v383 = getelementptr i32, ptr %ring4, i64 65
  store i32 %v382, ptr %v383
  %v384 = getelementptr i32, ptr %ring4, i64 60
  %v385 = load i32, ptr %v384
  %v386 = getelementptr i32, ptr %ring4, i64 66
  store i32 %v385, ptr %v386
  %v387 = getelementptr i32, ptr %ring5, i64 3
  %v388 = load i32, ptr %v387
  %v389 = getelementptr i32, ptr %ring5, i64 -3
  store i32 %v388, ptr %v389
  %v390 = getelementptr i32, ptr %ring5, i64 2
  %v391 = load i32, ptr %v390
  %v392 = getelementptr i32, ptr %ring5, i64 -2
  store i32 %v391, ptr %v392
  %v393 = getelementptr i32, ptr %ring5, i64 1
  %v394 = load i32, ptr %v393
  %v395 = getelementptr i32, ptr %ring5, i64 -1
  store i32 %v394, ptr %v395
  %v396 = getelementptr i32, ptr %ring5, i64 62
  %v397 = load i32, ptr %v396
  %v398 = getelementptr i32, ptr %ring5, i64 64
  store i32 %v397, ptr %v398
  %v399 = getelementptr i32, ptr %ring5, i64 61
  %v400 = load i32, ptr %v399
  %v401 = getelementptr i32, ptr %ring5, i64 65
  store i32 %v400, ptr %v401
  %v402 = getelementptr i32, ptr %ring5, i64 60
  %v403 = load i32, ptr %v402
  %v404 = getelementptr i32, ptr %ring5, i64 66
  store i32 %v403, ptr %v404
  %v405 = getelementptr i32, ptr %ring6, i64 3
  %v406 = load i32, ptr %v405
  %v407 = getelementptr i32, ptr %ring6, i64 -3
  store i32 %v406, ptr %v407
  %v408 = getelementptr i32, ptr %ring6, i64 2
  %v409 = load i32, ptr %v408
  %v410 = getelementptr i32, ptr %ring6, i64 -2
  store i32 %v409, ptr %v410
  %v411 = getelementptr i32, ptr %ring6, i64 1
  %v412 = load i32, ptr %v411
  %v413 = getelementptr i32, ptr %ring6, i64 -1
  store i32 %v412, ptr %v413
  %v414 = getelementptr i32, ptr %ring6, i64 62
  %v415 = load i32, ptr %v414
  %v416 = getelementptr i32, ptr %ring6, i64 64
  store i32 %v415, ptr %v416
  %v417 = getelementptr i32, ptr %ring6, i64 61
  %v418 = load i32, ptr %v417
  %v419 = getelementptr i32, ptr %ring6, i64 65
  store i32 %v418, ptr %v419
  %v420 = getelementptr i32, ptr %ring6, i64 60
  %v421 = load i32, ptr %v420
  %v422 = getelementptr i32, ptr %ring6, i64 66
  store i32 %v421, ptr %v422
  br label %group2.end.308
group2.end.308:
  br label %joined.113
joined.113:
  ; group 3: plane ring7, plane ring8, plane ring9; 4 rows ahead; 4 more above, 4 below
  %r.423 = add nsw i64 %s.67, 4
  %v424 = icmp sge i64 %r.423, %low3
  %v425 = icmp slt i64 %r.423, %high3
  %v426 = and i1 %v424, %v425
  ; group 4: plane ring10, plane ring11; 1 rows ahead; 1 more above, 1 below
  %r.427 = add nsw i64 %s.67, 1
  %v428 = icmp sge i64 %r.427, %low4
  %v429 = icmp slt i64 %r.427, %high4
  %v430 = and i1 %v428, %v429
  %v431 = icmp sge i64 %r.427, 3
  %v432 = and i1 %v426, %v430
  %v433 = and i1 %v431, %v432
  br i1 %v433, label %together.434, label %apart.435
together.434:
  %v437 = icmp sge i64 %r.423, %first_row
  %v438 = icmp slt i64 %r.423, %last_row
  %v439 = and i1 %v437, %v438
  %v449 = load <16 x i32>, ptr %ring4, align 64
  %v450 = shufflevector <16 x i32> %v449, <16 x i32> poison, <16 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 3, i32 2, i32 1>
  %v451 = load <16 x i32>, ptr %ring4, align 64
  %v469 = load <16 x i32>, ptr %ring5, align 64
  %v470 = shufflevector <16 x i32> %v469, <16 x i32> poison, <16 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 3, i32 2, i32 1>
  %v471 = load <16 x i32>, ptr %ring5, align 64
  %v489 = load <16 x i32>, ptr %ring6, align 64
  %v490 = shufflevector <16 x i32> %v489, <16 x i32> poison, <16 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 3, i32 2, i32 1>
  %v491 = load <16 x i32>, ptr %ring6, align 64
  %v695 = urem i64 %r.423, 6
  %v696 = mul nsw i64 %v695, 112
  %ring7.row.697 = getelementptr i32, ptr %ring7, i64 %v696
  %v699 = urem i64 %r.423, 6
  %v700 = mul nsw i64 %v699, 112
  %ring8.row.701 = getelementptr i32, ptr %ring8, i64 %v700
  %v703 = urem i64 %r.423, 6
  %v704 = mul nsw i64 %v703, 112
  %ring9.row.705 = getelementptr i32, ptr %ring9, i64 %v704
  %v440 = icmp sge i64 %r.427, %first_row
  %v441 = icmp slt i64 %r.427, %last_row
  %v442 = and i1 %v440, %v441
  %v504 = add i64 %r.427, 2
  %v505 = call i64 @llvm.abs.i64(i64 %v504, i1 false)
  %v506 = sub i64 94, %v505
  %v507 = call i64 @llvm.smin.i64(i64 %v505, i64 %v506)
  %v508 = urem i64 %v507, 6
  %v509 = mul nsw i64 %v508, 112
  %ring9.row.510 = getelementptr i32, ptr %ring9, i64 %v509
  %v513 = add i64 %r.427, 1
  %v514 = call i64 @llvm.abs.i64(i64 %v513, i1 false)
  %v515 = sub i64 94, %v514
  %v516 = call i64 @llvm.smin.i64(i64 %v514, i64 %v515)
  %v517 = urem i64 %v516, 6
  %v518 = mul nsw i64 %v517, 112
  %ring9.row.519 = getelementptr i32, ptr %ring9, i64 %v518
  %v522 = urem i64 %r.427, 6
  %v523 = mul nsw i64 %v522, 112
  %ring9.row.524 = getelementptr i32, ptr %ring9, i64 %v523
  %v527 = add i64 %r.427, -1
  %v528 = call i64 @llvm.abs.i64(i64 %v527, i1 false)
  %v529 = sub i64 94, %v528
  %v530 = call i64 @llvm.smin.i64(i64 %v528, i64 %v529)
  %v531 = urem i64 %v530, 6
  %v532 = mul nsw i64 %v531, 112
  %ring9.row.533 = getelementptr i32, ptr %ring9, i64 %v532
  %v536 = add i64 %r.427, -2
  %v537 = call i64 @llvm.abs.i64(i64 %v536, i1 false)
  %v538 = sub i64 94, %v537
  %v539 = call i64 @llvm.smin.i64(i64 %v537, i64 %v538)
  %v540 = urem i64 %v539, 6
  %v541 = mul nsw i64 %v540, 112
  %ring9.row.542 = getelementptr i32, ptr %ring9, i64 %v541
  %v545 = add i64 %r.427, -3
  %v546 = call i64 @llvm.abs.i64(i64 %v545, i1 false)
  %v547 = sub i64 94, %v546
  %v548 = call i64 @llvm.smin.i64(i64 %v546, i64 %v547)
  %v549 = urem i64 %v548, 6
  %v550 = mul nsw i64 %v549, 112
  %ring9.row.551 = getelementptr i32, ptr %ring9, i64 %v550
  %v563 = add i64 %r.427, 2
  %v564 = call i64 @llvm.abs.i64(i64 %v563, i1 false)
  %v565 = sub i64 94, %v564
  %v566 = call i64 @llvm.smin.i64(i64 %v564, i64 %v565)
  %v567 = urem i64 %v566, 6
  %v568 = mul nsw i64 %v567, 112
  %ring8.row.569 = getelementptr i32, ptr %ring8, i64 %v568
  %v572 = add i64 %r.427, 1
  %v573 = call i64 @llvm.abs.i64(i64 %v572, i1 false)
  %v574 = sub i64 94, %v573
  %v575 = call i64 @llvm.smin.i64(i64 %v573, i64 %v574)
  %v576 = urem i64 %v575, 6
  %v577 = mul nsw i64 %v576, 112
  %ring8.row.578 = getelementptr i32, ptr %ring8, i64 %v577
  %v581 = urem i64 %r.427, 6
  %v582 = mul nsw i64 %v581, 112
  %ring8.row.583 = getelementptr i32, ptr %ring8, i64 %v582
  %v586 = add i64 %r.427, -1
  %v587 = call i64 @llvm.abs.i64(i64 %v586, i1 false)
  %v588 = sub i64 94, %v587
  %v589 = call i64 @llvm.smin.i64(i64 %v587, i64 %v588)
  %v590 = urem i64 %v589, 6
  %v591 = mul nsw i64 %v590, 112
  %ring8.row.592 = getelementptr i32, ptr %ring8, i64 %v591
  %v595 = add i64 %r.427, -2
  %v596 = call i64 @llvm.abs.i64(i64 %v595, i1 false)
  %v597 = sub i64 94, %v596
  %v598 = call i64 @llvm.smin.i64(i64 %v596, i64 %v597)
  %v599 = urem i64 %v598, 6
  %v600 = mul nsw i64 %v599, 112
  %ring8.row.601 = getelementptr i32, ptr %ring8, i64 %v600
  %v604 = add i64 %r.427, -3
  %v605 = call i64 @llvm.abs.i64(i64 %v604, i1 false)
  %v606 = sub i64 94, %v605
  %v607 = call i64 @llvm.smin.i64(i64 %v605, i64 %v606)
  %v608 = urem i64 %v607, 6
  %v609 = mul nsw i64 %v608, 112
  %ring8.row.610 = getelementptr i32, ptr %ring8, i64 %v609
  %v621 = add i64 %r.427, 2
  %v622 = call i64 @llvm.abs.i64(i64 %v621, i1 false)
  %v623 = sub i64 94, %v622
  %v624 = call i64 @llvm.smin.i64(i64 %v622, i64 %v623)
  %v625 = urem i64 %v624, 6
  %v626 = mul nsw i64 %v625, 112
  %ring7.row.627 = getelementptr i32, ptr %ring7, i64 %v626
  %v630 = add i64 %r.427, 1
  %v631 = call i64 @llvm.abs.i64(i64 %v630, i1 false)
  %v632 = sub i64 94, %v631
  %v633 = call i64 @llvm.smin.i64(i64 %v631, i64 %v632)
  %v634 = urem i64 %v633, 6
  %v635 = mul nsw i64 %v634, 112
  %ring7.row.636 = getelementptr i32, ptr %ring7, i64 %v635
  %v639 = urem i64 %r.427, 6
  %v640 = mul nsw i64 %v639, 112
  %ring7.row.641 = getelementptr i32, ptr %ring7, i64 %v640
  %v644 = add i64 %r.427, -1
  %v645 = call i64 @llvm.abs.i64(i64 %v644, i1 false)
  %v646 = sub i64 94, %v645
  %v647 = call i64 @llvm.smin.i64(i64 %v645, i64 %v646)
  %v648 = urem i64 %v647, 6
  %v649 = mul nsw i64 %v648, 112
  %ring7.row.650 = getelementptr i32, ptr %ring7, i64 %v649
  %v653 = add i64 %r.427, -2
  %v654 = call i64 @llvm.abs.i64(i64 %v653, i1 false)
  %v655 = sub i64 94, %v654
  %v656 = call i64 @llvm.smin.i64(i64 %v654, i64 %v655)
  %v657 = urem i64 %v656, 6
  %v658 = mul nsw i64 %v657, 112
  %ring7.row.659 = getelementptr i32, ptr %ring7, i64 %v658
  %v662 = add i64 %r.427, -3
  %v663 = call i64 @llvm.abs.i64(i64 %v662, i1 false)
  %v664 = sub i64 94, %v663
  %v665 = call i64 @llvm.smin.i64(i64 %v663, i64 %v664)
  %v666 = urem i64 %v665, 6
  %v667 = mul nsw i64 %v666, 112
  %ring7.row.668 = getelementptr i32, ptr %ring7, i64 %v667
  %v707 = urem i64 %r.427, 3
  %v708 = mul nsw i64 %v707, 160
  %ring10.row.709 = getelementptr float, ptr %ring10, i64 %v708
  %v711 = urem i64 %r.427, 2
  %v712 = mul nsw i64 %v711, 160
  %ring11.row.713 = getelementptr i32, ptr %ring11, i64 %v712
  br label %across.715
across.715:
  %x.443 = phi i64 [ 0, %together.434 ], [ %x.443.next, %across.715 ]
  %before.444 = phi <16 x i32> [ %v450, %together.434 ], [ %here.445, %across.715 ]
  %here.445 = phi <16 x i32> [ %v451, %together.434 ], [ %v448, %across.715 ]
  %before.464 = phi <16 x i32> [ %v470, %together.434 ], [ %here.465, %across.715 ]
  %here.465 = phi <16 x i32> [ %v471, %together.434 ], [ %v468, %across.715 ]
  %before.484 = phi <16 x i32> [ %v490, %together.434 ], [ %here.485, %across.715 ]
  %here.485 = phi <16 x i32> [ %v491, %together.434 ], [ %v488, %across.715 ]
  %v446 = getelementptr i32, ptr %ring4, i64 %x.443
  %v447 = getelementptr i32, ptr %v446, i64 16
  %v448 = load <16 x i32>, ptr %v447, align 64
  %v452 = shufflevector <16 x i32> %here.445, <16 x i32> %v448, <16 x i32> <i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18>
  %v453 = shufflevector <16 x i32> %here.445, <16 x i32> %v448, <16 x i32> <i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17>
  %v454 = shufflevector <16 x i32> %here.445, <16 x i32> %v448, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16>
  %v455 = shufflevector <16 x i32> %before.444, <16 x i32> %here.445, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v456 = shufflevector <16 x i32> %before.444, <16 x i32> %here.445, <16 x i32> <i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29>
  %v457 = shufflevector <16 x i32> %before.444, <16 x i32> %here.445, <16 x i32> <i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28>
  %v458 = add <16 x i32> %v457, %v456
  %v459 = add <16 x i32> %v458, %v455
  %v460 = add <16 x i32> %v459, %here.445
  %v461 = add <16 x i32> %v460, %v454
  %v462 = add <16 x i32> %v461, %v453
  %v463 = add <16 x i32> %v462, %v452
  %v466 = getelementptr i32, ptr %ring5, i64 %x.443
  %v467 = getelementptr i32, ptr %v466, i64 16
  %v468 = load <16 x i32>, ptr %v467, align 64
  %v472 = shufflevector <16 x i32> %here.465, <16 x i32> %v468, <16 x i32> <i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18>
  %v473 = shufflevector <16 x i32> %here.465, <16 x i32> %v468, <16 x i32> <i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17>
  %v474 = shufflevector <16 x i32> %here.465, <16 x i32> %v468, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16>
  %v475 = shufflevector <16 x i32> %before.464, <16 x i32> %here.465, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v476 = shufflevector <16 x i32> %before.464, <16 x i32> %here.465, <16 x i32> <i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29>
  %v477 = shufflevector <16 x i32> %before.464, <16 x i32> %here.465, <16 x i32> <i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28>
  %v478 = add <16 x i32> %v477, %v476
  %v479 = add <16 x i32> %v478, %v475
  %v480 = add <16 x i32> %v479, %here.465
  %v481 = add <16 x i32> %v480, %v474
  %v482 = add <16 x i32> %v481, %v473
  %v483 = add <16 x i32> %v482, %v472
  %v486 = getelementptr i32, ptr %ring6, i64 %x.443
  %v487 = getelementptr i32, ptr %v486, i64 16
  %v488 = load <16 x i32>, ptr %v487, align 64
  %v492 = shufflevector <16 x i32> %here.485, <16 x i32> %v488, <16 x i32> <i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18>
  %v493 = shufflevector <16 x i32> %here.485, <16 x i32> %v488, <16 x i32> <i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17>
  %v494 = shufflevector <16 x i32> %here.485, <16 x i32> %v488, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16>
  %v495 = shufflevector <16 x i32> %before.484, <16 x i32> %here.485, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v496 = shufflevector <16 x i32> %before.484, <16 x i32> %here.485, <16 x i32> <i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29>
  %v497 = shufflevector <16 x i32> %before.484, <16 x i32> %here.485, <16 x i32> <i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28>
  %v498 = add <16 x i32> %v497, %v496
  %v499 = add <16 x i32> %v498, %v495
  %v500 = add <16 x i32> %v499, %here.485
  %v501 = add <16 x i32> %v500, %v494
  %v502 = add <16 x i32> %v501, %v493
  %v503 = add <16 x i32> %v502, %v492
  %v511 = getelementptr i32, ptr %ring9.row.510, i64 %x.443
  %v512 = load <16 x i32>, ptr %v511, align 64
  %v520 = getelementptr i32, ptr %ring9.row.519, i64 %x.443
  %v521 = load <16 x i32>, ptr %v520, align 64
  %v525 = getelementptr i32, ptr %ring9.row.524, i64 %x.443
  %v526 = load <16 x i32>, ptr %v525, align 64
  %v534 = getelementptr i32, ptr %ring9.row.533, i64 %x.443
  %v535 = load <16 x i32>, ptr %v534, align 64
  %v543 = getelementptr i32, ptr %ring9.row.542, i64 %x.443
  %v544 = load <16 x i32>, ptr %v543, align 64
  %v552 = getelementptr i32, ptr %ring9.row.551, i64 %x.443
  %v553 = load <16 x i32>, ptr %v552, align 64
  %v554 = add <16 x i32> %v553, %v544
  %v555 = add <16 x i32> %v554, %v535
  %v556 = add <16 x i32> %v555, %v526
  %v557 = add <16 x i32> %v556, %v521
  %v558 = add <16 x i32> %v557, %v512
  %v559 = add <16 x i32> %v558, %v503
  %v560 = sitofp <16 x i32> %v559 to <16 x float>
  %v561 = fmul <16 x float> %v560, splat (float 0x3E550FEB60000000)
  %v562 = fmul <16 x float> %v561, %v561
  %v570 = getelementptr i32, ptr %ring8.row.569, i64 %x.443
  %v571 = load <16 x i32>, ptr %v570, align 64
  %v579 = getelementptr i32, ptr %ring8.row.578, i64 %x.443
  %v580 = load <16 x i32>, ptr %v579, align 64
  %v584 = getelementptr i32, ptr %ring8.row.583, i64 %x.443
  %v585 = load <16 x i32>, ptr %v584, align 64
  %v593 = getelementptr i32, ptr %ring8.row.592, i64 %x.443
  %v594 = load <16 x i32>, ptr %v593, align 64
  %v602 = getelementptr i32, ptr %ring8.row.601, i64 %x.443
  %v603 = load <16 x i32>, ptr %v602, align 64
  %v611 = getelementptr i32, ptr %ring8.row.610, i64 %x.443
  %v612 = load <16 x i32>, ptr %v611, align 64
  %v613 = add <16 x i32> %v612, %v603
  %v614 = add <16 x i32> %v613, %v594
  %v615 = add <16 x i32> %v614, %v585
  %v616 = add <16 x i32> %v615, %v580
  %v617 = add <16 x i32> %v616, %v571
  %v618 = add <16 x i32> %v617, %v483
  %v619 = sitofp <16 x i32> %v618 to <16 x float>
  %v620 = fmul <16 x float> %v619, splat (float 0x3E550FEB60000000)
  %v628 = getelementptr i32, ptr %ring7.row.627, i64 %x.443
  %v629 = load <16 x i32>, ptr %v628, align 64
  %v637 = getelementptr i32, ptr %ring7.row.636, i64 %x.443
  %v638 = load <16 x i32>, ptr %v637, align 64
  %v642 = getelementptr i32, ptr %ring7.row.641, i64 %x.443
  %v643 = load <16 x i32>, ptr %v642, align 64
  %v651 = getelementptr i32, ptr %ring7.row.650, i64 %x.443
  %v652 = load <16 x i32>, ptr %v651, align 64
  %v660 = getelementptr i32, ptr %ring7.row.659, i64 %x.443
  %v661 = load <16 x i32>, ptr %v660, align 64
  %v669 = getelementptr i32, ptr %ring7.row.668, i64 %x.443
  %v670 = load <16 x i32>, ptr %v669, align 64
  %v671 = add <16 x i32> %v670, %v661
  %v672 = add <16 x i32> %v671, %v652
  %v673 = add <16 x i32> %v672, %v643
  %v674 = add <16 x i32> %v673, %v638
  %v675 = add <16 x i32> %v674, %v629
  %v676 = add <16 x i32> %v675, %v463
  %v677 = sitofp <16 x i32> %v676 to <16 x float>
  %v678 = fmul <16 x float> %v677, splat (float 0x3E550FEB60000000)
  %v679 = fsub <16 x float> %v678, %v620
  %v680 = fmul <16 x float> %v679, splat (float 0x3FE0000000000000)
  %v681 = fmul <16 x float> %v680, %v680
  %v682 = fadd <16 x float> %v681, %v562
  %v683 = call <16 x float> @llvm.sqrt.v16f32(<16 x float> %v682)
  %v684 = fadd <16 x float> %v678, %v620
  %v685 = fmul <16 x float> %v684, splat (float 0x3FE0000000000000)
  %v686 = fsub <16 x float> %v685, %v683
  %v687 = fcmp uno <16 x float> %v686, %v686
  %v688 = bitcast <16 x float> %v686 to <16 x i32>
  %v689 = select <16 x i1> %v687, <16 x i32> splat (i32 2143289344), <16 x i32> %v688
  %v690 = and <16 x i32> splat (i32 31), splat (i32 31)
  %v691 = ashr <16 x i32> %v689, %v690
  %v692 = and <16 x i32> %v689, splat (i32 2147483647)
  %v693 = xor <16 x i32> %v692, %v691
  %v694 = sub <16 x i32> %v693, %v691
  %v698 = getelementptr i32, ptr %ring7.row.697, i64 %x.443
  store <16 x i32> %v463, ptr %v698, align 64
  %v702 = getelementptr i32, ptr %ring8.row.701, i64 %x.443
  store <16 x i32> %v483, ptr %v702, align 64
  %v706 = getelementptr i32, ptr %ring9.row.705, i64 %x.443
  store <16 x i32> %v503, ptr %v706, align 64
  %v710 = getelementptr float, ptr %ring10.row.709, i64 %x.443
  store <16 x float> %v686, ptr %v710, align 64
  %v714 = getelementptr i32, ptr %ring11.row.713, i64 %x.443
  store <16 x i32> %v694, ptr %v714, align 64
  %x.443.next = add nuw nsw i64 %x.443, 16
  %x.443.more = icmp ult i64 %x.443.next, 64
  br i1 %x.443.more, label %across.715, label %across.end.716
across.end.716:
  %v717 = getelementptr float, ptr %ring10.row.709, i64 1
  %v718 = load float, ptr %v717
  %v719 = getelementptr float, ptr %ring10.row.709, i64 -1
  store float %v718, ptr %v719
  %v720 = getelementptr float, ptr %ring10.row.709, i64 62
  %v721 = load float, ptr %v720
  %v722 = getelementptr float, ptr %ring10.row.709, i64 64
  store float %v721, ptr %v722
  %v723 = getelementptr i32, ptr %ring11.row.713, i64 -1
  store i32 -2139095039, ptr %v723
  %v724 = getelementptr i32, ptr %ring11.row.713, i64 64
  store i32 -2139095039, ptr %v724
  br label %joined.436
apart.435:
  ; group 3: plane ring7, plane ring8, plane ring9; 4 rows ahead; 4 more above, 4 below
  %r.725 = add nsw i64 %s.67, 4
  %v726 = icmp sge i64 %r.725, %low3
  %v727 = icmp slt i64 %r.725, %high3
  %v728 = and i1 %v726, %v727
  br i1 %v728, label %group3.729, label %group3.end.730
group3.729:
  %v731 = icmp sge i64 %r.725, %first_row
  %v732 = icmp slt i64 %r.725, %last_row
  %v733 = and i1 %v731, %v732
  %v740 = load <16 x i32>, ptr %ring4, align 64
  %v741 = shufflevector <16 x i32> %v740, <16 x i32> poison, <16 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 3, i32 2, i32 1>
  %v742 = load <16 x i32>, ptr %ring4, align 64
  %v760 = load <16 x i32>, ptr %ring5, align 64
  %v761 = shufflevector <16 x i32> %v760, <16 x i32> poison, <16 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 3, i32 2, i32 1>
  %v762 = load <16 x i32>, ptr %ring5, align 64
  %v780 = load <16 x i32>, ptr %ring6, align 64
  %v781 = shufflevector <16 x i32> %v780, <16 x i32> poison, <16 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 3, i32 2, i32 1>
  %v782 = load <16 x i32>, ptr %ring6, align 64
  %v795 = urem i64 %r.725, 6
  %v796 = mul nsw i64 %v795, 112
  %ring7.row.797 = getelementptr i32, ptr %ring7, i64 %v796
  %v799 = urem i64 %r.725, 6
  %v800 = mul nsw i64 %v799, 112
  %ring8.row.801 = getelementptr i32, ptr %ring8, i64 %v800
  %v803 = urem i64 %r.725, 6
  %v804 = mul nsw i64 %v803, 112
  %ring9.row.805 = getelementptr i32, ptr %ring9, i64 %v804
  br label %across.807
across.807:
  %x.734 = phi i64 [ 0, %group3.729 ], [ %x.734.next, %across.807 ]
  %before.735 = phi <16 x i32> [ %v741, %group3.729 ], [ %here.736, %across.807 ]
  %here.736 = phi <16 x i32> [ %v742, %group3.729 ], [ %v739, %across.807 ]
  %before.755 = phi <16 x i32> [ %v761, %group3.729 ], [ %here.756, %across.807 ]
  %here.756 = phi <16 x i32> [ %v762, %group3.729 ], [ %v759, %across.807 ]
  %before.775 = phi <16 x i32> [ %v781, %group3.729 ], [ %here.776, %across.807 ]
  %here.776 = phi <16 x i32> [ %v782, %group3.729 ], [ %v779, %across.807 ]
  %v737 = getelementptr i32, ptr %ring4, i64 %x.734
  %v738 = getelementptr i32, ptr %v737, i64 16
  %v739 = load <16 x i32>, ptr %v738, align 64
  %v743 = shufflevector <16 x i32> %here.736, <16 x i32> %v739, <16 x i32> <i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18>
  %v744 = shufflevector <16 x i32> %here.736, <16 x i32> %v739, <16 x i32> <i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17>
  %v745 = shufflevector <16 x i32> %here.736, <16 x i32> %v739, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16>
  %v746 = shufflevector <16 x i32> %before.735, <16 x i32> %here.736, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v747 = shufflevector <16 x i32> %before.735, <16 x i32> %here.736, <16 x i32> <i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29>
  %v748 = shufflevector <16 x i32> %before.735, <16 x i32> %here.736, <16 x i32> <i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28>
  %v749 = add <16 x i32> %v748, %v747
  %v750 = add <16 x i32> %v749, %v746
  %v751 = add <16 x i32> %v750, %here.736
  %v752 = add <16 x i32> %v751, %v745
  %v753 = add <16 x i32> %v752, %v744
  %v754 = add <16 x i32> %v753, %v743
  %v757 = getelementptr i32, ptr %ring5, i64 %x.734
  %v758 = getelementptr i32, ptr %v757, i64 16
  %v759 = load <16 x i32>, ptr %v758, align 64
  %v763 = shufflevector <16 x i32> %here.756, <16 x i32> %v759, <16 x i32> <i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18>
  %v764 = shufflevector <16 x i32> %here.756, <16 x i32> %v759, <16 x i32> <i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17>
  %v765 = shufflevector <16 x i32> %here.756, <16 x i32> %v759, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16>
  %v766 = shufflevector <16 x i32> %before.755, <16 x i32> %here.756, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v767 = shufflevector <16 x i32> %before.755, <16 x i32> %here.756, <16 x i32> <i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29>
  %v768 = shufflevector <16 x i32> %before.755, <16 x i32> %here.756, <16 x i32> <i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28>
  %v769 = add <16 x i32> %v768, %v767
  %v770 = add <16 x i32> %v769, %v766
  %v771 = add <16 x i32> %v770, %here.756
  %v772 = add <16 x i32> %v771, %v765
  %v773 = add <16 x i32> %v772, %v764
  %v774 = add <16 x i32> %v773, %v763
  %v777 = getelementptr i32, ptr %ring6, i64 %x.734
  %v778 = getelementptr i32, ptr %v777, i64 16
  %v779 = load <16 x i32>, ptr %v778, align 64
  %v783 = shufflevector <16 x i32> %here.776, <16 x i32> %v779, <16 x i32> <i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18>
  %v784 = shufflevector <16 x i32> %here.776, <16 x i32> %v779, <16 x i32> <i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17>
  %v785 = shufflevector <16 x i32> %here.776, <16 x i32> %v779, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16>
  %v786 = shufflevector <16 x i32> %before.775, <16 x i32> %here.776, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v787 = shufflevector <16 x i32> %before.775, <16 x i32> %here.776, <16 x i32> <i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29>
  %v788 = shufflevector <16 x i32> %before.775, <16 x i32> %here.776, <16 x i32> <i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28>
  %v789 = add <16 x i32> %v788, %v787
  %v790 = add <16 x i32> %v789, %v786
  %v791 = add <16 x i32> %v790, %here.776
  %v792 = add <16 x i32> %v791, %v785
  %v793 = add <16 x i32> %v792, %v784
  %v794 = add <16 x i32> %v793, %v783
  %v798 = getelementptr i32, ptr %ring7.row.797, i64 %x.734
  store <16 x i32> %v754, ptr %v798, align 64
  %v802 = getelementptr i32, ptr %ring8.row.801, i64 %x.734
  store <16 x i32> %v774, ptr %v802, align 64
  %v806 = getelementptr i32, ptr %ring9.row.805, i64 %x.734
  store <16 x i32> %v794, ptr %v806, align 64
  %x.734.next = add nuw nsw i64 %x.734, 16
  %x.734.more = icmp ult i64 %x.734.next, 64
  br i1 %x.734.more, label %across.807, label %across.end.808
across.end.808:
  br label %group3.end.730
group3.end.730:
  ; group 4: plane ring10, plane ring11; 1 rows ahead; 1 more above, 1 below
  %r.809 = add nsw i64 %s.67, 1
  %v810 = icmp sge i64 %r.809, %low4
  %v811 = icmp slt i64 %r.809, %high4
  %v812 = and i1 %v810, %v811
  br i1 %v812, label %group4.813, label %group4.end.814
group4.813:
  %v815 = icmp sge i64 %r.809, %first_row
  %v816 = icmp slt i64 %r.809, %last_row
  %v817 = and i1 %v815, %v816
  %v819 = add i64 %r.809, 3
  %v820 = call i64 @llvm.abs.i64(i64 %v819, i1 false)
  %v821 = sub i64 94, %v820
  %v822 = call i64 @llvm.smin.i64(i64 %v820, i64 %v821)
  %v823 = urem i64 %v822, 6
  %v824 = mul nsw i64 %v823, 112
  %ring9.row.825 = getelementptr i32, ptr %ring9, i64 %v824
  %v828 = add i64 %r.809, 2
  %v829 = call i64 @llvm.abs.i64(i64 %v828, i1 false)
  %v830 = sub i64 94, %v829
  %v831 = call i64 @llvm.smin.i64(i64 %v829, i64 %v830)
  %v832 = urem i64 %v831, 6
  %v833 = mul nsw i64 %v832, 112
  %ring9.row.834 = getelementptr i32, ptr %ring9, i64 %v833
  %v837 = add i64 %r.809, 1
  %v838 = call i64 @llvm.abs.i64(i64 %v837, i1 false)
  %v839 = sub i64 94, %v838
  %v840 = call i64 @llvm.smin.i64(i64 %v838, i64 %v839)
  %v841 = urem i64 %v840, 6
  %v842 = mul nsw i64 %v841, 112
  %ring9.row.843 = getelementptr i32, ptr %ring9, i64 %v842
  %v846 = urem i64 %r.809, 6
  %v847 = mul nsw i64 %v846, 112
  %ring9.row.848 = getelementptr i32, ptr %ring9, i64 %v847
  %v851 = add i64 %r.809, -1
  %v852 = call i64 @llvm.abs.i64(i64 %v851, i1 false)
  %v853 = sub i64 94, %v852
  %v854 = call i64 @llvm.smin.i64(i64 %v852, i64 %v853)
  %v855 = urem i64 %v854, 6
  %v856 = mul nsw i64 %v855, 112
  %ring9.row.857 = getelementptr i32, ptr %ring9, i64 %v856
  %v860 = add i64 %r.809, -2
  %v861 = call i64 @llvm.abs.i64(i64 %v860, i1 false)
  %v862 = sub i64 94, %v861
  %v863 = call i64 @llvm.smin.i64(i64 %v861, i64 %v862)
  %v864 = urem i64 %v863, 6
  %v865 = mul nsw i64 %v864, 112
  %ring9.row.866 = getelementptr i32, ptr %ring9, i64 %v865
  %v869 = add i64 %r.809, -3
  %v870 = call i64 @llvm.abs.i64(i64 %v869, i1 false)
  %v871 = sub i64 94, %v870
  %v872 = call i64 @llvm.smin.i64(i64 %v870, i64 %v871)
  %v873 = urem i64 %v872, 6
  %v874 = mul nsw i64 %v873, 112
  %ring9.row.875 = getelementptr i32, ptr %ring9, i64 %v874
  %v887 = add i64 %r.809, 3
  %v888 = call i64 @llvm.abs.i64(i64 %v887, i1 false)
  %v889 = sub i64 94, %v888
  %v890 = call i64 @llvm.smin.i64(i64 %v888, i64 %v889)
  %v891 = urem i64 %v890, 6
  %v892 = mul nsw i64 %v891, 112
  %ring8.row.893 = getelementptr i32, ptr %ring8, i64 %v892
  %v896 = add i64 %r.809, 2
  %v897 = call i64 @llvm.abs.i64(i64 %v896, i1 false)
  %v898 = sub i64 94, %v897
  %v899 = call i64 @llvm.smin.i64(i64 %v897, i64 %v898)
  %v900 = urem i64 %v899, 6
  %v901 = mul nsw i64 %v900, 112
  %ring8.row.902 = getelementptr i32, ptr %ring8, i64 %v901
  %v905 = add i64 %r.809, 1
  %v906 = call i64 @llvm.abs.i64(i64 %v905, i1 false)
  %v907 = sub i64 94, %v906
  %v908 = call i64 @llvm.smin.i64(i64 %v906, i64 %v907)
  %v909 = urem i64 %v908, 6
  %v910 = mul nsw i64 %v909, 112
  %ring8.row.911 = getelementptr i32, ptr %ring8, i64 %v910
  %v914 = urem i64 %r.809, 6
  %v915 = mul nsw i64 %v914, 112
  %ring8.row.916 = getelementptr i32, ptr %ring8, i64 %v915
  %v919 = add i64 %r.809, -1
  %v920 = call i64 @llvm.abs.i64(i64 %v919, i1 false)
  %v921 = sub i64 94, %v920
  %v922 = call i64 @llvm.smin.i64(i64 %v920, i64 %v921)
  %v923 = urem i64 %v922, 6
  %v924 = mul nsw i64 %v923, 112
  %ring8.row.925 = getelementptr i32, ptr %ring8, i64 %v924
  %v928 = add i64 %r.809, -2
  %v929 = call i64 @llvm.abs.i64(i64 %v928, i1 false)
  %v930 = sub i64 94, %v929
  %v931 = call i64 @llvm.smin.i64(i64 %v929, i64 %v930)
  %v932 = urem i64 %v931, 6
  %v933 = mul nsw i64 %v932, 112
  %ring8.row.934 = getelementptr i32, ptr %ring8, i64 %v933
  %v937 = add i64 %r.809, -3
  %v938 = call i64 @llvm.abs.i64(i64 %v937, i1 false)
  %v939 = sub i64 94, %v938
  %v940 = call i64 @llvm.smin.i64(i64 %v938, i64 %v939)
  %v941 = urem i64 %v940, 6
  %v942 = mul nsw i64 %v941, 112
  %ring8.row.943 = getelementptr i32, ptr %ring8, i64 %v942
  %v954 = add i64 %r.809, 3
  %v955 = call i64 @llvm.abs.i64(i64 %v954, i1 false)
  %v956 = sub i64 94, %v955
  %v957 = call i64 @llvm.smin.i64(i64 %v955, i64 %v956)
  %v958 = urem i64 %v957, 6
  %v959 = mul nsw i64 %v958, 112
  %ring7.row.960 = getelementptr i32, ptr %ring7, i64 %v959
  %v963 = add i64 %r.809, 2
  %v964 = call i64 @llvm.abs.i64(i64 %v963, i1 false)
  %v965 = sub i64 94, %v964
  %v966 = call i64 @llvm.smin.i64(i64 %v964, i64 %v965)
  %v967 = urem i64 %v966, 6
  %v968 = mul nsw i64 %v967, 112
  %ring7.row.969 = getelementptr i32, ptr %ring7, i64 %v968
  %v972 = add i64 %r.809, 1
  %v973 = call i64 @llvm.abs.i64(i64 %v972, i1 false)
  %v974 = sub i64 94, %v973
  %v975 = call i64 @llvm.smin.i64(i64 %v973, i64 %v974)
  %v976 = urem i64 %v975, 6
  %v977 = mul nsw i64 %v976, 112
  %ring7.row.978 = getelementptr i32, ptr %ring7, i64 %v977
  %v981 = urem i64 %r.809, 6
  %v982 = mul nsw i64 %v981, 112
  %ring7.row.983 = getelementptr i32, ptr %ring7, i64 %v982
  %v986 = add i64 %r.809, -1
  %v987 = call i64 @llvm.abs.i64(i64 %v986, i1 false)
  %v988 = sub i64 94, %v987
  %v989 = call i64 @llvm.smin.i64(i64 %v987, i64 %v988)
  %v990 = urem i64 %v989, 6
  %v991 = mul nsw i64 %v990, 112
  %ring7.row.992 = getelementptr i32, ptr %ring7, i64 %v991
  %v995 = add i64 %r.809, -2
  %v996 = call i64 @llvm.abs.i64(i64 %v995, i1 false)
  %v997 = sub i64 94, %v996
  %v998 = call i64 @llvm.smin.i64(i64 %v996, i64 %v997)
  %v999 = urem i64 %v998, 6
  %v1000 = mul nsw i64 %v999, 112
  %ring7.row.1001 = getelementptr i32, ptr %ring7, i64 %v1000
  %v1004 = add i64 %r.809, -3
  %v1005 = call i64 @llvm.abs.i64(i64 %v1004, i1 false)
  %v1006 = sub i64 94, %v1005
  %v1007 = call i64 @llvm.smin.i64(i64 %v1005, i64 %v1006)
  %v1008 = urem i64 %v1007, 6
  %v1009 = mul nsw i64 %v1008, 112
  %ring7.row.1010 = getelementptr i32, ptr %ring7, i64 %v1009
  %v1037 = urem i64 %r.809, 3
  %v1038 = mul nsw i64 %v1037, 160
  %ring10.row.1039 = getelementptr float, ptr %ring10, i64 %v1038
  %v1041 = urem i64 %r.809, 2
  %v1042 = mul nsw i64 %v1041, 160
  %ring11.row.1043 = getelementptr i32, ptr %ring11, i64 %v1042
  br label %across.1045
across.1045:
  %x.818 = phi i64 [ 0, %group4.813 ], [ %x.818.next, %across.1045 ]
  %v826 = getelementptr i32, ptr %ring9.row.825, i64 %x.818
  %v827 = load <16 x i32>, ptr %v826, align 64
  %v835 = getelementptr i32, ptr %ring9.row.834, i64 %x.818
  %v836 = load <16 x i32>, ptr %v835, align 64
  %v844 = getelementptr i32, ptr %ring9.row.843, i64 %x.818
  %v845 = load <16 x i32>, ptr %v844, align 64
  %v849 = getelementptr i32, ptr %ring9.row.848, i64 %x.818
  %v850 = load <16 x i32>, ptr %v849, align 64
  %v858 = getelementptr i32, ptr %ring9.row.857, i64 %x.818
  %v859 = load <16 x i32>, ptr %v858, align 64
  %v867 = getelementptr i32, ptr %ring9.row.866, i64 %x.818
  %v868 = load <16 x i32>, ptr %v867, align 64
  %v876 = getelementptr i32, ptr %ring9.row.875, i64 %x.818
  %v877 = load <16 x i32>, ptr %v876, align 64
  %v878 = add <16 x i32> %v877, %v868
  %v879 = add <16 x i32> %v878, %v859
  %v880 = add <16 x i32> %v879, %v850
  %v881 = add <16 x i32> %v880, %v845
  %v882 = add <16 x i32> %v881, %v836
  %v883 = add <16 x i32> %v882, %v827
  %v884 = sitofp <16 x i32> %v883 to <16 x float>
  %v885 = fmul <16 x float> %v884, splat (float 0x3E550FEB60000000)
  %v886 = fmul <16 x float> %v885, %v885
  %v894 = getelementptr i32, ptr %ring8.row.893, i64 %x.818
  %v895 = load <16 x i32>, ptr %v894, align 64
  %v903 = getelementptr i32, ptr %ring8.row.902, i64 %x.818
  %v904 = load <16 x i32>, ptr %v903, align 64
  %v912 = getelementptr i32, ptr %ring8.row.911, i64 %x.818
  %v913 = load <16 x i32>, ptr %v912, align 64
  %v917 = getelementptr i32, ptr %ring8.row.916, i64 %x.818
  %v918 = load <16 x i32>, ptr %v917, align 64
  %v926 = getelementptr i32, ptr %ring8.row.925, i64 %x.818
  %v927 = load <16 x i32>, ptr %v926, align 64
  %v935 = getelementptr i32, ptr %ring8.row.934, i64 %x.818
  %v936 = load <16 x i32>, ptr %v935, align 64
  %v944 = getelementptr i32, ptr %ring8.row.943, i64 %x.818
  %v945 = load <16 x i32>, ptr %v944, align 64
  %v946 = add <16 x i32> %v945, %v936
  %v947 = add <16 x i32> %v946, %v927
  %v948 = add <16 x i32> %v947, %v918
  %v949 = add <16 x i32> %v948, %v913
  %v950 = add <16 x i32> %v949, %v904
  %v951 = add <16 x i32> %v950, %v895
  %v952 = sitofp <16 x i32> %v951 to <16 x float>
  %v953 = fmul <16 x float> %v952, splat (float 0x3E550FEB60000000)
  %v961 = getelementptr i32, ptr %ring7.row.960, i64 %x.818
  %v962 = load <16 x i32>, ptr %v961, align 64
  %v970 = getelementptr i32, ptr %ring7.row.969, i64 %x.818
  %v971 = load <16 x i32>, ptr %v970, align 64
  %v979 = getelementptr i32, ptr %ring7.row.978, i64 %x.818
  %v980 = load <16 x i32>, ptr %v979, align 64
  %v984 = getelementptr i32, ptr %ring7.row.983, i64 %x.818
  %v985 = load <16 x i32>, ptr %v984, align 64
  %v993 = getelementptr i32, ptr %ring7.row.992, i64 %x.818
  %v994 = load <16 x i32>, ptr %v993, align 64
  %v1002 = getelementptr i32, ptr %ring7.row.1001, i64 %x.818
  %v1003 = load <16 x i32>, ptr %v1002, align 64
  %v1011 = getelementptr i32, ptr %ring7.row.1010, i64 %x.818
  %v1012 = load <16 x i32>, ptr %v1011, align 64
  %v1013 = add <16 x i32> %v1012, %v1003
  %v1014 = add <16 x i32> %v1013, %v994
  %v1015 = add <16 x i32> %v1014, %v985
  %v1016 = add <16 x i32> %v1015, %v980
  %v1017 = add <16 x i32> %v1016, %v971
  %v1018 = add <16 x i32> %v1017, %v962
  %v1019 = sitofp <16 x i32> %v1018 to <16 x float>
  %v1020 = fmul <16 x float> %v1019, splat (float 0x3E550FEB60000000)
  %v1021 = fsub <16 x float> %v1020, %v953
  %v1022 = fmul <16 x float> %v1021, splat (float 0x3FE0000000000000)
  %v1023 = fmul <16 x float> %v1022, %v1022
  %v1024 = fadd <16 x float> %v1023, %v886
  %v1025 = call <16 x float> @llvm.sqrt.v16f32(<16 x float> %v1024)
  %v1026 = fadd <16 x float> %v1020, %v953
  %v1027 = fmul <16 x float> %v1026, splat (float 0x3FE0000000000000)
  %v1028 = fsub <16 x float> %v1027, %v1025
  %v1029 = fcmp uno <16 x float> %v1028, %v1028
  %v1030 = bitcast <16 x float> %v1028 to <16 x i32>
  %v1031 = select <16 x i1> %v1029, <16 x i32> splat (i32 2143289344), <16 x i32> %v1030
  %v1032 = and <16 x i32> splat (i32 31), splat (i32 31)
  %v1033 = ashr <16 x i32> %v1031, %v1032
  %v1034 = and <16 x i32> %v1031, splat (i32 2147483647)
  %v1035 = xor <16 x i32> %v1034, %v1033
  %v1036 = sub <16 x i32> %v1035, %v1033
  %v1040 = getelementptr float, ptr %ring10.row.1039, i64 %x.818
  store <16 x float> %v1028, ptr %v1040, align 64
  %v1044 = getelementptr i32, ptr %ring11.row.1043, i64 %x.818
  store <16 x i32> %v1036, ptr %v1044, align 64
  %x.818.next = add nuw nsw i64 %x.818, 16
  %x.818.more = icmp ult i64 %x.818.next, 64
  br i1 %x.818.more, label %across.1045, label %across.end.1046
across.end.1046:
  %v1047 = getelementptr float, ptr %ring10.row.1039, i64 1
  %v1048 = load float, ptr %v1047
  %v1049 = getelementptr float, ptr %ring10.row.1039, i64 -1
  store float %v1048, ptr %v1049
  %v1050 = getelementptr float, ptr %ring10.row.1039, i64 62
  %v1051 = load float, ptr %v1050
  %v1052 = getelementptr float, ptr %ring10.row.1039, i64 64
  store float %v1051, ptr %v1052
  %v1053 = getelementptr i32, ptr %ring11.row.1043, i64 -1
  store i32 -2139095039, ptr %v1053
  %v1054 = getelementptr i32, ptr %ring11.row.1043, i64 64
  store i32 -2139095039, ptr %v1054
  br label %group4.end.814
group4.end.814:
  br label %joined.436
joined.436:
  ; group 5: plane ring12; 1 rows ahead; 1 more above, 1 below
  %r.1055 = add nsw i64 %s.67, 1
  %v1056 = icmp sge i64 %r.1055, %low5
  %v1057 = icmp slt i64 %r.1055, %high5
  %v1058 = and i1 %v1056, %v1057
  ; group 6: plane ring13; 0 rows ahead; 0 more above, 0 below
  %r.1059 = add nsw i64 %s.67, 0
  %v1060 = icmp sge i64 %r.1059, %low6
  %v1061 = icmp slt i64 %r.1059, %high6
  %v1062 = and i1 %v1060, %v1061
  %v1063 = icmp sge i64 %r.1059, 1
  %v1064 = and i1 %v1058, %v1062
  %v1065 = and i1 %v1063, %v1064
  br i1 %v1065, label %together.1066, label %apart.1067
together.1066:
  %v1069 = icmp sge i64 %r.1055, %first_row
  %v1070 = icmp slt i64 %r.1055, %last_row
  %v1071 = and i1 %v1069, %v1070
  %v1073 = urem i64 %r.1055, 2
  %v1074 = mul nsw i64 %v1073, 160
  %ring11.row.1075 = getelementptr i32, ptr %ring11, i64 %v1074
  %v1081 = load <16 x i32>, ptr %ring11.row.1075, align 64
  %v1082 = shufflevector <16 x i32> %v1081, <16 x i32> splat (i32 -2139095039), <16 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 16>
  %v1083 = load <16 x i32>, ptr %ring11.row.1075, align 64
  %v1139 = urem i64 %r.1055, 2
  %v1140 = mul nsw i64 %v1139, 112
  %ring12.row.1141 = getelementptr i32, ptr %ring12, i64 %v1140
  %v1090 = urem i64 %r.1059, 2
  %v1091 = mul nsw i64 %v1090, 160
  %ring11.row.1092 = getelementptr i32, ptr %ring11, i64 %v1091
  %v1095 = urem i64 %r.1059, 2
  %v1096 = mul nsw i64 %v1095, 112
  %ring12.row.1097 = getelementptr i32, ptr %ring12, i64 %v1096
  %v1108 = load <16 x i32>, ptr %ring11.row.1092, align 64
  %v1109 = shufflevector <16 x i32> %v1108, <16 x i32> splat (i32 -2139095039), <16 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 16>
  %v1110 = load <16 x i32>, ptr %ring11.row.1092, align 64
  %v1112 = add i64 %r.1059, -1
  %v1113 = icmp ult i64 %v1112, 48
  %v1114 = select i1 %v1113, i64 %v1112, i64 0
  %v1115 = urem i64 %v1114, 2
  %v1116 = mul nsw i64 %v1115, 112
  %ring12.row.1117 = getelementptr i32, ptr %ring12, i64 %v1116
  %v1118 = getelementptr i8, ptr %scratch, i64 15680
  %ring12.row.1119 = select i1 %v1113, ptr %ring12.row.1117, ptr %v1118
  %v1126 = urem i64 %r.1059, 3
  %v1127 = mul nsw i64 %v1126, 160
  %ring10.row.1128 = getelementptr float, ptr %ring10, i64 %v1127
  br label %across.1181
across.1181:
  %x.1072 = phi i64 [ 0, %together.1066 ], [ %x.1072.next, %across.1181 ]
  %before.1076 = phi <16 x i32> [ %v1082, %together.1066 ], [ %v1080, %across.1181 ]
  %here.1077 = phi <16 x i32> [ %v1083, %together.1066 ], [ %v1148, %across.1181 ]
  %before.1103 = phi <16 x i32> [ %v1109, %together.1066 ], [ %v1107, %across.1181 ]
  %here.1104 = phi <16 x i32> [ %v1110, %together.1066 ], [ %v1164, %across.1181 ]
  %v1078 = getelementptr i32, ptr %ring11.row.1075, i64 %x.1072
  %v1079 = getelementptr i32, ptr %v1078, i64 16
  %v1080 = load <16 x i32>, ptr %v1079, align 64
  %v1084 = shufflevector <16 x i32> %here.1077, <16 x i32> %v1080, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16>
  %v1085 = shufflevector <16 x i32> %before.1076, <16 x i32> %here.1077, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v1086 = icmp sgt <16 x i32> %v1085, %here.1077
  %v1087 = select <16 x i1> %v1086, <16 x i32> %v1085, <16 x i32> %here.1077
  %v1088 = icmp sgt <16 x i32> %v1087, %v1084
  %v1089 = select <16 x i1> %v1088, <16 x i32> %v1087, <16 x i32> %v1084
  %v1093 = getelementptr i32, ptr %ring11.row.1092, i64 %x.1072
  %v1094 = load <16 x i32>, ptr %v1093, align 64
  %v1098 = getelementptr i32, ptr %ring12.row.1097, i64 %x.1072
  %v1099 = load <16 x i32>, ptr %v1098, align 64
  %v1100 = icmp sgt <16 x i32> %v1099, %v1089
  %v1101 = select <16 x i1> %v1100, <16 x i32> %v1099, <16 x i32> %v1089
  %v1102 = icmp sle <16 x i32> %v1101, %v1094
  %v1105 = getelementptr i32, ptr %ring11.row.1092, i64 %x.1072
  %v1106 = getelementptr i32, ptr %v1105, i64 16
  %v1107 = load <16 x i32>, ptr %v1106, align 64
  %v1111 = shufflevector <16 x i32> %before.1103, <16 x i32> %here.1104, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v1120 = getelementptr i32, ptr %ring12.row.1119, i64 %x.1072
  %v1121 = load <16 x i32>, ptr %v1120, align 64
  %v1122 = icmp sgt <16 x i32> %v1121, %v1111
  %v1123 = select <16 x i1> %v1122, <16 x i32> %v1121, <16 x i32> %v1111
  %v1124 = icmp slt <16 x i32> %v1123, %v1094
  %v1125 = and <16 x i1> %v1124, %v1102
  %v1129 = getelementptr float, ptr %ring10.row.1128, i64 %x.1072
  %v1130 = load <16 x float>, ptr %v1129, align 64
  %v1131 = fcmp oeq <16 x float> %v1130, %v1130
  %v1136 = fcmp olt <16 x float> %v1135, %v1130
  %v1137 = and <16 x i1> %v1136, %v1131
  %v1138 = and <16 x i1> %v1137, %v1125
  %v1142 = getelementptr i32, ptr %ring12.row.1141, i64 %x.1072
  store <16 x i32> %v1089, ptr %v1142, align 64
  %v1143 = getelementptr i8, ptr %ring13, i64 %x.1072
  %v1144 = zext <16 x i1> %v1138 to <16 x i8>
  store <16 x i8> %v1144, ptr %v1143, align 16
  %v1145 = add i64 %x.1072, 16
  %v1146 = getelementptr i32, ptr %ring11.row.1075, i64 %v1145
  %v1147 = getelementptr i32, ptr %v1146, i64 16
  %v1148 = load <16 x i32>, ptr %v1147, align 64
  %v1149 = shufflevector <16 x i32> %v1080, <16 x i32> %v1148, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16>
  %v1150 = shufflevector <16 x i32> %here.1077, <16 x i32> %v1080, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v1151 = icmp sgt <16 x i32> %v1150, %v1080
  %v1152 = select <16 x i1> %v1151, <16 x i32> %v1150, <16 x i32> %v1080
  %v1153 = icmp sgt <16 x i32> %v1152, %v1149
  %v1154 = select <16 x i1> %v1153, <16 x i32> %v1152, <16 x i32> %v1149
  %v1155 = getelementptr i32, ptr %ring11.row.1092, i64 %v1145
  %v1156 = load <16 x i32>, ptr %v1155, align 64
  %v1157 = getelementptr i32, ptr %ring12.row.1097, i64 %v1145
  %v1158 = load <16 x i32>, ptr %v1157, align 64
  %v1159 = icmp sgt <16 x i32> %v1158, %v1154
  %v1160 = select <16 x i1> %v1159, <16 x i32> %v1158, <16 x i32> %v1154
  %v1161 = icmp sle <16 x i32> %v1160, %v1156
  %v1162 = getelementptr i32, ptr %ring11.row.1092, i64 %v1145
  %v1163 = getelementptr i32, ptr %v1162, i64 16
  %v1164 = load <16 x i32>, ptr %v1163, align 64
  %v1165 = shufflevector <16 x i32> %here.1104, <16 x i32> %v1107, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v1166 = getelementptr i32, ptr %ring12.row.1119, i64 %v1145
  %v1167 = load <16 x i32>, ptr %v1166, align 64
  %v1168 = icmp sgt <16 x i32> %v1167, %v1165
  %v1169 = select <16 x i1> %v1168, <16 x i32> %v1167, <16 x i32> %v1165
  %v1170 = icmp slt <16 x i32> %v1169, %v1156
  %v1171 = and <16 x i1> %v1170, %v1161
  %v1172 = getelementptr float, ptr %ring10.row.1128, i64 %v1145
  %v1173 = load <16 x float>, ptr %v1172, align 64
  %v1174 = fcmp oeq <16 x float> %v1173, %v1173
  %v1175 = fcmp olt <16 x float> %v1135, %v1173
  %v1176 = and <16 x i1> %v1175, %v1174
  %v1177 = and <16 x i1> %v1176, %v1171
  %v1178 = getelementptr i32, ptr %ring12.row.1141, i64 %v1145
  store <16 x i32> %v1154, ptr %v1178, align 64
  %v1179 = getelementptr i8, ptr %ring13, i64 %v1145
  %v1180 = zext <16 x i1> %v1177 to <16 x i8>
  store <16 x i8> %v1180, ptr %v1179, align 16
  %x.1072.next = add nuw nsw i64 %x.1072, 32
  %x.1072.more = icmp ult i64 %x.1072.next, 64
  br i1 %x.1072.more, label %across.1181, label %across.end.1182
across.end.1182:
  br label %joined.1068
apart.1067:
  ; group 5: plane ring12; 1 rows ahead; 1 more above, 1 below
  %r.1183 = add nsw i64 %s.67, 1
  %v1184 = icmp sge i64 %r.1183, %low5
  %v1185 = icmp slt i64 %r.1183, %high5
  %v1186 = and i1 %v1184, %v1185
  br i1 %v1186, label %group5.1187, label %group5.end.1188
group5.1187:
  %v1189 = icmp sge i64 %r.1183, %first_row
  %v1190 = icmp slt i64 %r.1183, %last_row
  %v1191 = and i1 %v1189, %v1190
  %v1193 = urem i64 %r.1183, 2
  %v1194 = mul nsw i64 %v1193, 160
  %ring11.row.1195 = getelementptr i32, ptr %ring11, i64 %v1194
  %v1201 = load <16 x i32>, ptr %ring11.row.1195, align 64
  %v1202 = shufflevector <16 x i32> %v1201, <16 x i32> splat (i32 -2139095039), <16 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 16>
  %v1203 = load <16 x i32>, ptr %ring11.row.1195, align 64
  %v1210 = urem i64 %r.1183, 2
  %v1211 = mul nsw i64 %v1210, 112
  %ring12.row.1212 = getelementptr i32, ptr %ring12, i64 %v1211
  br label %across.1214
across.1214:
  %x.1192 = phi i64 [ 0, %group5.1187 ], [ %x.1192.next, %across.1214 ]
  %before.1196 = phi <16 x i32> [ %v1202, %group5.1187 ], [ %here.1197, %across.1214 ]
  %here.1197 = phi <16 x i32> [ %v1203, %group5.1187 ], [ %v1200, %across.1214 ]
  %v1198 = getelementptr i32, ptr %ring11.row.1195, i64 %x.1192
  %v1199 = getelementptr i32, ptr %v1198, i64 16
  %v1200 = load <16 x i32>, ptr %v1199, align 64
  %v1204 = shufflevector <16 x i32> %here.1197, <16 x i32> %v1200, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16>
  %v1205 = shufflevector <16 x i32> %before.1196, <16 x i32> %here.1197, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v1206 = icmp sgt <16 x i32> %v1205, %here.1197
  %v1207 = select <16 x i1> %v1206, <16 x i32> %v1205, <16 x i32> %here.1197
  %v1208 = icmp sgt <16 x i32> %v1207, %v1204
  %v1209 = select <16 x i1> %v1208, <16 x i32> %v1207, <16 x i32> %v1204
  %v1213 = getelementptr i32, ptr %ring12.row.1212, i64 %x.1192
  store <16 x i32> %v1209, ptr %v1213, align 64
  %x.1192.next = add nuw nsw i64 %x.1192, 16
  %x.1192.more = icmp ult i64 %x.1192.next, 64
  br i1 %x.1192.more, label %across.1214, label %across.end.1215
across.end.1215:
  br label %group5.end.1188
group5.end.1188:
  ; group 6: plane ring13; 0 rows ahead; 0 more above, 0 below
  %r.1216 = add nsw i64 %s.67, 0
  %v1217 = icmp sge i64 %r.1216, %low6
  %v1218 = icmp slt i64 %r.1216, %high6
  %v1219 = and i1 %v1217, %v1218
  br i1 %v1219, label %group6.1220, label %group6.end.1221
group6.1220:
  %v1223 = urem i64 %r.1216, 2
  %v1224 = mul nsw i64 %v1223, 160
  %ring11.row.1225 = getelementptr i32, ptr %ring11, i64 %v1224
  %v1228 = add i64 %r.1216, 1
  %v1229 = icmp ult i64 %v1228, 48
  %v1230 = select i1 %v1229, i64 %v1228, i64 0
  %v1231 = urem i64 %v1230, 2
  %v1232 = mul nsw i64 %v1231, 112
  %ring12.row.1233 = getelementptr i32, ptr %ring12, i64 %v1232
  %v1234 = getelementptr i8, ptr %scratch, i64 15680
  %ring12.row.1235 = select i1 %v1229, ptr %ring12.row.1233, ptr %v1234
  %v1238 = urem i64 %r.1216, 2
  %v1239 = mul nsw i64 %v1238, 112
  %ring12.row.1240 = getelementptr i32, ptr %ring12, i64 %v1239
  %v1251 = load <16 x i32>, ptr %ring11.row.1225, align 64
  %v1252 = shufflevector <16 x i32> %v1251, <16 x i32> splat (i32 -2139095039), <16 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 16>
  %v1253 = load <16 x i32>, ptr %ring11.row.1225, align 64
  %v1255 = add i64 %r.1216, -1
  %v1256 = icmp ult i64 %v1255, 48
  %v1257 = select i1 %v1256, i64 %v1255, i64 0
  %v1258 = urem i64 %v1257, 2
  %v1259 = mul nsw i64 %v1258, 112
  %ring12.row.1260 = getelementptr i32, ptr %ring12, i64 %v1259
  %v1261 = getelementptr i8, ptr %scratch, i64 15680
  %ring12.row.1262 = select i1 %v1256, ptr %ring12.row.1260, ptr %v1261
  %v1269 = urem i64 %r.1216, 3
  %v1270 = mul nsw i64 %v1269, 160
  %ring10.row.1271 = getelementptr float, ptr %ring10, i64 %v1270
  br label %across.1280
across.1280:
  %x.1222 = phi i64 [ 0, %group6.1220 ], [ %x.1222.next, %across.1280 ]
  %before.1246 = phi <16 x i32> [ %v1252, %group6.1220 ], [ %here.1247, %across.1280 ]
  %here.1247 = phi <16 x i32> [ %v1253, %group6.1220 ], [ %v1250, %across.1280 ]
  %v1226 = getelementptr i32, ptr %ring11.row.1225, i64 %x.1222
  %v1227 = load <16 x i32>, ptr %v1226, align 64
  %v1236 = getelementptr i32, ptr %ring12.row.1235, i64 %x.1222
  %v1237 = load <16 x i32>, ptr %v1236, align 64
  %v1241 = getelementptr i32, ptr %ring12.row.1240, i64 %x.1222
  %v1242 = load <16 x i32>, ptr %v1241, align 64
  %v1243 = icmp sgt <16 x i32> %v1242, %v1237
  %v1244 = select <16 x i1> %v1243, <16 x i32> %v1242, <16 x i32> %v1237
  %v1245 = icmp sle <16 x i32> %v1244, %v1227
  %v1248 = getelementptr i32, ptr %ring11.row.1225, i64 %x.1222
  %v1249 = getelementptr i32, ptr %v1248, i64 16
  %v1250 = load <16 x i32>, ptr %v1249, align 64
  %v1254 = shufflevector <16 x i32> %before.1246, <16 x i32> %here.1247, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v1263 = getelementptr i32, ptr %ring12.row.1262, i64 %x.1222
  %v1264 = load <16 x i32>, ptr %v1263, align 64
  %v1265 = icmp sgt <16 x i32> %v1264, %v1254
  %v1266 = select <16 x i1> %v1265, <16 x i32> %v1264, <16 x i32> %v1254
  %v1267 = icmp slt <16 x i32> %v1266, %v1227
  %v1268 = and <16 x i1> %v1267, %v1245
  %v1272 = getelementptr float, ptr %ring10.row.1271, i64 %x.1222
  %v1273 = load <16 x float>, ptr %v1272, align 64
  %v1274 = fcmp oeq <16 x float> %v1273, %v1273
  %v1275 = fcmp olt <16 x float> %v1135, %v1273
  %v1276 = and <16 x i1> %v1275, %v1274
  %v1277 = and <16 x i1> %v1276, %v1268
  %v1278 = getelementptr i8, ptr %ring13, i64 %x.1222
  %v1279 = zext <16 x i1> %v1277 to <16 x i8>
  store <16 x i8> %v1279, ptr %v1278, align 16
  %x.1222.next = add nuw nsw i64 %x.1222, 16
  %x.1222.more = icmp ult i64 %x.1222.next, 64
  br i1 %x.1222.more, label %across.1280, label %across.end.1281
across.end.1281:
  br label %group6.end.1221
group6.end.1221:
  br label %joined.1068
joined.1068:
  ; group 7: candidates; 0 rows ahead; 0 more above, 0 below
  %r.1282 = add nsw i64 %s.67, 0
  %v1283 = icmp sge i64 %r.1282, %low7
  %v1284 = icmp slt i64 %r.1282, %high7
  %v1285 = and i1 %v1283, %v1284
  br i1 %v1285, label %group7.1286, label %group7.end.1287
group7.1286:
  %v1294 = urem i64 %r.1282, 3
  %v1295 = mul nsw i64 %v1294, 160
  %ring10.row.1296 = getelementptr float, ptr %ring10, i64 %v1295
  %v1315 = add i64 %r.1282, 1
  %v1316 = call i64 @llvm.abs.i64(i64 %v1315, i1 false)
  %v1317 = sub i64 94, %v1316
  %v1318 = call i64 @llvm.smin.i64(i64 %v1316, i64 %v1317)
  %v1319 = urem i64 %v1318, 3
  %v1320 = mul nsw i64 %v1319, 160
  %ring10.row.1321 = getelementptr float, ptr %ring10, i64 %v1320
  %v1325 = add i64 %r.1282, -1
  %v1326 = call i64 @llvm.abs.i64(i64 %v1325, i1 false)
  %v1327 = sub i64 94, %v1326
  %v1328 = call i64 @llvm.smin.i64(i64 %v1326, i64 %v1327)
  %v1329 = urem i64 %v1328, 3
  %v1330 = mul nsw i64 %v1329, 160
  %ring10.row.1331 = getelementptr float, ptr %ring10, i64 %v1330
  ; table:0
  %v1342 = getelementptr i8, ptr %args, i64 72
  %v1343 = load ptr, ptr %v1342, align 8
  ; count:0
  %v1344 = getelementptr i8, ptr %args, i64 80
  %v1345 = load ptr, ptr %v1344, align 8
  %v1346 = getelementptr i64, ptr %v1345, i64 %t.58
  %v1347 = mul i64 %t.58, 768
  br label %scan.1348
scan.1348:
  %s.1351 = phi i64 [ 0, %group7.1286 ], [ %s.1351.next, %scan.next.1352 ]
  %v1353 = icmp slt i64 %s.1351, 64
  br i1 %v1353, label %scan.do.1349, label %scan.end.1350
scan.do.1349:
  %v1354 = getelementptr i8, ptr %ring13, i64 %s.1351
  %v1355 = load <64 x i8>, ptr %v1354, align 64
  %v1356 = icmp ne <64 x i8> %v1355, zeroinitializer
  %v1357 = bitcast <64 x i1> %v1356 to i64
  %v1358 = sub i64 64, %s.1351
  %v1359 = icmp slt i64 %v1358, 64
  %v1360 = select i1 %v1359, i64 %v1358, i64 0
  %v1361 = shl i64 1, %v1360
  %v1362 = sub i64 %v1361, 1
  %v1363 = select i1 %v1359, i64 %v1362, i64 -1
  %v1364 = and i64 %v1357, %v1363
  br label %pick.1365
pick.1365:
  %bits.1368 = phi i64 [ %v1364, %scan.do.1349 ], [ %bits.1368.next, %pick.next.1369 ]
  %v1370 = icmp ne i64 %bits.1368, 0
  br i1 %v1370, label %pick.do.1366, label %pick.end.1367
pick.do.1366:
  %v1371 = call i64 @llvm.cttz.i64(i64 %bits.1368, i1 true)
  %x.1288 = add i64 %s.1351, %v1371
  %v1372 = load i64, ptr %v1346, align 8
  %v1373 = add i64 %v1372, 1
  store i64 %v1373, ptr %v1346, align 8
  %v1374 = icmp slt i64 %v1372, 768
  br i1 %v1374, label %keep.1375, label %keep.end.1376
keep.1375:
  %v1377 = add i64 %v1347, %v1372
  %v1378 = mul i64 %v1377, 20
  %entry.1289 = getelementptr i8, ptr %v1343, i64 %v1378
  %v1290 = trunc i64 %x.1288 to i32
  %v1291 = trunc i64 %r.1282 to i32
  %v1292 = getelementptr i8, ptr %entry.1289, i64 0
  store i32 %v1290, ptr %v1292, align 1
  %v1293 = getelementptr i8, ptr %entry.1289, i64 4
  store i32 %v1291, ptr %v1293, align 1
  %v1297 = getelementptr float, ptr %ring10.row.1296, i64 %x.1288
  %v1298 = load <1 x float>, ptr %v1297, align 4
  %v1299 = getelementptr i8, ptr %entry.1289, i64 8
  store <1 x float> %v1298, ptr %v1299, align 1
  %v1300 = getelementptr float, ptr %ring10.row.1296, i64 %x.1288
  %v1301 = getelementptr float, ptr %v1300, i64 1
  %v1302 = load <1 x float>, ptr %v1301, align 4
  %v1303 = fsub <1 x float> %v1298, %v1302
  %v1304 = getelementptr float, ptr %ring10.row.1296, i64 %x.1288
  %v1305 = getelementptr float, ptr %v1304, i64 -1
  %v1306 = load <1 x float>, ptr %v1305, align 4
  %v1307 = fsub <1 x float> %v1298, %v1306
  %v1308 = fadd <1 x float> %v1307, %v1303
  %v1309 = fsub <1 x float> %v1307, %v1303
  %v1310 = fdiv <1 x float> %v1309, %v1308
  %v1311 = fmul <1 x float> %v1310, splat (float 0x3FE0000000000000)
  %v1312 = fcmp olt <1 x float> splat (float 0x0000000000000000), %v1308
  %v1313 = select <1 x i1> %v1312, <1 x float> %v1311, <1 x float> splat (float 0x0000000000000000)
  %v1314 = getelementptr i8, ptr %entry.1289, i64 12
  store <1 x float> %v1313, ptr %v1314, align 1
  %v1322 = getelementptr float, ptr %ring10.row.1321, i64 %x.1288
  %v1323 = load <1 x float>, ptr %v1322, align 4
  %v1324 = fsub <1 x float> %v1298, %v1323
  %v1332 = getelementptr float, ptr %ring10.row.1331, i64 %x.1288
  %v1333 = load <1 x float>, ptr %v1332, align 4
  %v1334 = fsub <1 x float> %v1298, %v1333
  %v1335 = fadd <1 x float> %v1334, %v1324
  %v1336 = fsub <1 x float> %v1334, %v1324
  %v1337 = fdiv <1 x float> %v1336, %v1335
  %v1338 = fmul <1 x float> %v1337, splat (float 0x3FE0000000000000)
  %v1339 = fcmp olt <1 x float> splat (float 0x0000000000000000), %v1335
  %v1340 = select <1 x i1> %v1339, <1 x float> %v1338, <1 x float> splat (float 0x0000000000000000)
  %v1341 = getelementptr i8, ptr %entry.1289, i64 16
  store <1 x float> %v1340, ptr %v1341, align 1
  br label %keep.end.1376
keep.end.1376:
  br label %pick.next.1369
pick.next.1369:
  %v1379 = sub i64 %bits.1368, 1
  %bits.1368.next = and i64 %bits.1368, %v1379
  br label %pick.1365
pick.end.1367:
  br label %scan.next.1352
scan.next.1352:
  %s.1351.next = add nsw i64 %s.1351, 64
  br label %scan.1348
scan.end.1350:
  br label %group7.end.1287
group7.end.1287:
  br label %step.next.68
step.next.68:
  %s.67.next = add nsw i64 %s.67, 1
  br label %step.64
step.end.66:
  br label %t.next.59
t.next.59:
  %t.58.next = add nsw i64 %t.58, 1
  br label %t.55
t.end.57:
  ret void
}

declare <16 x float> @llvm.sqrt.v16f32(<16 x float>)
declare i64 @llvm.abs.i64(i64, i1)
declare i64 @llvm.cttz.i64(i64, i1)
declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.smin.i64(i64, i64)
declare void @llvm.prefetch.p0(ptr, i32, i32, i32)
