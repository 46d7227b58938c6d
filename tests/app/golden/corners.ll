; gray+response+candidates
;
; in0: 64x48 u8
; gray.out: 64x48 u8, leaves
; candidates.out: table of x, y, value, dx, dy (at most 16384 rows), leaves
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
;   row y, 64 pixels a vector:
;     gray.out = in0[y, x]
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
  %frames = load i64, ptr %v3, align 8
  %v4 = getelementptr i8, ptr %args, i64 24
  %is_first = load i64, ptr %v4, align 8
  %v5 = getelementptr i8, ptr %args, i64 32
  %images = load ptr, ptr %v5, align 8
  %v6 = getelementptr i8, ptr %args, i64 40
  %scratch = load ptr, ptr %v6, align 8
  %v7 = sub i64 %first_row, 5
  %v8 = add i64 %last_row, 5
  %low0 = call i64 @llvm.smax.i64(i64 %v7, i64 0)
  %high0 = call i64 @llvm.smin.i64(i64 %v8, i64 48)
  %v9 = sub i64 %first_row, 0
  %v10 = add i64 %last_row, 0
  %low1 = call i64 @llvm.smax.i64(i64 %v9, i64 0)
  %high1 = call i64 @llvm.smin.i64(i64 %v10, i64 48)
  %v11 = sub i64 %first_row, 5
  %v12 = add i64 %last_row, 5
  %low2 = call i64 @llvm.smax.i64(i64 %v11, i64 0)
  %high2 = call i64 @llvm.smin.i64(i64 %v12, i64 48)
  %v13 = sub i64 %first_row, 4
  %v14 = add i64 %last_row, 4
  %low3 = call i64 @llvm.smax.i64(i64 %v13, i64 0)
  %high3 = call i64 @llvm.smin.i64(i64 %v14, i64 48)
  %v15 = sub i64 %first_row, 4
  %v16 = add i64 %last_row, 4
  %low4 = call i64 @llvm.smax.i64(i64 %v15, i64 0)
  %high4 = call i64 @llvm.smin.i64(i64 %v16, i64 48)
  %v17 = sub i64 %first_row, 1
  %v18 = add i64 %last_row, 1
  %low5 = call i64 @llvm.smax.i64(i64 %v17, i64 0)
  %high5 = call i64 @llvm.smin.i64(i64 %v18, i64 48)
  %v19 = sub i64 %first_row, 1
  %v20 = add i64 %last_row, 1
  %low6 = call i64 @llvm.smax.i64(i64 %v19, i64 0)
  %high6 = call i64 @llvm.smin.i64(i64 %v20, i64 48)
  %v21 = sub i64 %first_row, 0
  %v22 = add i64 %last_row, 0
  %low7 = call i64 @llvm.smax.i64(i64 %v21, i64 0)
  %high7 = call i64 @llvm.smin.i64(i64 %v22, i64 48)
  %v23 = sub i64 %first_row, 0
  %v24 = add i64 %last_row, 0
  %low8 = call i64 @llvm.smax.i64(i64 %v23, i64 0)
  %high8 = call i64 @llvm.smin.i64(i64 %v24, i64 48)
  %v25 = sub i64 %low0, 5
  %v26 = sub i64 %low1, 0
  %v27 = sub i64 %low2, 5
  %v28 = sub i64 %low3, 4
  %v29 = sub i64 %low4, 4
  %v30 = sub i64 %low5, 1
  %v31 = sub i64 %low6, 1
  %v32 = sub i64 %low7, 0
  %v33 = sub i64 %low8, 0
  %v34 = sub i64 %high0, 5
  %v35 = sub i64 %high1, 0
  %v36 = sub i64 %high2, 5
  %v37 = sub i64 %high3, 4
  %v38 = sub i64 %high4, 4
  %v39 = sub i64 %high5, 1
  %v40 = sub i64 %high6, 1
  %v41 = sub i64 %high7, 0
  %v42 = sub i64 %high8, 0
  %v43 = call i64 @llvm.smin.i64(i64 %v25, i64 %v26)
  %v44 = call i64 @llvm.smin.i64(i64 %v43, i64 %v27)
  %v45 = call i64 @llvm.smin.i64(i64 %v44, i64 %v28)
  %v46 = call i64 @llvm.smin.i64(i64 %v45, i64 %v29)
  %v47 = call i64 @llvm.smin.i64(i64 %v46, i64 %v30)
  %v48 = call i64 @llvm.smin.i64(i64 %v47, i64 %v31)
  %v49 = call i64 @llvm.smin.i64(i64 %v48, i64 %v32)
  %v50 = call i64 @llvm.smin.i64(i64 %v49, i64 %v33)
  %v51 = call i64 @llvm.smax.i64(i64 %v34, i64 %v35)
  %v52 = call i64 @llvm.smax.i64(i64 %v51, i64 %v36)
  %v53 = call i64 @llvm.smax.i64(i64 %v52, i64 %v37)
  %v54 = call i64 @llvm.smax.i64(i64 %v53, i64 %v38)
  %v55 = call i64 @llvm.smax.i64(i64 %v54, i64 %v39)
  %v56 = call i64 @llvm.smax.i64(i64 %v55, i64 %v40)
  %v57 = call i64 @llvm.smax.i64(i64 %v56, i64 %v41)
  %v58 = call i64 @llvm.smax.i64(i64 %v57, i64 %v42)
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
  %v1154 = getelementptr i8, ptr %args, i64 48
  %param.1155 = load float, ptr %v1154, align 8
  %v1156 = insertelement <16 x float> poison, float %param.1155, i64 0
  %v1157 = shufflevector <16 x float> %v1156, <16 x float> poison, <16 x i32> zeroinitializer
  br label %t.59
t.59:
  %t.62 = phi i64 [ 0, %entry ], [ %t.62.next, %t.next.63 ]
  %v64 = icmp slt i64 %t.62, %frames
  br i1 %v64, label %t.do.60, label %t.end.61
t.do.60:
  %v1402 = mul i64 %frames, 0
  %v1403 = add i64 %v1402, %t.62
  %v1404 = getelementptr ptr, ptr %images, i64 %v1403
  %input0 = load ptr, ptr %v1404, align 8
  %v1405 = mul i64 %frames, 1
  %v1406 = add i64 %v1405, %t.62
  %v1407 = getelementptr ptr, ptr %images, i64 %v1406
  %output0 = load ptr, ptr %v1407, align 8
  %v65 = icmp eq i64 %t.62, 0
  %v66 = icmp ne i64 %is_first, 0
  %v67 = and i1 %v65, %v66
  br label %step.68
step.68:
  %s.71 = phi i64 [ %v50, %t.do.60 ], [ %s.71.next, %step.next.72 ]
  %v73 = icmp slt i64 %s.71, %v58
  br i1 %v73, label %step.do.69, label %step.end.70
step.do.69:
  ; group 0: plane ring1; 5 rows ahead; 5 more above, 5 below
  %r.74 = add nsw i64 %s.71, 5
  %v75 = icmp sge i64 %r.74, %low0
  %v76 = icmp slt i64 %r.74, %high0
  %v77 = and i1 %v75, %v76
  br i1 %v77, label %group0.78, label %group0.end.79
group0.78:
  %v80 = icmp sge i64 %r.74, %first_row
  %v81 = icmp slt i64 %r.74, %last_row
  %v82 = and i1 %v80, %v81
  %v84 = mul nsw i64 %r.74, 64
  %in.row.85 = getelementptr i8, ptr %input0, i64 %v84
  br label %across.96
across.96:
  %x.83 = phi i64 [ 0, %group0.78 ], [ %x.83.next, %across.96 ]
  %v86 = getelementptr i8, ptr %in.row.85, i64 %x.83
  %v87 = getelementptr i8, ptr %v86, i64 128
  call void @llvm.prefetch.p0(ptr %v87, i32 0, i32 3, i32 1)
  %v88 = load <32 x i8>, ptr %v86, align 1
  %v89 = zext <32 x i8> %v88 to <32 x i16>
  %v90 = getelementptr i16, ptr %ring1, i64 %x.83
  store <32 x i16> %v89, ptr %v90, align 64
  %v91 = add i64 %x.83, 32
  %v92 = getelementptr i8, ptr %in.row.85, i64 %v91
  %v93 = load <32 x i8>, ptr %v92, align 1
  %v94 = zext <32 x i8> %v93 to <32 x i16>
  %v95 = getelementptr i16, ptr %ring1, i64 %v91
  store <32 x i16> %v94, ptr %v95, align 64
  %x.83.next = add nuw nsw i64 %x.83, 64
  %x.83.more = icmp ult i64 %x.83.next, 64
  br i1 %x.83.more, label %across.96, label %across.end.97
across.end.97:
  %v98 = getelementptr i16, ptr %ring1, i64 1
  %v99 = load i16, ptr %v98
  %v100 = getelementptr i16, ptr %ring1, i64 -1
  store i16 %v99, ptr %v100
  %v101 = getelementptr i16, ptr %ring1, i64 62
  %v102 = load i16, ptr %v101
  %v103 = getelementptr i16, ptr %ring1, i64 64
  store i16 %v102, ptr %v103
  br label %group0.end.79
group0.end.79:
  ; group 1: output; 0 rows ahead; 0 more above, 0 below
  %r.104 = add nsw i64 %s.71, 0
  %v105 = icmp sge i64 %r.104, %low1
  %v106 = icmp slt i64 %r.104, %high1
  %v107 = and i1 %v105, %v106
  br i1 %v107, label %group1.108, label %group1.end.109
group1.108:
  %v111 = mul nsw i64 %r.104, 64
  %in.row.112 = getelementptr i8, ptr %input0, i64 %v111
  %v116 = mul nsw i64 %r.104, 64
  %out.row.117 = getelementptr i8, ptr %output0, i64 %v116
  br label %across.120
across.120:
  %x.110 = phi i64 [ 0, %group1.108 ], [ %x.110.next, %across.120 ]
  %v113 = getelementptr i8, ptr %in.row.112, i64 %x.110
  %v114 = getelementptr i8, ptr %v113, i64 128
  call void @llvm.prefetch.p0(ptr %v114, i32 0, i32 3, i32 1)
  %v115 = load <64 x i8>, ptr %v113, align 1
  %v118 = getelementptr i8, ptr %out.row.117, i64 %x.110
  %v119 = getelementptr i8, ptr %v118, i64 128
  call void @llvm.prefetch.p0(ptr %v119, i32 1, i32 3, i32 1)
  store <64 x i8> %v115, ptr %v118, align 1
  %x.110.next = add nuw nsw i64 %x.110, 64
  %x.110.more = icmp ult i64 %x.110.next, 64
  br i1 %x.110.more, label %across.120, label %across.end.121
across.end.121:
  br label %group1.end.109
group1.end.109:
  ; group 2: plane ring2, plane ring3; 5 rows ahead; 5 more above, 5 below
  %r.122 = add nsw i64 %s.71, 5
  %v123 = icmp sge i64 %r.122, %low2
  %v124 = icmp slt i64 %r.122, %high2
  %v125 = and i1 %v123, %v124
  ; group 3: plane ring4, plane ring5, plane ring6; 4 rows ahead; 4 more above, 4 below
  %r.126 = add nsw i64 %s.71, 4
  %v127 = icmp sge i64 %r.126, %low3
  %v128 = icmp slt i64 %r.126, %high3
  %v129 = and i1 %v127, %v128
  %v130 = icmp sge i64 %r.126, 1
  %v131 = and i1 %v125, %v129
  %v132 = and i1 %v130, %v131
  br i1 %v132, label %together.133, label %apart.134
together.133:
  %v136 = icmp sge i64 %r.122, %first_row
  %v137 = icmp slt i64 %r.122, %last_row
  %v138 = and i1 %v136, %v137
  %v148 = load <32 x i16>, ptr %ring1, align 64
  %v149 = shufflevector <32 x i16> %v148, <32 x i16> poison, <32 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 1>
  %v150 = load <32 x i16>, ptr %ring1, align 64
  %v191 = urem i64 %r.122, 2
  %v192 = mul nsw i64 %v191, 128
  %ring2.row.193 = getelementptr i16, ptr %ring2, i64 %v192
  %v195 = urem i64 %r.122, 2
  %v196 = mul nsw i64 %v195, 128
  %ring3.row.197 = getelementptr i16, ptr %ring3, i64 %v196
  %v139 = icmp sge i64 %r.126, %first_row
  %v140 = icmp slt i64 %r.126, %last_row
  %v141 = and i1 %v139, %v140
  %v158 = urem i64 %r.126, 2
  %v159 = mul nsw i64 %v158, 128
  %ring2.row.160 = getelementptr i16, ptr %ring2, i64 %v159
  %v164 = add i64 %r.126, -1
  %v165 = call i64 @llvm.abs.i64(i64 %v164, i1 false)
  %v166 = sub i64 94, %v165
  %v167 = call i64 @llvm.smin.i64(i64 %v165, i64 %v166)
  %v168 = urem i64 %v167, 2
  %v169 = mul nsw i64 %v168, 128
  %ring2.row.170 = getelementptr i16, ptr %ring2, i64 %v169
  %v177 = add i64 %r.126, -1
  %v178 = call i64 @llvm.abs.i64(i64 %v177, i1 false)
  %v179 = sub i64 94, %v178
  %v180 = call i64 @llvm.smin.i64(i64 %v178, i64 %v179)
  %v181 = urem i64 %v180, 2
  %v182 = mul nsw i64 %v181, 128
  %ring3.row.183 = getelementptr i16, ptr %ring3, i64 %v182
  br label %across.234
across.234:
  %x.142 = phi i64 [ 0, %together.133 ], [ %x.142.next, %across.234 ]
  %before.143 = phi <32 x i16> [ %v149, %together.133 ], [ %v147, %across.234 ]
  %here.144 = phi <32 x i16> [ %v150, %together.133 ], [ %v205, %across.234 ]
  %v145 = getelementptr i16, ptr %ring1, i64 %x.142
  %v146 = getelementptr i16, ptr %v145, i64 32
  %v147 = load <32 x i16>, ptr %v146, align 64
  %v151 = shufflevector <32 x i16> %here.144, <32 x i16> %v147, <32 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31, i32 32>
  %v152 = shufflevector <32 x i16> %before.143, <32 x i16> %here.144, <32 x i32> <i32 31, i32 32, i32 33, i32 34, i32 35, i32 36, i32 37, i32 38, i32 39, i32 40, i32 41, i32 42, i32 43, i32 44, i32 45, i32 46, i32 47, i32 48, i32 49, i32 50, i32 51, i32 52, i32 53, i32 54, i32 55, i32 56, i32 57, i32 58, i32 59, i32 60, i32 61, i32 62>
  %v153 = sub <32 x i16> zeroinitializer, %v152
  %v154 = add <32 x i16> %v153, %v151
  %v155 = mul <32 x i16> %here.144, splat (i16 2)
  %v156 = add <32 x i16> %v152, %v155
  %v157 = add <32 x i16> %v156, %v151
  %v161 = getelementptr i16, ptr %ring2.row.160, i64 %x.142
  %v162 = load <32 x i16>, ptr %v161, align 64
  %v163 = mul <32 x i16> %v162, splat (i16 2)
  %v171 = getelementptr i16, ptr %ring2.row.170, i64 %x.142
  %v172 = load <32 x i16>, ptr %v171, align 64
  %v173 = add <32 x i16> %v172, %v163
  %v174 = add <32 x i16> %v173, %v154
  %v175 = sext <32 x i16> %v174 to <32 x i32>
  %v176 = mul <32 x i32> %v175, %v175
  %v184 = getelementptr i16, ptr %ring3.row.183, i64 %x.142
  %v185 = load <32 x i16>, ptr %v184, align 64
  %v186 = sub <32 x i16> zeroinitializer, %v185
  %v187 = add <32 x i16> %v186, %v157
  %v188 = sext <32 x i16> %v187 to <32 x i32>
  %v189 = mul <32 x i32> %v188, %v188
  %v190 = mul <32 x i32> %v175, %v188
  %v194 = getelementptr i16, ptr %ring2.row.193, i64 %x.142
  store <32 x i16> %v154, ptr %v194, align 64
  %v198 = getelementptr i16, ptr %ring3.row.197, i64 %x.142
  store <32 x i16> %v157, ptr %v198, align 64
  %v199 = getelementptr i32, ptr %ring4, i64 %x.142
  store <32 x i32> %v176, ptr %v199, align 64
  %v200 = getelementptr i32, ptr %ring5, i64 %x.142
  store <32 x i32> %v189, ptr %v200, align 64
  %v201 = getelementptr i32, ptr %ring6, i64 %x.142
  store <32 x i32> %v190, ptr %v201, align 64
  %v202 = add i64 %x.142, 32
  %v203 = getelementptr i16, ptr %ring1, i64 %v202
  %v204 = getelementptr i16, ptr %v203, i64 32
  %v205 = load <32 x i16>, ptr %v204, align 64
  %v206 = shufflevector <32 x i16> %v147, <32 x i16> %v205, <32 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31, i32 32>
  %v207 = shufflevector <32 x i16> %here.144, <32 x i16> %v147, <32 x i32> <i32 31, i32 32, i32 33, i32 34, i32 35, i32 36, i32 37, i32 38, i32 39, i32 40, i32 41, i32 42, i32 43, i32 44, i32 45, i32 46, i32 47, i32 48, i32 49, i32 50, i32 51, i32 52, i32 53, i32 54, i32 55, i32 56, i32 57, i32 58, i32 59, i32 60, i32 61, i32 62>
  %v208 = sub <32 x i16> zeroinitializer, %v207
  %v209 = add <32 x i16> %v208, %v206
  %v210 = mul <32 x i16> %v147, splat (i16 2)
  %v211 = add <32 x i16> %v207, %v210
  %v212 = add <32 x i16> %v211, %v206
  %v213 = getelementptr i16, ptr %ring2.row.160, i64 %v202
  %v214 = load <32 x i16>, ptr %v213, align 64
  %v215 = mul <32 x i16> %v214, splat (i16 2)
  %v216 = getelementptr i16, ptr %ring2.row.170, i64 %v202
  %v217 = load <32 x i16>, ptr %v216, align 64
  %v218 = add <32 x i16> %v217, %v215
  %v219 = add <32 x i16> %v218, %v209
  %v220 = sext <32 x i16> %v219 to <32 x i32>
  %v221 = mul <32 x i32> %v220, %v220
  %v222 = getelementptr i16, ptr %ring3.row.183, i64 %v202
  %v223 = load <32 x i16>, ptr %v222, align 64
  %v224 = sub <32 x i16> zeroinitializer, %v223
  %v225 = add <32 x i16> %v224, %v212
  %v226 = sext <32 x i16> %v225 to <32 x i32>
  %v227 = mul <32 x i32> %v226, %v226
  %v228 = mul <32 x i32> %v220, %v226
  %v229 = getelementptr i16, ptr %ring2.row.193, i64 %v202
  store <32 x i16> %v209, ptr %v229, align 64
  %v230 = getelementptr i16, ptr %ring3.row.197, i64 %v202
  store <32 x i16> %v212, ptr %v230, align 64
  %v231 = getelementptr i32, ptr %ring4, i64 %v202
  store <32 x i32> %v221, ptr %v231, align 64
  %v232 = getelementptr i32, ptr %ring5, i64 %v202
  store <32 x i32> %v227, ptr %v232, align 64
  %v233 = getelementptr i32, ptr %ring6, i64 %v202
  store <32 x i32> %v228, ptr %v233, align 64
  %x.142.next = add nuw nsw i64 %x.142, 64
  %x.142.more = icmp ult i64 %x.142.next, 64
  br i1 %x.142.more, label %across.234, label %across.end.235
across.end.235:
  %v236 = getelementptr i32, ptr %ring4, i64 3
  %v237 = load i32, ptr %v236
  %v238 = getelementptr i32, ptr %ring4, i64 -3
  store i32 %v237, ptr %v238
  %v239 = getelementptr i32, ptr %ring4, i64 2
  %v240 = load i32, ptr %v239
  %v241 = getelementptr i32, ptr %ring4, i64 -2
  store i32 %v240, ptr %v241
  %v242 = getelementptr i32, ptr %ring4, i64 1
  %v243 = load i32, ptr %v242
  %v244 = getelementptr i32, ptr %ring4, i64 -1
  store i32 %v243, ptr %v244
  %v245 = getelementptr i32, ptr %ring4, i64 62
  %v246 = load i32, ptr %v245
  %v247 = getelementptr i32, ptr %ring4, i64 64
  store i32 %v246, ptr %v247
  %v248 = getelementptr i32, ptr %ring4, i64 61
  %v249 = load i32, ptr %v248
  %v250 = getelementptr i32, ptr %ring4, i64 65
  store i32 %v249, ptr %v250
  %v251 = getelementptr i32, ptr %ring4, i64 60
  %v252 = load i32, ptr %v251
  %v253 = getelementptr i32, ptr %ring4, i64 66
  store i32 %v252, ptr %v253
  %v254 = getelementptr i32, ptr %ring5, i64 3
  %v255 = load i32, ptr %v254
  %v256 = getelementptr i32, ptr %ring5, i64 -3
  store i32 %v255, ptr %v256
  %v257 = getelementptr i32, ptr %ring5, i64 2
  %v258 = load i32, ptr %v257
  %v259 = getelementptr i32, ptr %ring5, i64 -2
  store i32 %v258, ptr %v259
  %v260 = getelementptr i32, ptr %ring5, i64 1
  %v261 = load i32, ptr %v260
  %v262 = getelementptr i32, ptr %ring5, i64 -1
  store i32 %v261, ptr %v262
  %v263 = getelementptr i32, ptr %ring5, i64 62
  %v264 = load i32, ptr %v263
  %v265 = getelementptr i32, ptr %ring5, i64 64
  store i32 %v264, ptr %v265
  %v266 = getelementptr i32, ptr %ring5, i64 61
  %v267 = load i32, ptr %v266
  %v268 = getelementptr i32, ptr %ring5, i64 65
  store i32 %v267, ptr %v268
  %v269 = getelementptr i32, ptr %ring5, i64 60
  %v270 = load i32, ptr %v269
  %v271 = getelementptr i32, ptr %ring5, i64 66
  store i32 %v270, ptr %v271
  %v272 = getelementptr i32, ptr %ring6, i64 3
  %v273 = load i32, ptr %v272
  %v274 = getelementptr i32, ptr %ring6, i64 -3
  store i32 %v273, ptr %v274
  %v275 = getelementptr i32, ptr %ring6, i64 2
  %v276 = load i32, ptr %v275
  %v277 = getelementptr i32, ptr %ring6, i64 -2
  store i32 %v276, ptr %v277
  %v278 = getelementptr i32, ptr %ring6, i64 1
  %v279 = load i32, ptr %v278
  %v280 = getelementptr i32, ptr %ring6, i64 -1
  store i32 %v279, ptr %v280
  %v281 = getelementptr i32, ptr %ring6, i64 62
  %v282 = load i32, ptr %v281
  %v283 = getelementptr i32, ptr %ring6, i64 64
  store i32 %v282, ptr %v283
  %v284 = getelementptr i32, ptr %ring6, i64 61
  %v285 = load i32, ptr %v284
  %v286 = getelementptr i32, ptr %ring6, i64 65
  store i32 %v285, ptr %v286
  %v287 = getelementptr i32, ptr %ring6, i64 60
  %v288 = load i32, ptr %v287
  %v289 = getelementptr i32, ptr %ring6, i64 66
  store i32 %v288, ptr %v289
  br label %joined.135
apart.134:
  ; group 2: plane ring2, plane ring3; 5 rows ahead; 5 more above, 5 below
  %r.290 = add nsw i64 %s.71, 5
  %v291 = icmp sge i64 %r.290, %low2
  %v292 = icmp slt i64 %r.290, %high2
  %v293 = and i1 %v291, %v292
  br i1 %v293, label %group2.294, label %group2.end.295
group2.294:
  %v296 = icmp sge i64 %r.290, %first_row
  %v297 = icmp slt i64 %r.290, %last_row
  %v298 = and i1 %v296, %v297
  %v305 = load <32 x i16>, ptr %ring1, align 64
  %v306 = shufflevector <32 x i16> %v305, <32 x i16> poison, <32 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 1>
  %v307 = load <32 x i16>, ptr %ring1, align 64
  %v315 = urem i64 %r.290, 2
  %v316 = mul nsw i64 %v315, 128
  %ring2.row.317 = getelementptr i16, ptr %ring2, i64 %v316
  %v319 = urem i64 %r.290, 2
  %v320 = mul nsw i64 %v319, 128
  %ring3.row.321 = getelementptr i16, ptr %ring3, i64 %v320
  br label %across.323
across.323:
  %x.299 = phi i64 [ 0, %group2.294 ], [ %x.299.next, %across.323 ]
  %before.300 = phi <32 x i16> [ %v306, %group2.294 ], [ %here.301, %across.323 ]
  %here.301 = phi <32 x i16> [ %v307, %group2.294 ], [ %v304, %across.323 ]
  %v302 = getelementptr i16, ptr %ring1, i64 %x.299
  %v303 = getelementptr i16, ptr %v302, i64 32
  %v304 = load <32 x i16>, ptr %v303, align 64
  %v308 = shufflevector <32 x i16> %here.301, <32 x i16> %v304, <32 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31, i32 32>
  %v309 = shufflevector <32 x i16> %before.300, <32 x i16> %here.301, <32 x i32> <i32 31, i32 32, i32 33, i32 34, i32 35, i32 36, i32 37, i32 38, i32 39, i32 40, i32 41, i32 42, i32 43, i32 44, i32 45, i32 46, i32 47, i32 48, i32 49, i32 50, i32 51, i32 52, i32 53, i32 54, i32 55, i32 56, i32 57, i32 58, i32 59, i32 60, i32 61, i32 62>
  %v310 = sub <32 x i16> zeroinitializer, %v309
  %v311 = add <32 x i16> %v310, %v308
  %v312 = mul <32 x i16> %here.301, splat (i16 2)
  %v313 = add <32 x i16> %v309, %v312
  %v314 = add <32 x i16> %v313, %v308
  %v318 = getelementptr i16, ptr %ring2.row.317, i64 %x.299
  store <32 x i16> %v311, ptr %v318, align 64
  %v322 = getelementptr i16, ptr %ring3.row.321, i64 %x.299
  store <32 x i16> %v314, ptr %v322, align 64
  %x.299.next = add nuw nsw i64 %x.299, 32
  %x.299.more = icmp ult i64 %x.299.next, 64
  br i1 %x.299.more, label %across.323, label %across.end.324
across.end.324:
  br label %group2.end.295
group2.end.295:
  ; group 3: plane ring4, plane ring5, plane ring6; 4 rows ahead; 4 more above, 4 below
  %r.325 = add nsw i64 %s.71, 4
  %v326 = icmp sge i64 %r.325, %low3
  %v327 = icmp slt i64 %r.325, %high3
  %v328 = and i1 %v326, %v327
  br i1 %v328, label %group3.329, label %group3.end.330
group3.329:
  %v331 = icmp sge i64 %r.325, %first_row
  %v332 = icmp slt i64 %r.325, %last_row
  %v333 = and i1 %v331, %v332
  %v335 = add i64 %r.325, 1
  %v336 = call i64 @llvm.abs.i64(i64 %v335, i1 false)
  %v337 = sub i64 94, %v336
  %v338 = call i64 @llvm.smin.i64(i64 %v336, i64 %v337)
  %v339 = urem i64 %v338, 2
  %v340 = mul nsw i64 %v339, 128
  %ring2.row.341 = getelementptr i16, ptr %ring2, i64 %v340
  %v344 = urem i64 %r.325, 2
  %v345 = mul nsw i64 %v344, 128
  %ring2.row.346 = getelementptr i16, ptr %ring2, i64 %v345
  %v350 = add i64 %r.325, -1
  %v351 = call i64 @llvm.abs.i64(i64 %v350, i1 false)
  %v352 = sub i64 94, %v351
  %v353 = call i64 @llvm.smin.i64(i64 %v351, i64 %v352)
  %v354 = urem i64 %v353, 2
  %v355 = mul nsw i64 %v354, 128
  %ring2.row.356 = getelementptr i16, ptr %ring2, i64 %v355
  %v363 = add i64 %r.325, 1
  %v364 = call i64 @llvm.abs.i64(i64 %v363, i1 false)
  %v365 = sub i64 94, %v364
  %v366 = call i64 @llvm.smin.i64(i64 %v364, i64 %v365)
  %v367 = urem i64 %v366, 2
  %v368 = mul nsw i64 %v367, 128
  %ring3.row.369 = getelementptr i16, ptr %ring3, i64 %v368
  %v372 = add i64 %r.325, -1
  %v373 = call i64 @llvm.abs.i64(i64 %v372, i1 false)
  %v374 = sub i64 94, %v373
  %v375 = call i64 @llvm.smin.i64(i64 %v373, i64 %v374)
  %v376 = urem i64 %v375, 2
  %v377 = mul nsw i64 %v376, 128
  %ring3.row.378 = getelementptr i16, ptr %ring3, i64 %v377
  br label %across.389
across.389:
  %x.334 = phi i64 [ 0, %group3.329 ], [ %x.334.next, %across.389 ]
  %v342 = getelementptr i16, ptr %ring2.row.341, i64 %x.334
  %v343 = load <32 x i16>, ptr %v342, align 64
  %v347 = getelementptr i16, ptr %ring2.row.346, i64 %x.334
  %v348 = load <32 x i16>, ptr %v347, align 64
  %v349 = mul <32 x i16> %v348, splat (i16 2)
  %v357 = getelementptr i16, ptr %ring2.row.356, i64 %x.334
  %v358 = load <32 x i16>, ptr %v357, align 64
  %v359 = add <32 x i16> %v358, %v349
  %v360 = add <32 x i16> %v359, %v343
  %v361 = sext <32 x i16> %v360 to <32 x i32>
  %v362 = mul <32 x i32> %v361, %v361
  %v370 = getelementptr i16, ptr %ring3.row.369, i64 %x.334
  %v371 = load <32 x i16>, ptr %v370, align 64
  %v379 = getelementptr i16, ptr %ring3.row.378, i64 %x.334
  %v380 = load <32 x i16>, ptr %v379, align 64
  %v381 = sub <32 x i16> zeroinitializer, %v380
  %v382 = add <32 x i16> %v381, %v371
  %v383 = sext <32 x i16> %v382 to <32 x i32>
  %v384 = mul <32 x i32> %v383, %v383
  %v385 = mul <32 x i32> %v361, %v383
  %v386 = getelementptr i32, ptr %ring4, i64 %x.334
  store <32 x i32> %v362, ptr %v386, align 64
  %v387 = getelementptr i32, ptr %ring5, i64 %x.334
  store <32 x i32> %v384, ptr %v387, align 64
  %v388 = getelementptr i32, ptr %ring6, i64 %x.334
  store <32 x i32> %v385, ptr %v388, align 64
  %x.334.next = add nuw nsw i64 %x.334, 32
  %x.334.more = icmp ult i64 %x.334.next, 64
  br i1 %x.334.more, label %across.389, label %across.end.390
across.end.390:
  %v391 = getelementptr i32, ptr %ring4, i64 3
  %v392 = load i32, ptr %v391
  %v393 = getelementptr i32, ptr %ring4, i64 -3
  store i32 %v392, ptr %v393
  %v394 = getelementptr i32, ptr %ring4, i64 2
  %v395 = load i32, ptr %v394
  %v396 = getelementptr i32, ptr %ring4, i64 -2
  store i32 %v395, ptr %v396
  %v397 = getelementptr i32, ptr %ring4, i64 1
  %v398 = load i32, ptr %v397
  %v399 = getelementptr i32, ptr %ring4, i64 -1
  store i32 %v398, ptr %v399
  %v400 = getelementptr i32, ptr %ring4, i64 62
  %v401 = load i32, ptr %v400
  %v402 = getelementptr i32, ptr %ring4, i64 64
  store i32 %v401, ptr %v402
  %v403 = getelementptr i32, ptr %ring4, i64 61
  %v404 = load i32, ptr %v403
  %v405 = getelementptr i32, ptr %ring4, i64 65
  store i32 %v404, ptr %v405
  %v406 = getelementptr i32, ptr %ring4, i64 60
  %v407 = load i32, ptr %v406
  %v408 = getelementptr i32, ptr %ring4, i64 66
  store i32 %v407, ptr %v408
  %v409 = getelementptr i32, ptr %ring5, i64 3
  %v410 = load i32, ptr %v409
  %v411 = getelementptr i32, ptr %ring5, i64 -3
  store i32 %v410, ptr %v411
  %v412 = getelementptr i32, ptr %ring5, i64 2
  %v413 = load i32, ptr %v412
  %v414 = getelementptr i32, ptr %ring5, i64 -2
  store i32 %v413, ptr %v414
  %v415 = getelementptr i32, ptr %ring5, i64 1
  %v416 = load i32, ptr %v415
  %v417 = getelementptr i32, ptr %ring5, i64 -1
  store i32 %v416, ptr %v417
  %v418 = getelementptr i32, ptr %ring5, i64 62
  %v419 = load i32, ptr %v418
  %v420 = getelementptr i32, ptr %ring5, i64 64
  store i32 %v419, ptr %v420
  %v421 = getelementptr i32, ptr %ring5, i64 61
  %v422 = load i32, ptr %v421
  %v423 = getelementptr i32, ptr %ring5, i64 65
  store i32 %v422, ptr %v423
  %v424 = getelementptr i32, ptr %ring5, i64 60
  %v425 = load i32, ptr %v424
  %v426 = getelementptr i32, ptr %ring5, i64 66
  store i32 %v425, ptr %v426
  %v427 = getelementptr i32, ptr %ring6, i64 3
  %v428 = load i32, ptr %v427
  %v429 = getelementptr i32, ptr %ring6, i64 -3
  store i32 %v428, ptr %v429
  %v430 = getelementptr i32, ptr %ring6, i64 2
  %v431 = load i32, ptr %v430
  %v432 = getelementptr i32, ptr %ring6, i64 -2
  store i32 %v431, ptr %v432
  %v433 = getelementptr i32, ptr %ring6, i64 1
  %v434 = load i32, ptr %v433
  %v435 = getelementptr i32, ptr %ring6, i64 -1
  store i32 %v434, ptr %v435
  %v436 = getelementptr i32, ptr %ring6, i64 62
  %v437 = load i32, ptr %v436
  %v438 = getelementptr i32, ptr %ring6, i64 64
  store i32 %v437, ptr %v438
  %v439 = getelementptr i32, ptr %ring6, i64 61
  %v440 = load i32, ptr %v439
  %v441 = getelementptr i32, ptr %ring6, i64 65
  store i32 %v440, ptr %v441
  %v442 = getelementptr i32, ptr %ring6, i64 60
  %v443 = load i32, ptr %v442
  %v444 = getelementptr i32, ptr %ring6, i64 66
  store i32 %v443, ptr %v444
  br label %group3.end.330
group3.end.330:
  br label %joined.135
joined.135:
  ; group 4: plane ring7, plane ring8, plane ring9; 4 rows ahead; 4 more above, 4 below
  %r.445 = add nsw i64 %s.71, 4
  %v446 = icmp sge i64 %r.445, %low4
  %v447 = icmp slt i64 %r.445, %high4
  %v448 = and i1 %v446, %v447
  ; group 5: plane ring10, plane ring11; 1 rows ahead; 1 more above, 1 below
  %r.449 = add nsw i64 %s.71, 1
  %v450 = icmp sge i64 %r.449, %low5
  %v451 = icmp slt i64 %r.449, %high5
  %v452 = and i1 %v450, %v451
  %v453 = icmp sge i64 %r.449, 3
  %v454 = and i1 %v448, %v452
  %v455 = and i1 %v453, %v454
  br i1 %v455, label %together.456, label %apart.457
together.456:
  %v459 = icmp sge i64 %r.445, %first_row
  %v460 = icmp slt i64 %r.445, %last_row
  %v461 = and i1 %v459, %v460
  %v471 = load <16 x i32>, ptr %ring4, align 64
  %v472 = shufflevector <16 x i32> %v471, <16 x i32> poison, <16 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 3, i32 2, i32 1>
  %v473 = load <16 x i32>, ptr %ring4, align 64
  %v491 = load <16 x i32>, ptr %ring5, align 64
  %v492 = shufflevector <16 x i32> %v491, <16 x i32> poison, <16 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 3, i32 2, i32 1>
  %v493 = load <16 x i32>, ptr %ring5, align 64
  %v511 = load <16 x i32>, ptr %ring6, align 64
  %v512 = shufflevector <16 x i32> %v511, <16 x i32> poison, <16 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 3, i32 2, i32 1>
  %v513 = load <16 x i32>, ptr %ring6, align 64
  %v717 = urem i64 %r.445, 6
  %v718 = mul nsw i64 %v717, 112
  %ring7.row.719 = getelementptr i32, ptr %ring7, i64 %v718
  %v721 = urem i64 %r.445, 6
  %v722 = mul nsw i64 %v721, 112
  %ring8.row.723 = getelementptr i32, ptr %ring8, i64 %v722
  %v725 = urem i64 %r.445, 6
  %v726 = mul nsw i64 %v725, 112
  %ring9.row.727 = getelementptr i32, ptr %ring9, i64 %v726
  %v462 = icmp sge i64 %r.449, %first_row
  %v463 = icmp slt i64 %r.449, %last_row
  %v464 = and i1 %v462, %v463
  %v526 = add i64 %r.449, 2
  %v527 = call i64 @llvm.abs.i64(i64 %v526, i1 false)
  %v528 = sub i64 94, %v527
  %v529 = call i64 @llvm.smin.i64(i64 %v527, i64 %v528)
  %v530 = urem i64 %v529, 6
  %v531 = mul nsw i64 %v530, 112
  %ring9.row.532 = getelementptr i32, ptr %ring9, i64 %v531
  %v535 = add i64 %r.449, 1
  %v536 = call i64 @llvm.abs.i64(i64 %v535, i1 false)
  %v537 = sub i64 94, %v536
  %v538 = call i64 @llvm.smin.i64(i64 %v536, i64 %v537)
  %v539 = urem i64 %v538, 6
  %v540 = mul nsw i64 %v539, 112
  %ring9.row.541 = getelementptr i32, ptr %ring9, i64 %v540
  %v544 = urem i64 %r.449, 6
  %v545 = mul nsw i64 %v544, 112
  %ring9.row.546 = getelementptr i32, ptr %ring9, i64 %v545
  %v549 = add i64 %r.449, -1
  %v550 = call i64 @llvm.abs.i64(i64 %v549, i1 false)
  %v551 = sub i64 94, %v550
  %v552 = call i64 @llvm.smin.i64(i64 %v550, i64 %v551)
  %v553 = urem i64 %v552, 6
  %v554 = mul nsw i64 %v553, 112
  %ring9.row.555 = getelementptr i32, ptr %ring9, i64 %v554
  %v558 = add i64 %r.449, -2
  %v559 = call i64 @llvm.abs.i64(i64 %v558, i1 false)
  %v560 = sub i64 94, %v559
  %v561 = call i64 @llvm.smin.i64(i64 %v559, i64 %v560)
  %v562 = urem i64 %v561, 6
  %v563 = mul nsw i64 %v562, 112
  %ring9.row.564 = getelementptr i32, ptr %ring9, i64 %v563
  %v567 = add i64 %r.449, -3
  %v568 = call i64 @llvm.abs.i64(i64 %v567, i1 false)
  %v569 = sub i64 94, %v568
  %v570 = call i64 @llvm.smin.i64(i64 %v568, i64 %v569)
  %v571 = urem i64 %v570, 6
  %v572 = mul nsw i64 %v571, 112
  %ring9.row.573 = getelementptr i32, ptr %ring9, i64 %v572
  %v585 = add i64 %r.449, 2
  %v586 = call i64 @llvm.abs.i64(i64 %v585, i1 false)
  %v587 = sub i64 94, %v586
  %v588 = call i64 @llvm.smin.i64(i64 %v586, i64 %v587)
  %v589 = urem i64 %v588, 6
  %v590 = mul nsw i64 %v589, 112
  %ring8.row.591 = getelementptr i32, ptr %ring8, i64 %v590
  %v594 = add i64 %r.449, 1
  %v595 = call i64 @llvm.abs.i64(i64 %v594, i1 false)
  %v596 = sub i64 94, %v595
  %v597 = call i64 @llvm.smin.i64(i64 %v595, i64 %v596)
  %v598 = urem i64 %v597, 6
  %v599 = mul nsw i64 %v598, 112
  %ring8.row.600 = getelementptr i32, ptr %ring8, i64 %v599
  %v603 = urem i64 %r.449, 6
  %v604 = mul nsw i64 %v603, 112
  %ring8.row.605 = getelementptr i32, ptr %ring8, i64 %v604
  %v608 = add i64 %r.449, -1
  %v609 = call i64 @llvm.abs.i64(i64 %v608, i1 false)
  %v610 = sub i64 94, %v609
  %v611 = call i64 @llvm.smin.i64(i64 %v609, i64 %v610)
  %v612 = urem i64 %v611, 6
  %v613 = mul nsw i64 %v612, 112
  %ring8.row.614 = getelementptr i32, ptr %ring8, i64 %v613
  %v617 = add i64 %r.449, -2
  %v618 = call i64 @llvm.abs.i64(i64 %v617, i1 false)
  %v619 = sub i64 94, %v618
  %v620 = call i64 @llvm.smin.i64(i64 %v618, i64 %v619)
  %v621 = urem i64 %v620, 6
  %v622 = mul nsw i64 %v621, 112
  %ring8.row.623 = getelementptr i32, ptr %ring8, i64 %v622
  %v626 = add i64 %r.449, -3
  %v627 = call i64 @llvm.abs.i64(i64 %v626, i1 false)
  %v628 = sub i64 94, %v627
  %v629 = call i64 @llvm.smin.i64(i64 %v627, i64 %v628)
  %v630 = urem i64 %v629, 6
  %v631 = mul nsw i64 %v630, 112
  %ring8.row.632 = getelementptr i32, ptr %ring8, i64 %v631
  %v643 = add i64 %r.449, 2
  %v644 = call i64 @llvm.abs.i64(i64 %v643, i1 false)
  %v645 = sub i64 94, %v644
  %v646 = call i64 @llvm.smin.i64(i64 %v644, i64 %v645)
  %v647 = urem i64 %v646, 6
  %v648 = mul nsw i64 %v647, 112
  %ring7.row.649 = getelementptr i32, ptr %ring7, i64 %v648
  %v652 = add i64 %r.449, 1
  %v653 = call i64 @llvm.abs.i64(i64 %v652, i1 false)
  %v654 = sub i64 94, %v653
  %v655 = call i64 @llvm.smin.i64(i64 %v653, i64 %v654)
  %v656 = urem i64 %v655, 6
  %v657 = mul nsw i64 %v656, 112
  %ring7.row.658 = getelementptr i32, ptr %ring7, i64 %v657
  %v661 = urem i64 %r.449, 6
  %v662 = mul nsw i64 %v661, 112
  %ring7.row.663 = getelementptr i32, ptr %ring7, i64 %v662
  %v666 = add i64 %r.449, -1
  %v667 = call i64 @llvm.abs.i64(i64 %v666, i1 false)
  %v668 = sub i64 94, %v667
  %v669 = call i64 @llvm.smin.i64(i64 %v667, i64 %v668)
  %v670 = urem i64 %v669, 6
  %v671 = mul nsw i64 %v670, 112
  %ring7.row.672 = getelementptr i32, ptr %ring7, i64 %v671
  %v675 = add i64 %r.449, -2
  %v676 = call i64 @llvm.abs.i64(i64 %v675, i1 false)
  %v677 = sub i64 94, %v676
  %v678 = call i64 @llvm.smin.i64(i64 %v676, i64 %v677)
  %v679 = urem i64 %v678, 6
  %v680 = mul nsw i64 %v679, 112
  %ring7.row.681 = getelementptr i32, ptr %ring7, i64 %v680
  %v684 = add i64 %r.449, -3
  %v685 = call i64 @llvm.abs.i64(i64 %v684, i1 false)
  %v686 = sub i64 94, %v685
  %v687 = call i64 @llvm.smin.i64(i64 %v685, i64 %v686)
  %v688 = urem i64 %v687, 6
  %v689 = mul nsw i64 %v688, 112
  %ring7.row.690 = getelementptr i32, ptr %ring7, i64 %v689
  %v729 = urem i64 %r.449, 3
  %v730 = mul nsw i64 %v729, 160
  %ring10.row.731 = getelementptr float, ptr %ring10, i64 %v730
  %v733 = urem i64 %r.449, 2
  %v734 = mul nsw i64 %v733, 160
  %ring11.row.735 = getelementptr i32, ptr %ring11, i64 %v734
  br label %across.737
across.737:
  %x.465 = phi i64 [ 0, %together.456 ], [ %x.465.next, %across.737 ]
  %before.466 = phi <16 x i32> [ %v472, %together.456 ], [ %here.467, %across.737 ]
  %here.467 = phi <16 x i32> [ %v473, %together.456 ], [ %v470, %across.737 ]
  %before.486 = phi <16 x i32> [ %v492, %together.456 ], [ %here.487, %across.737 ]
  %here.487 = phi <16 x i32> [ %v493, %together.456 ], [ %v490, %across.737 ]
  %before.506 = phi <16 x i32> [ %v512, %together.456 ], [ %here.507, %across.737 ]
  %here.507 = phi <16 x i32> [ %v513, %together.456 ], [ %v510, %across.737 ]
  %v468 = getelementptr i32, ptr %ring4, i64 %x.465
  %v469 = getelementptr i32, ptr %v468, i64 16
  %v470 = load <16 x i32>, ptr %v469, align 64
  %v474 = shufflevector <16 x i32> %here.467, <16 x i32> %v470, <16 x i32> <i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18>
  %v475 = shufflevector <16 x i32> %here.467, <16 x i32> %v470, <16 x i32> <i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17>
  %v476 = shufflevector <16 x i32> %here.467, <16 x i32> %v470, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16>
  %v477 = shufflevector <16 x i32> %before.466, <16 x i32> %here.467, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v478 = shufflevector <16 x i32> %before.466, <16 x i32> %here.467, <16 x i32> <i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29>
  %v479 = shufflevector <16 x i32> %before.466, <16 x i32> %here.467, <16 x i32> <i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28>
  %v480 = add <16 x i32> %v479, %v478
  %v481 = add <16 x i32> %v480, %v477
  %v482 = add <16 x i32> %v481, %here.467
  %v483 = add <16 x i32> %v482, %v476
  %v484 = add <16 x i32> %v483, %v475
  %v485 = add <16 x i32> %v484, %v474
  %v488 = getelementptr i32, ptr %ring5, i64 %x.465
  %v489 = getelementptr i32, ptr %v488, i64 16
  %v490 = load <16 x i32>, ptr %v489, align 64
  %v494 = shufflevector <16 x i32> %here.487, <16 x i32> %v490, <16 x i32> <i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18>
  %v495 = shufflevector <16 x i32> %here.487, <16 x i32> %v490, <16 x i32> <i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17>
  %v496 = shufflevector <16 x i32> %here.487, <16 x i32> %v490, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16>
  %v497 = shufflevector <16 x i32> %before.486, <16 x i32> %here.487, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v498 = shufflevector <16 x i32> %before.486, <16 x i32> %here.487, <16 x i32> <i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29>
  %v499 = shufflevector <16 x i32> %before.486, <16 x i32> %here.487, <16 x i32> <i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28>
  %v500 = add <16 x i32> %v499, %v498
  %v501 = add <16 x i32> %v500, %v497
  %v502 = add <16 x i32> %v501, %here.487
  %v503 = add <16 x i32> %v502, %v496
  %v504 = add <16 x i32> %v503, %v495
  %v505 = add <16 x i32> %v504, %v494
  %v508 = getelementptr i32, ptr %ring6, i64 %x.465
  %v509 = getelementptr i32, ptr %v508, i64 16
  %v510 = load <16 x i32>, ptr %v509, align 64
  %v514 = shufflevector <16 x i32> %here.507, <16 x i32> %v510, <16 x i32> <i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18>
  %v515 = shufflevector <16 x i32> %here.507, <16 x i32> %v510, <16 x i32> <i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17>
  %v516 = shufflevector <16 x i32> %here.507, <16 x i32> %v510, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16>
  %v517 = shufflevector <16 x i32> %before.506, <16 x i32> %here.507, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v518 = shufflevector <16 x i32> %before.506, <16 x i32> %here.507, <16 x i32> <i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29>
  %v519 = shufflevector <16 x i32> %before.506, <16 x i32> %here.507, <16 x i32> <i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28>
  %v520 = add <16 x i32> %v519, %v518
  %v521 = add <16 x i32> %v520, %v517
  %v522 = add <16 x i32> %v521, %here.507
  %v523 = add <16 x i32> %v522, %v516
  %v524 = add <16 x i32> %v523, %v515
  %v525 = add <16 x i32> %v524, %v514
  %v533 = getelementptr i32, ptr %ring9.row.532, i64 %x.465
  %v534 = load <16 x i32>, ptr %v533, align 64
  %v542 = getelementptr i32, ptr %ring9.row.541, i64 %x.465
  %v543 = load <16 x i32>, ptr %v542, align 64
  %v547 = getelementptr i32, ptr %ring9.row.546, i64 %x.465
  %v548 = load <16 x i32>, ptr %v547, align 64
  %v556 = getelementptr i32, ptr %ring9.row.555, i64 %x.465
  %v557 = load <16 x i32>, ptr %v556, align 64
  %v565 = getelementptr i32, ptr %ring9.row.564, i64 %x.465
  %v566 = load <16 x i32>, ptr %v565, align 64
  %v574 = getelementptr i32, ptr %ring9.row.573, i64 %x.465
  %v575 = load <16 x i32>, ptr %v574, align 64
  %v576 = add <16 x i32> %v575, %v566
  %v577 = add <16 x i32> %v576, %v557
  %v578 = add <16 x i32> %v577, %v548
  %v579 = add <16 x i32> %v578, %v543
  %v580 = add <16 x i32> %v579, %v534
  %v581 = add <16 x i32> %v580, %v525
  %v582 = sitofp <16 x i32> %v581 to <16 x float>
  %v583 = fmul <16 x float> %v582, splat (float 0x3E550FEB60000000)
  %v584 = fmul <16 x float> %v583, %v583
  %v592 = getelementptr i32, ptr %ring8.row.591, i64 %x.465
  %v593 = load <16 x i32>, ptr %v592, align 64
  %v601 = getelementptr i32, ptr %ring8.row.600, i64 %x.465
  %v602 = load <16 x i32>, ptr %v601, align 64
  %v606 = getelementptr i32, ptr %ring8.row.605, i64 %x.465
  %v607 = load <16 x i32>, ptr %v606, align 64
  %v615 = getelementptr i32, ptr %ring8.row.614, i64 %x.465
  %v616 = load <16 x i32>, ptr %v615, align 64
  %v624 = getelementptr i32, ptr %ring8.row.623, i64 %x.465
  %v625 = load <16 x i32>, ptr %v624, align 64
  %v633 = getelementptr i32, ptr %ring8.row.632, i64 %x.465
  %v634 = load <16 x i32>, ptr %v633, align 64
  %v635 = add <16 x i32> %v634, %v625
  %v636 = add <16 x i32> %v635, %v616
  %v637 = add <16 x i32> %v636, %v607
  %v638 = add <16 x i32> %v637, %v602
  %v639 = add <16 x i32> %v638, %v593
  %v640 = add <16 x i32> %v639, %v505
  %v641 = sitofp <16 x i32> %v640 to <16 x float>
  %v642 = fmul <16 x float> %v641, splat (float 0x3E550FEB60000000)
  %v650 = getelementptr i32, ptr %ring7.row.649, i64 %x.465
  %v651 = load <16 x i32>, ptr %v650, align 64
  %v659 = getelementptr i32, ptr %ring7.row.658, i64 %x.465
  %v660 = load <16 x i32>, ptr %v659, align 64
  %v664 = getelementptr i32, ptr %ring7.row.663, i64 %x.465
  %v665 = load <16 x i32>, ptr %v664, align 64
  %v673 = getelementptr i32, ptr %ring7.row.672, i64 %x.465
  %v674 = load <16 x i32>, ptr %v673, align 64
  %v682 = getelementptr i32, ptr %ring7.row.681, i64 %x.465
  %v683 = load <16 x i32>, ptr %v682, align 64
  %v691 = getelementptr i32, ptr %ring7.row.690, i64 %x.465
  %v692 = load <16 x i32>, ptr %v691, align 64
  %v693 = add <16 x i32> %v692, %v683
  %v694 = add <16 x i32> %v693, %v674
  %v695 = add <16 x i32> %v694, %v665
  %v696 = add <16 x i32> %v695, %v660
  %v697 = add <16 x i32> %v696, %v651
  %v698 = add <16 x i32> %v697, %v485
  %v699 = sitofp <16 x i32> %v698 to <16 x float>
  %v700 = fmul <16 x float> %v699, splat (float 0x3E550FEB60000000)
  %v701 = fsub <16 x float> %v700, %v642
  %v702 = fmul <16 x float> %v701, splat (float 0x3FE0000000000000)
  %v703 = fmul <16 x float> %v702, %v702
  %v704 = fadd <16 x float> %v703, %v584
  %v705 = call <16 x float> @llvm.sqrt.v16f32(<16 x float> %v704)
  %v706 = fadd <16 x float> %v700, %v642
  %v707 = fmul <16 x float> %v706, splat (float 0x3FE0000000000000)
  %v708 = fsub <16 x float> %v707, %v705
  %v709 = fcmp uno <16 x float> %v708, %v708
  %v710 = bitcast <16 x float> %v708 to <16 x i32>
  %v711 = select <16 x i1> %v709, <16 x i32> splat (i32 2143289344), <16 x i32> %v710
  %v712 = and <16 x i32> splat (i32 31), splat (i32 31)
  %v713 = ashr <16 x i32> %v711, %v712
  %v714 = and <16 x i32> %v711, splat (i32 2147483647)
  %v715 = xor <16 x i32> %v714, %v713
  %v716 = sub <16 x i32> %v715, %v713
  %v720 = getelementptr i32, ptr %ring7.row.719, i64 %x.465
  store <16 x i32> %v485, ptr %v720, align 64
  %v724 = getelementptr i32, ptr %ring8.row.723, i64 %x.465
  store <16 x i32> %v505, ptr %v724, align 64
  %v728 = getelementptr i32, ptr %ring9.row.727, i64 %x.465
  store <16 x i32> %v525, ptr %v728, align 64
  %v732 = getelementptr float, ptr %ring10.row.731, i64 %x.465
  store <16 x float> %v708, ptr %v732, align 64
  %v736 = getelementptr i32, ptr %ring11.row.735, i64 %x.465
  store <16 x i32> %v716, ptr %v736, align 64
  %x.465.next = add nuw nsw i64 %x.465, 16
  %x.465.more = icmp ult i64 %x.465.next, 64
  br i1 %x.465.more, label %across.737, label %across.end.738
across.end.738:
  %v739 = getelementptr float, ptr %ring10.row.731, i64 1
  %v740 = load float, ptr %v739
  %v741 = getelementptr float, ptr %ring10.row.731, i64 -1
  store float %v740, ptr %v741
  %v742 = getelementptr float, ptr %ring10.row.731, i64 62
  %v743 = load float, ptr %v742
  %v744 = getelementptr float, ptr %ring10.row.731, i64 64
  store float %v743, ptr %v744
  %v745 = getelementptr i32, ptr %ring11.row.735, i64 -1
  store i32 -2139095039, ptr %v745
  %v746 = getelementptr i32, ptr %ring11.row.735, i64 64
  store i32 -2139095039, ptr %v746
  br label %joined.458
apart.457:
  ; group 4: plane ring7, plane ring8, plane ring9; 4 rows ahead; 4 more above, 4 below
  %r.747 = add nsw i64 %s.71, 4
  %v748 = icmp sge i64 %r.747, %low4
  %v749 = icmp slt i64 %r.747, %high4
  %v750 = and i1 %v748, %v749
  br i1 %v750, label %group4.751, label %group4.end.752
group4.751:
  %v753 = icmp sge i64 %r.747, %first_row
  %v754 = icmp slt i64 %r.747, %last_row
  %v755 = and i1 %v753, %v754
  %v762 = load <16 x i32>, ptr %ring4, align 64
  %v763 = shufflevector <16 x i32> %v762, <16 x i32> poison, <16 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 3, i32 2, i32 1>
  %v764 = load <16 x i32>, ptr %ring4, align 64
  %v782 = load <16 x i32>, ptr %ring5, align 64
  %v783 = shufflevector <16 x i32> %v782, <16 x i32> poison, <16 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 3, i32 2, i32 1>
  %v784 = load <16 x i32>, ptr %ring5, align 64
  %v802 = load <16 x i32>, ptr %ring6, align 64
  %v803 = shufflevector <16 x i32> %v802, <16 x i32> poison, <16 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 3, i32 2, i32 1>
  %v804 = load <16 x i32>, ptr %ring6, align 64
  %v817 = urem i64 %r.747, 6
  %v818 = mul nsw i64 %v817, 112
  %ring7.row.819 = getelementptr i32, ptr %ring7, i64 %v818
  %v821 = urem i64 %r.747, 6
  %v822 = mul nsw i64 %v821, 112
  %ring8.row.823 = getelementptr i32, ptr %ring8, i64 %v822
  %v825 = urem i64 %r.747, 6
  %v826 = mul nsw i64 %v825, 112
  %ring9.row.827 = getelementptr i32, ptr %ring9, i64 %v826
  br label %across.829
across.829:
  %x.756 = phi i64 [ 0, %group4.751 ], [ %x.756.next, %across.829 ]
  %before.757 = phi <16 x i32> [ %v763, %group4.751 ], [ %here.758, %across.829 ]
  %here.758 = phi <16 x i32> [ %v764, %group4.751 ], [ %v761, %across.829 ]
  %before.777 = phi <16 x i32> [ %v783, %group4.751 ], [ %here.778, %across.829 ]
  %here.778 = phi <16 x i32> [ %v784, %group4.751 ], [ %v781, %across.829 ]
  %before.797 = phi <16 x i32> [ %v803, %group4.751 ], [ %here.798, %across.829 ]
  %here.798 = phi <16 x i32> [ %v804, %group4.751 ], [ %v801, %across.829 ]
  %v759 = getelementptr i32, ptr %ring4, i64 %x.756
  %v760 = getelementptr i32, ptr %v759, i64 16
  %v761 = load <16 x i32>, ptr %v760, align 64
  %v765 = shufflevector <16 x i32> %here.758, <16 x i32> %v761, <16 x i32> <i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18>
  %v766 = shufflevector <16 x i32> %here.758, <16 x i32> %v761, <16 x i32> <i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17>
  %v767 = shufflevector <16 x i32> %here.758, <16 x i32> %v761, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16>
  %v768 = shufflevector <16 x i32> %before.757, <16 x i32> %here.758, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v769 = shufflevector <16 x i32> %before.757, <16 x i32> %here.758, <16 x i32> <i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29>
  %v770 = shufflevector <16 x i32> %before.757, <16 x i32> %here.758, <16 x i32> <i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28>
  %v771 = add <16 x i32> %v770, %v769
  %v772 = add <16 x i32> %v771, %v768
  %v773 = add <16 x i32> %v772, %here.758
  %v774 = add <16 x i32> %v773, %v767
  %v775 = add <16 x i32> %v774, %v766
  %v776 = add <16 x i32> %v775, %v765
  %v779 = getelementptr i32, ptr %ring5, i64 %x.756
  %v780 = getelementptr i32, ptr %v779, i64 16
  %v781 = load <16 x i32>, ptr %v780, align 64
  %v785 = shufflevector <16 x i32> %here.778, <16 x i32> %v781, <16 x i32> <i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18>
  %v786 = shufflevector <16 x i32> %here.778, <16 x i32> %v781, <16 x i32> <i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17>
  %v787 = shufflevector <16 x i32> %here.778, <16 x i32> %v781, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16>
  %v788 = shufflevector <16 x i32> %before.777, <16 x i32> %here.778, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v789 = shufflevector <16 x i32> %before.777, <16 x i32> %here.778, <16 x i32> <i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29>
  %v790 = shufflevector <16 x i32> %before.777, <16 x i32> %here.778, <16 x i32> <i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28>
  %v791 = add <16 x i32> %v790, %v789
  %v792 = add <16 x i32> %v791, %v788
  %v793 = add <16 x i32> %v792, %here.778
  %v794 = add <16 x i32> %v793, %v787
  %v795 = add <16 x i32> %v794, %v786
  %v796 = add <16 x i32> %v795, %v785
  %v799 = getelementptr i32, ptr %ring6, i64 %x.756
  %v800 = getelementptr i32, ptr %v799, i64 16
  %v801 = load <16 x i32>, ptr %v800, align 64
  %v805 = shufflevector <16 x i32> %here.798, <16 x i32> %v801, <16 x i32> <i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18>
  %v806 = shufflevector <16 x i32> %here.798, <16 x i32> %v801, <16 x i32> <i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17>
  %v807 = shufflevector <16 x i32> %here.798, <16 x i32> %v801, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16>
  %v808 = shufflevector <16 x i32> %before.797, <16 x i32> %here.798, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v809 = shufflevector <16 x i32> %before.797, <16 x i32> %here.798, <16 x i32> <i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29>
  %v810 = shufflevector <16 x i32> %before.797, <16 x i32> %here.798, <16 x i32> <i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28>
  %v811 = add <16 x i32> %v810, %v809
  %v812 = add <16 x i32> %v811, %v808
  %v813 = add <16 x i32> %v812, %here.798
  %v814 = add <16 x i32> %v813, %v807
  %v815 = add <16 x i32> %v814, %v806
  %v816 = add <16 x i32> %v815, %v805
  %v820 = getelementptr i32, ptr %ring7.row.819, i64 %x.756
  store <16 x i32> %v776, ptr %v820, align 64
  %v824 = getelementptr i32, ptr %ring8.row.823, i64 %x.756
  store <16 x i32> %v796, ptr %v824, align 64
  %v828 = getelementptr i32, ptr %ring9.row.827, i64 %x.756
  store <16 x i32> %v816, ptr %v828, align 64
  %x.756.next = add nuw nsw i64 %x.756, 16
  %x.756.more = icmp ult i64 %x.756.next, 64
  br i1 %x.756.more, label %across.829, label %across.end.830
across.end.830:
  br label %group4.end.752
group4.end.752:
  ; group 5: plane ring10, plane ring11; 1 rows ahead; 1 more above, 1 below
  %r.831 = add nsw i64 %s.71, 1
  %v832 = icmp sge i64 %r.831, %low5
  %v833 = icmp slt i64 %r.831, %high5
  %v834 = and i1 %v832, %v833
  br i1 %v834, label %group5.835, label %group5.end.836
group5.835:
  %v837 = icmp sge i64 %r.831, %first_row
  %v838 = icmp slt i64 %r.831, %last_row
  %v839 = and i1 %v837, %v838
  %v841 = add i64 %r.831, 3
  %v842 = call i64 @llvm.abs.i64(i64 %v841, i1 false)
  %v843 = sub i64 94, %v842
  %v844 = call i64 @llvm.smin.i64(i64 %v842, i64 %v843)
  %v845 = urem i64 %v844, 6
  %v846 = mul nsw i64 %v845, 112
  %ring9.row.847 = getelementptr i32, ptr %ring9, i64 %v846
  %v850 = add i64 %r.831, 2
  %v851 = call i64 @llvm.abs.i64(i64 %v850, i1 false)
  %v852 = sub i64 94, %v851
  %v853 = call i64 @llvm.smin.i64(i64 %v851, i64 %v852)
  %v854 = urem i64 %v853, 6
  %v855 = mul nsw i64 %v854, 112
  %ring9.row.856 = getelementptr i32, ptr %ring9, i64 %v855
  %v859 = add i64 %r.831, 1
  %v860 = call i64 @llvm.abs.i64(i64 %v859, i1 false)
  %v861 = sub i64 94, %v860
  %v862 = call i64 @llvm.smin.i64(i64 %v860, i64 %v861)
  %v863 = urem i64 %v862, 6
  %v864 = mul nsw i64 %v863, 112
  %ring9.row.865 = getelementptr i32, ptr %ring9, i64 %v864
  %v868 = urem i64 %r.831, 6
  %v869 = mul nsw i64 %v868, 112
  %ring9.row.870 = getelementptr i32, ptr %ring9, i64 %v869
  %v873 = add i64 %r.831, -1
  %v874 = call i64 @llvm.abs.i64(i64 %v873, i1 false)
  %v875 = sub i64 94, %v874
  %v876 = call i64 @llvm.smin.i64(i64 %v874, i64 %v875)
  %v877 = urem i64 %v876, 6
  %v878 = mul nsw i64 %v877, 112
  %ring9.row.879 = getelementptr i32, ptr %ring9, i64 %v878
  %v882 = add i64 %r.831, -2
  %v883 = call i64 @llvm.abs.i64(i64 %v882, i1 false)
  %v884 = sub i64 94, %v883
  %v885 = call i64 @llvm.smin.i64(i64 %v883, i64 %v884)
  %v886 = urem i64 %v885, 6
  %v887 = mul nsw i64 %v886, 112
  %ring9.row.888 = getelementptr i32, ptr %ring9, i64 %v887
  %v891 = add i64 %r.831, -3
  %v892 = call i64 @llvm.abs.i64(i64 %v891, i1 false)
  %v893 = sub i64 94, %v892
  %v894 = call i64 @llvm.smin.i64(i64 %v892, i64 %v893)
  %v895 = urem i64 %v894, 6
  %v896 = mul nsw i64 %v895, 112
  %ring9.row.897 = getelementptr i32, ptr %ring9, i64 %v896
  %v909 = add i64 %r.831, 3
  %v910 = call i64 @llvm.abs.i64(i64 %v909, i1 false)
  %v911 = sub i64 94, %v910
  %v912 = call i64 @llvm.smin.i64(i64 %v910, i64 %v911)
  %v913 = urem i64 %v912, 6
  %v914 = mul nsw i64 %v913, 112
  %ring8.row.915 = getelementptr i32, ptr %ring8, i64 %v914
  %v918 = add i64 %r.831, 2
  %v919 = call i64 @llvm.abs.i64(i64 %v918, i1 false)
  %v920 = sub i64 94, %v919
  %v921 = call i64 @llvm.smin.i64(i64 %v919, i64 %v920)
  %v922 = urem i64 %v921, 6
  %v923 = mul nsw i64 %v922, 112
  %ring8.row.924 = getelementptr i32, ptr %ring8, i64 %v923
  %v927 = add i64 %r.831, 1
  %v928 = call i64 @llvm.abs.i64(i64 %v927, i1 false)
  %v929 = sub i64 94, %v928
  %v930 = call i64 @llvm.smin.i64(i64 %v928, i64 %v929)
  %v931 = urem i64 %v930, 6
  %v932 = mul nsw i64 %v931, 112
  %ring8.row.933 = getelementptr i32, ptr %ring8, i64 %v932
  %v936 = urem i64 %r.831, 6
  %v937 = mul nsw i64 %v936, 112
  %ring8.row.938 = getelementptr i32, ptr %ring8, i64 %v937
  %v941 = add i64 %r.831, -1
  %v942 = call i64 @llvm.abs.i64(i64 %v941, i1 false)
  %v943 = sub i64 94, %v942
  %v944 = call i64 @llvm.smin.i64(i64 %v942, i64 %v943)
  %v945 = urem i64 %v944, 6
  %v946 = mul nsw i64 %v945, 112
  %ring8.row.947 = getelementptr i32, ptr %ring8, i64 %v946
  %v950 = add i64 %r.831, -2
  %v951 = call i64 @llvm.abs.i64(i64 %v950, i1 false)
  %v952 = sub i64 94, %v951
  %v953 = call i64 @llvm.smin.i64(i64 %v951, i64 %v952)
  %v954 = urem i64 %v953, 6
  %v955 = mul nsw i64 %v954, 112
  %ring8.row.956 = getelementptr i32, ptr %ring8, i64 %v955
  %v959 = add i64 %r.831, -3
  %v960 = call i64 @llvm.abs.i64(i64 %v959, i1 false)
  %v961 = sub i64 94, %v960
  %v962 = call i64 @llvm.smin.i64(i64 %v960, i64 %v961)
  %v963 = urem i64 %v962, 6
  %v964 = mul nsw i64 %v963, 112
  %ring8.row.965 = getelementptr i32, ptr %ring8, i64 %v964
  %v976 = add i64 %r.831, 3
  %v977 = call i64 @llvm.abs.i64(i64 %v976, i1 false)
  %v978 = sub i64 94, %v977
  %v979 = call i64 @llvm.smin.i64(i64 %v977, i64 %v978)
  %v980 = urem i64 %v979, 6
  %v981 = mul nsw i64 %v980, 112
  %ring7.row.982 = getelementptr i32, ptr %ring7, i64 %v981
  %v985 = add i64 %r.831, 2
  %v986 = call i64 @llvm.abs.i64(i64 %v985, i1 false)
  %v987 = sub i64 94, %v986
  %v988 = call i64 @llvm.smin.i64(i64 %v986, i64 %v987)
  %v989 = urem i64 %v988, 6
  %v990 = mul nsw i64 %v989, 112
  %ring7.row.991 = getelementptr i32, ptr %ring7, i64 %v990
  %v994 = add i64 %r.831, 1
  %v995 = call i64 @llvm.abs.i64(i64 %v994, i1 false)
  %v996 = sub i64 94, %v995
  %v997 = call i64 @llvm.smin.i64(i64 %v995, i64 %v996)
  %v998 = urem i64 %v997, 6
  %v999 = mul nsw i64 %v998, 112
  %ring7.row.1000 = getelementptr i32, ptr %ring7, i64 %v999
  %v1003 = urem i64 %r.831, 6
  %v1004 = mul nsw i64 %v1003, 112
  %ring7.row.1005 = getelementptr i32, ptr %ring7, i64 %v1004
  %v1008 = add i64 %r.831, -1
  %v1009 = call i64 @llvm.abs.i64(i64 %v1008, i1 false)
  %v1010 = sub i64 94, %v1009
  %v1011 = call i64 @llvm.smin.i64(i64 %v1009, i64 %v1010)
  %v1012 = urem i64 %v1011, 6
  %v1013 = mul nsw i64 %v1012, 112
  %ring7.row.1014 = getelementptr i32, ptr %ring7, i64 %v1013
  %v1017 = add i64 %r.831, -2
  %v1018 = call i64 @llvm.abs.i64(i64 %v1017, i1 false)
  %v1019 = sub i64 94, %v1018
  %v1020 = call i64 @llvm.smin.i64(i64 %v1018, i64 %v1019)
  %v1021 = urem i64 %v1020, 6
  %v1022 = mul nsw i64 %v1021, 112
  %ring7.row.1023 = getelementptr i32, ptr %ring7, i64 %v1022
  %v1026 = add i64 %r.831, -3
  %v1027 = call i64 @llvm.abs.i64(i64 %v1026, i1 false)
  %v1028 = sub i64 94, %v1027
  %v1029 = call i64 @llvm.smin.i64(i64 %v1027, i64 %v1028)
  %v1030 = urem i64 %v1029, 6
  %v1031 = mul nsw i64 %v1030, 112
  %ring7.row.1032 = getelementptr i32, ptr %ring7, i64 %v1031
  %v1059 = urem i64 %r.831, 3
  %v1060 = mul nsw i64 %v1059, 160
  %ring10.row.1061 = getelementptr float, ptr %ring10, i64 %v1060
  %v1063 = urem i64 %r.831, 2
  %v1064 = mul nsw i64 %v1063, 160
  %ring11.row.1065 = getelementptr i32, ptr %ring11, i64 %v1064
  br label %across.1067
across.1067:
  %x.840 = phi i64 [ 0, %group5.835 ], [ %x.840.next, %across.1067 ]
  %v848 = getelementptr i32, ptr %ring9.row.847, i64 %x.840
  %v849 = load <16 x i32>, ptr %v848, align 64
  %v857 = getelementptr i32, ptr %ring9.row.856, i64 %x.840
  %v858 = load <16 x i32>, ptr %v857, align 64
  %v866 = getelementptr i32, ptr %ring9.row.865, i64 %x.840
  %v867 = load <16 x i32>, ptr %v866, align 64
  %v871 = getelementptr i32, ptr %ring9.row.870, i64 %x.840
  %v872 = load <16 x i32>, ptr %v871, align 64
  %v880 = getelementptr i32, ptr %ring9.row.879, i64 %x.840
  %v881 = load <16 x i32>, ptr %v880, align 64
  %v889 = getelementptr i32, ptr %ring9.row.888, i64 %x.840
  %v890 = load <16 x i32>, ptr %v889, align 64
  %v898 = getelementptr i32, ptr %ring9.row.897, i64 %x.840
  %v899 = load <16 x i32>, ptr %v898, align 64
  %v900 = add <16 x i32> %v899, %v890
  %v901 = add <16 x i32> %v900, %v881
  %v902 = add <16 x i32> %v901, %v872
  %v903 = add <16 x i32> %v902, %v867
  %v904 = add <16 x i32> %v903, %v858
  %v905 = add <16 x i32> %v904, %v849
  %v906 = sitofp <16 x i32> %v905 to <16 x float>
  %v907 = fmul <16 x float> %v906, splat (float 0x3E550FEB60000000)
  %v908 = fmul <16 x float> %v907, %v907
  %v916 = getelementptr i32, ptr %ring8.row.915, i64 %x.840
  %v917 = load <16 x i32>, ptr %v916, align 64
  %v925 = getelementptr i32, ptr %ring8.row.924, i64 %x.840
  %v926 = load <16 x i32>, ptr %v925, align 64
  %v934 = getelementptr i32, ptr %ring8.row.933, i64 %x.840
  %v935 = load <16 x i32>, ptr %v934, align 64
  %v939 = getelementptr i32, ptr %ring8.row.938, i64 %x.840
  %v940 = load <16 x i32>, ptr %v939, align 64
  %v948 = getelementptr i32, ptr %ring8.row.947, i64 %x.840
  %v949 = load <16 x i32>, ptr %v948, align 64
  %v957 = getelementptr i32, ptr %ring8.row.956, i64 %x.840
  %v958 = load <16 x i32>, ptr %v957, align 64
  %v966 = getelementptr i32, ptr %ring8.row.965, i64 %x.840
  %v967 = load <16 x i32>, ptr %v966, align 64
  %v968 = add <16 x i32> %v967, %v958
  %v969 = add <16 x i32> %v968, %v949
  %v970 = add <16 x i32> %v969, %v940
  %v971 = add <16 x i32> %v970, %v935
  %v972 = add <16 x i32> %v971, %v926
  %v973 = add <16 x i32> %v972, %v917
  %v974 = sitofp <16 x i32> %v973 to <16 x float>
  %v975 = fmul <16 x float> %v974, splat (float 0x3E550FEB60000000)
  %v983 = getelementptr i32, ptr %ring7.row.982, i64 %x.840
  %v984 = load <16 x i32>, ptr %v983, align 64
  %v992 = getelementptr i32, ptr %ring7.row.991, i64 %x.840
  %v993 = load <16 x i32>, ptr %v992, align 64
  %v1001 = getelementptr i32, ptr %ring7.row.1000, i64 %x.840
  %v1002 = load <16 x i32>, ptr %v1001, align 64
  %v1006 = getelementptr i32, ptr %ring7.row.1005, i64 %x.840
  %v1007 = load <16 x i32>, ptr %v1006, align 64
  %v1015 = getelementptr i32, ptr %ring7.row.1014, i64 %x.840
  %v1016 = load <16 x i32>, ptr %v1015, align 64
  %v1024 = getelementptr i32, ptr %ring7.row.1023, i64 %x.840
  %v1025 = load <16 x i32>, ptr %v1024, align 64
  %v1033 = getelementptr i32, ptr %ring7.row.1032, i64 %x.840
  %v1034 = load <16 x i32>, ptr %v1033, align 64
  %v1035 = add <16 x i32> %v1034, %v1025
  %v1036 = add <16 x i32> %v1035, %v1016
  %v1037 = add <16 x i32> %v1036, %v1007
  %v1038 = add <16 x i32> %v1037, %v1002
  %v1039 = add <16 x i32> %v1038, %v993
  %v1040 = add <16 x i32> %v1039, %v984
  %v1041 = sitofp <16 x i32> %v1040 to <16 x float>
  %v1042 = fmul <16 x float> %v1041, splat (float 0x3E550FEB60000000)
  %v1043 = fsub <16 x float> %v1042, %v975
  %v1044 = fmul <16 x float> %v1043, splat (float 0x3FE0000000000000)
  %v1045 = fmul <16 x float> %v1044, %v1044
  %v1046 = fadd <16 x float> %v1045, %v908
  %v1047 = call <16 x float> @llvm.sqrt.v16f32(<16 x float> %v1046)
  %v1048 = fadd <16 x float> %v1042, %v975
  %v1049 = fmul <16 x float> %v1048, splat (float 0x3FE0000000000000)
  %v1050 = fsub <16 x float> %v1049, %v1047
  %v1051 = fcmp uno <16 x float> %v1050, %v1050
  %v1052 = bitcast <16 x float> %v1050 to <16 x i32>
  %v1053 = select <16 x i1> %v1051, <16 x i32> splat (i32 2143289344), <16 x i32> %v1052
  %v1054 = and <16 x i32> splat (i32 31), splat (i32 31)
  %v1055 = ashr <16 x i32> %v1053, %v1054
  %v1056 = and <16 x i32> %v1053, splat (i32 2147483647)
  %v1057 = xor <16 x i32> %v1056, %v1055
  %v1058 = sub <16 x i32> %v1057, %v1055
  %v1062 = getelementptr float, ptr %ring10.row.1061, i64 %x.840
  store <16 x float> %v1050, ptr %v1062, align 64
  %v1066 = getelementptr i32, ptr %ring11.row.1065, i64 %x.840
  store <16 x i32> %v1058, ptr %v1066, align 64
  %x.840.next = add nuw nsw i64 %x.840, 16
  %x.840.more = icmp ult i64 %x.840.next, 64
  br i1 %x.840.more, label %across.1067, label %across.end.1068
across.end.1068:
  %v1069 = getelementptr float, ptr %ring10.row.1061, i64 1
  %v1070 = load float, ptr %v1069
  %v1071 = getelementptr float, ptr %ring10.row.1061, i64 -1
  store float %v1070, ptr %v1071
  %v1072 = getelementptr float, ptr %ring10.row.1061, i64 62
  %v1073 = load float, ptr %v1072
  %v1074 = getelementptr float, ptr %ring10.row.1061, i64 64
  store float %v1073, ptr %v1074
  %v1075 = getelementptr i32, ptr %ring11.row.1065, i64 -1
  store i32 -2139095039, ptr %v1075
  %v1076 = getelementptr i32, ptr %ring11.row.1065, i64 64
  store i32 -2139095039, ptr %v1076
  br label %group5.end.836
group5.end.836:
  br label %joined.458
joined.458:
  ; group 6: plane ring12; 1 rows ahead; 1 more above, 1 below
  %r.1077 = add nsw i64 %s.71, 1
  %v1078 = icmp sge i64 %r.1077, %low6
  %v1079 = icmp slt i64 %r.1077, %high6
  %v1080 = and i1 %v1078, %v1079
  ; group 7: plane ring13; 0 rows ahead; 0 more above, 0 below
  %r.1081 = add nsw i64 %s.71, 0
  %v1082 = icmp sge i64 %r.1081, %low7
  %v1083 = icmp slt i64 %r.1081, %high7
  %v1084 = and i1 %v1082, %v1083
  %v1085 = icmp sge i64 %r.1081, 1
  %v1086 = and i1 %v1080, %v1084
  %v1087 = and i1 %v1085, %v1086
  br i1 %v1087, label %together.1088, label %apart.1089
together.1088:
  %v1091 = icmp sge i64 %r.1077, %first_row
  %v1092 = icmp slt i64 %r.1077, %last_row
  %v1093 = and i1 %v1091, %v1092
  %v1095 = urem i64 %r.1077, 2
  %v1096 = mul nsw i64 %v1095, 160
  %ring11.row.1097 = getelementptr i32, ptr %ring11, i64 %v1096
  %v1103 = load <16 x i32>, ptr %ring11.row.1097, align 64
  %v1104 = shufflevector <16 x i32> %v1103, <16 x i32> splat (i32 -2139095039), <16 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 16>
  %v1105 = load <16 x i32>, ptr %ring11.row.1097, align 64
  %v1161 = urem i64 %r.1077, 2
  %v1162 = mul nsw i64 %v1161, 112
  %ring12.row.1163 = getelementptr i32, ptr %ring12, i64 %v1162
  %v1112 = urem i64 %r.1081, 2
  %v1113 = mul nsw i64 %v1112, 160
  %ring11.row.1114 = getelementptr i32, ptr %ring11, i64 %v1113
  %v1117 = urem i64 %r.1081, 2
  %v1118 = mul nsw i64 %v1117, 112
  %ring12.row.1119 = getelementptr i32, ptr %ring12, i64 %v1118
  %v1130 = load <16 x i32>, ptr %ring11.row.1114, align 64
  %v1131 = shufflevector <16 x i32> %v1130, <16 x i32> splat (i32 -2139095039), <16 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 16>
  %v1132 = load <16 x i32>, ptr %ring11.row.1114, align 64
  %v1134 = add i64 %r.1081, -1
  %v1135 = icmp ult i64 %v1134, 48
  %v1136 = select i1 %v1135, i64 %v1134, i64 0
  %v1137 = urem i64 %v1136, 2
  %v1138 = mul nsw i64 %v1137, 112
  %ring12.row.1139 = getelementptr i32, ptr %ring12, i64 %v1138
  %v1140 = getelementptr i8, ptr %scratch, i64 15680
  %ring12.row.1141 = select i1 %v1135, ptr %ring12.row.1139, ptr %v1140
  %v1148 = urem i64 %r.1081, 3
  %v1149 = mul nsw i64 %v1148, 160
  %ring10.row.1150 = getelementptr float, ptr %ring10, i64 %v1149
  br label %across.1203
across.1203:
  %x.1094 = phi i64 [ 0, %together.1088 ], [ %x.1094.next, %across.1203 ]
  %before.1098 = phi <16 x i32> [ %v1104, %together.1088 ], [ %v1102, %across.1203 ]
  %here.1099 = phi <16 x i32> [ %v1105, %together.1088 ], [ %v1170, %across.1203 ]
  %before.1125 = phi <16 x i32> [ %v1131, %together.1088 ], [ %v1129, %across.1203 ]
  %here.1126 = phi <16 x i32> [ %v1132, %together.1088 ], [ %v1186, %across.1203 ]
  %v1100 = getelementptr i32, ptr %ring11.row.1097, i64 %x.1094
  %v1101 = getelementptr i32, ptr %v1100, i64 16
  %v1102 = load <16 x i32>, ptr %v1101, align 64
  %v1106 = shufflevector <16 x i32> %here.1099, <16 x i32> %v1102, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16>
  %v1107 = shufflevector <16 x i32> %before.1098, <16 x i32> %here.1099, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v1108 = icmp sgt <16 x i32> %v1107, %here.1099
  %v1109 = select <16 x i1> %v1108, <16 x i32> %v1107, <16 x i32> %here.1099
  %v1110 = icmp sgt <16 x i32> %v1109, %v1106
  %v1111 = select <16 x i1> %v1110, <16 x i32> %v1109, <16 x i32> %v1106
  %v1115 = getelementptr i32, ptr %ring11.row.1114, i64 %x.1094
  %v1116 = load <16 x i32>, ptr %v1115, align 64
  %v1120 = getelementptr i32, ptr %ring12.row.1119, i64 %x.1094
  %v1121 = load <16 x i32>, ptr %v1120, align 64
  %v1122 = icmp sgt <16 x i32> %v1121, %v1111
  %v1123 = select <16 x i1> %v1122, <16 x i32> %v1121, <16 x i32> %v1111
  %v1124 = icmp sle <16 x i32> %v1123, %v1116
  %v1127 = getelementptr i32, ptr %ring11.row.1114, i64 %x.1094
  %v1128 = getelementptr i32, ptr %v1127, i64 16
  %v1129 = load <16 x i32>, ptr %v1128, align 64
  %v1133 = shufflevector <16 x i32> %before.1125, <16 x i32> %here.1126, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v1142 = getelementptr i32, ptr %ring12.row.1141, i64 %x.1094
  %v1143 = load <16 x i32>, ptr %v1142, align 64
  %v1144 = icmp sgt <16 x i32> %v1143, %v1133
  %v1145 = select <16 x i1> %v1144, <16 x i32> %v1143, <16 x i32> %v1133
  %v1146 = icmp slt <16 x i32> %v1145, %v1116
  %v1147 = and <16 x i1> %v1146, %v1124
  %v1151 = getelementptr float, ptr %ring10.row.1150, i64 %x.1094
  %v1152 = load <16 x float>, ptr %v1151, align 64
  %v1153 = fcmp oeq <16 x float> %v1152, %v1152
  %v1158 = fcmp olt <16 x float> %v1157, %v1152
  %v1159 = and <16 x i1> %v1158, %v1153
  %v1160 = and <16 x i1> %v1159, %v1147
  %v1164 = getelementptr i32, ptr %ring12.row.1163, i64 %x.1094
  store <16 x i32> %v1111, ptr %v1164, align 64
  %v1165 = getelementptr i8, ptr %ring13, i64 %x.1094
  %v1166 = zext <16 x i1> %v1160 to <16 x i8>
  store <16 x i8> %v1166, ptr %v1165, align 16
  %v1167 = add i64 %x.1094, 16
  %v1168 = getelementptr i32, ptr %ring11.row.1097, i64 %v1167
  %v1169 = getelementptr i32, ptr %v1168, i64 16
  %v1170 = load <16 x i32>, ptr %v1169, align 64
  %v1171 = shufflevector <16 x i32> %v1102, <16 x i32> %v1170, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16>
  %v1172 = shufflevector <16 x i32> %here.1099, <16 x i32> %v1102, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v1173 = icmp sgt <16 x i32> %v1172, %v1102
  %v1174 = select <16 x i1> %v1173, <16 x i32> %v1172, <16 x i32> %v1102
  %v1175 = icmp sgt <16 x i32> %v1174, %v1171
  %v1176 = select <16 x i1> %v1175, <16 x i32> %v1174, <16 x i32> %v1171
  %v1177 = getelementptr i32, ptr %ring11.row.1114, i64 %v1167
  %v1178 = load <16 x i32>, ptr %v1177, align 64
  %v1179 = getelementptr i32, ptr %ring12.row.1119, i64 %v1167
  %v1180 = load <16 x i32>, ptr %v1179, align 64
  %v1181 = icmp sgt <16 x i32> %v1180, %v1176
  %v1182 = select <16 x i1> %v1181, <16 x i32> %v1180, <16 x i32> %v1176
  %v1183 = icmp sle <16 x i32> %v1182, %v1178
  %v1184 = getelementptr i32, ptr %ring11.row.1114, i64 %v1167
  %v1185 = getelementptr i32, ptr %v1184, i64 16
  %v1186 = load <16 x i32>, ptr %v1185, align 64
  %v1187 = shufflevector <16 x i32> %here.1126, <16 x i32> %v1129, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v1188 = getelementptr i32, ptr %ring12.row.1141, i64 %v1167
  %v1189 = load <16 x i32>, ptr %v1188, align 64
  %v1190 = icmp sgt <16 x i32> %v1189, %v1187
  %v1191 = select <16 x i1> %v1190, <16 x i32> %v1189, <16 x i32> %v1187
  %v1192 = icmp slt <16 x i32> %v1191, %v1178
  %v1193 = and <16 x i1> %v1192, %v1183
  %v1194 = getelementptr float, ptr %ring10.row.1150, i64 %v1167
  %v1195 = load <16 x float>, ptr %v1194, align 64
  %v1196 = fcmp oeq <16 x float> %v1195, %v1195
  %v1197 = fcmp olt <16 x float> %v1157, %v1195
  %v1198 = and <16 x i1> %v1197, %v1196
  %v1199 = and <16 x i1> %v1198, %v1193
  %v1200 = getelementptr i32, ptr %ring12.row.1163, i64 %v1167
  store <16 x i32> %v1176, ptr %v1200, align 64
  %v1201 = getelementptr i8, ptr %ring13, i64 %v1167
  %v1202 = zext <16 x i1> %v1199 to <16 x i8>
  store <16 x i8> %v1202, ptr %v1201, align 16
  %x.1094.next = add nuw nsw i64 %x.1094, 32
  %x.1094.more = icmp ult i64 %x.1094.next, 64
  br i1 %x.1094.more, label %across.1203, label %across.end.1204
across.end.1204:
  br label %joined.1090
apart.1089:
  ; group 6: plane ring12; 1 rows ahead; 1 more above, 1 below
  %r.1205 = add nsw i64 %s.71, 1
  %v1206 = icmp sge i64 %r.1205, %low6
  %v1207 = icmp slt i64 %r.1205, %high6
  %v1208 = and i1 %v1206, %v1207
  br i1 %v1208, label %group6.1209, label %group6.end.1210
group6.1209:
  %v1211 = icmp sge i64 %r.1205, %first_row
  %v1212 = icmp slt i64 %r.1205, %last_row
  %v1213 = and i1 %v1211, %v1212
  %v1215 = urem i64 %r.1205, 2
  %v1216 = mul nsw i64 %v1215, 160
  %ring11.row.1217 = getelementptr i32, ptr %ring11, i64 %v1216
  %v1223 = load <16 x i32>, ptr %ring11.row.1217, align 64
  %v1224 = shufflevector <16 x i32> %v1223, <16 x i32> splat (i32 -2139095039), <16 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 16>
  %v1225 = load <16 x i32>, ptr %ring11.row.1217, align 64
  %v1232 = urem i64 %r.1205, 2
  %v1233 = mul nsw i64 %v1232, 112
  %ring12.row.1234 = getelementptr i32, ptr %ring12, i64 %v1233
  br label %across.1236
across.1236:
  %x.1214 = phi i64 [ 0, %group6.1209 ], [ %x.1214.next, %across.1236 ]
  %before.1218 = phi <16 x i32> [ %v1224, %group6.1209 ], [ %here.1219, %across.1236 ]
  %here.1219 = phi <16 x i32> [ %v1225, %group6.1209 ], [ %v1222, %across.1236 ]
  %v1220 = getelementptr i32, ptr %ring11.row.1217, i64 %x.1214
  %v1221 = getelementptr i32, ptr %v1220, i64 16
  %v1222 = load <16 x i32>, ptr %v1221, align 64
  %v1226 = shufflevector <16 x i32> %here.1219, <16 x i32> %v1222, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16>
  %v1227 = shufflevector <16 x i32> %before.1218, <16 x i32> %here.1219, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v1228 = icmp sgt <16 x i32> %v1227, %here.1219
  %v1229 = select <16 x i1> %v1228, <16 x i32> %v1227, <16 x i32> %here.1219
  %v1230 = icmp sgt <16 x i32> %v1229, %v1226
  %v1231 = select <16 x i1> %v1230, <16 x i32> %v1229, <16 x i32> %v1226
  %v1235 = getelementptr i32, ptr %ring12.row.1234, i64 %x.1214
  store <16 x i32> %v1231, ptr %v1235, align 64
  %x.1214.next = add nuw nsw i64 %x.1214, 16
  %x.1214.more = icmp ult i64 %x.1214.next, 64
  br i1 %x.1214.more, label %across.1236, label %across.end.1237
across.end.1237:
  br label %group6.end.1210
group6.end.1210:
  ; group 7: plane ring13; 0 rows ahead; 0 more above, 0 below
  %r.1238 = add nsw i64 %s.71, 0
  %v1239 = icmp sge i64 %r.1238, %low7
  %v1240 = icmp slt i64 %r.1238, %high7
  %v1241 = and i1 %v1239, %v1240
  br i1 %v1241, label %group7.1242, label %group7.end.1243
group7.1242:
  %v1245 = urem i64 %r.1238, 2
  %v1246 = mul nsw i64 %v1245, 160
  %ring11.row.1247 = getelementptr i32, ptr %ring11, i64 %v1246
  %v1250 = add i64 %r.1238, 1
  %v1251 = icmp ult i64 %v1250, 48
  %v1252 = select i1 %v1251, i64 %v1250, i64 0
  %v1253 = urem i64 %v1252, 2
  %v1254 = mul nsw i64 %v1253, 112
  %ring12.row.1255 = getelementptr i32, ptr %ring12, i64 %v1254
  %v1256 = getelementptr i8, ptr %scratch, i64 15680
  %ring12.row.1257 = select i1 %v1251, ptr %ring12.row.1255, ptr %v1256
  %v1260 = urem i64 %r.1238, 2
  %v1261 = mul nsw i64 %v1260, 112
  %ring12.row.1262 = getelementptr i32, ptr %ring12, i64 %v1261
  %v1273 = load <16 x i32>, ptr %ring11.row.1247, align 64
  %v1274 = shufflevector <16 x i32> %v1273, <16 x i32> splat (i32 -2139095039), <16 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 16>
  %v1275 = load <16 x i32>, ptr %ring11.row.1247, align 64
  %v1277 = add i64 %r.1238, -1
  %v1278 = icmp ult i64 %v1277, 48
  %v1279 = select i1 %v1278, i64 %v1277, i64 0
  %v1280 = urem i64 %v1279, 2
  %v1281 = mul nsw i64 %v1280, 112
  %ring12.row.1282 = getelementptr i32, ptr %ring12, i64 %v1281
  %v1283 = getelementptr i8, ptr %scratch, i64 15680
  %ring12.row.1284 = select i1 %v1278, ptr %ring12.row.1282, ptr %v1283
  %v1291 = urem i64 %r.1238, 3
  %v1292 = mul nsw i64 %v1291, 160
  %ring10.row.1293 = getelementptr float, ptr %ring10, i64 %v1292
  br label %across.1302
across.1302:
  %x.1244 = phi i64 [ 0, %group7.1242 ], [ %x.1244.next, %across.1302 ]
  %before.1268 = phi <16 x i32> [ %v1274, %group7.1242 ], [ %here.1269, %across.1302 ]
  %here.1269 = phi <16 x i32> [ %v1275, %group7.1242 ], [ %v1272, %across.1302 ]
  %v1248 = getelementptr i32, ptr %ring11.row.1247, i64 %x.1244
  %v1249 = load <16 x i32>, ptr %v1248, align 64
  %v1258 = getelementptr i32, ptr %ring12.row.1257, i64 %x.1244
  %v1259 = load <16 x i32>, ptr %v1258, align 64
  %v1263 = getelementptr i32, ptr %ring12.row.1262, i64 %x.1244
  %v1264 = load <16 x i32>, ptr %v1263, align 64
  %v1265 = icmp sgt <16 x i32> %v1264, %v1259
  %v1266 = select <16 x i1> %v1265, <16 x i32> %v1264, <16 x i32> %v1259
  %v1267 = icmp sle <16 x i32> %v1266, %v1249
  %v1270 = getelementptr i32, ptr %ring11.row.1247, i64 %x.1244
  %v1271 = getelementptr i32, ptr %v1270, i64 16
  %v1272 = load <16 x i32>, ptr %v1271, align 64
  %v1276 = shufflevector <16 x i32> %before.1268, <16 x i32> %here.1269, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v1285 = getelementptr i32, ptr %ring12.row.1284, i64 %x.1244
  %v1286 = load <16 x i32>, ptr %v1285, align 64
  %v1287 = icmp sgt <16 x i32> %v1286, %v1276
  %v1288 = select <16 x i1> %v1287, <16 x i32> %v1286, <16 x i32> %v1276
  %v1289 = icmp slt <16 x i32> %v1288, %v1249
  %v1290 = and <16 x i1> %v1289, %v1267
  %v1294 = getelementptr float, ptr %ring10.row.1293, i64 %x.1244
  %v1295 = load <16 x float>, ptr %v1294, align 64
  %v1296 = fcmp oeq <16 x float> %v1295, %v1295
  %v1297 = fcmp olt <16 x float> %v1157, %v1295
  %v1298 = and <16 x i1> %v1297, %v1296
  %v1299 = and <16 x i1> %v1298, %v1290
  %v1300 = getelementptr i8, ptr %ring13, i64 %x.1244
  %v1301 = zext <16 x i1> %v1299 to <16 x i8>
  store <16 x i8> %v1301, ptr %v1300, align 16
  %x.1244.next = add nuw nsw i64 %x.1244, 16
  %x.1244.more = icmp ult i64 %x.1244.next, 64
  br i1 %x.1244.more, label %across.1302, label %across.end.1303
across.end.1303:
  br label %group7.end.1243
group7.end.1243:
  br label %joined.1090
joined.1090:
  ; group 8: candidates; 0 rows ahead; 0 more above, 0 below
  %r.1304 = add nsw i64 %s.71, 0
  %v1305 = icmp sge i64 %r.1304, %low8
  %v1306 = icmp slt i64 %r.1304, %high8
  %v1307 = and i1 %v1305, %v1306
  br i1 %v1307, label %group8.1308, label %group8.end.1309
group8.1308:
  %v1316 = urem i64 %r.1304, 3
  %v1317 = mul nsw i64 %v1316, 160
  %ring10.row.1318 = getelementptr float, ptr %ring10, i64 %v1317
  %v1337 = add i64 %r.1304, 1
  %v1338 = call i64 @llvm.abs.i64(i64 %v1337, i1 false)
  %v1339 = sub i64 94, %v1338
  %v1340 = call i64 @llvm.smin.i64(i64 %v1338, i64 %v1339)
  %v1341 = urem i64 %v1340, 3
  %v1342 = mul nsw i64 %v1341, 160
  %ring10.row.1343 = getelementptr float, ptr %ring10, i64 %v1342
  %v1347 = add i64 %r.1304, -1
  %v1348 = call i64 @llvm.abs.i64(i64 %v1347, i1 false)
  %v1349 = sub i64 94, %v1348
  %v1350 = call i64 @llvm.smin.i64(i64 %v1348, i64 %v1349)
  %v1351 = urem i64 %v1350, 3
  %v1352 = mul nsw i64 %v1351, 160
  %ring10.row.1353 = getelementptr float, ptr %ring10, i64 %v1352
  ; table:1
  %v1364 = getelementptr i8, ptr %args, i64 56
  %v1365 = load ptr, ptr %v1364, align 8
  ; count:1
  %v1366 = getelementptr i8, ptr %args, i64 64
  %v1367 = load ptr, ptr %v1366, align 8
  %v1368 = getelementptr i64, ptr %v1367, i64 %t.62
  %v1369 = mul i64 %t.62, 16384
  br label %scan.1370
scan.1370:
  %s.1373 = phi i64 [ 0, %group8.1308 ], [ %s.1373.next, %scan.next.1374 ]
  %v1375 = icmp slt i64 %s.1373, 64
  br i1 %v1375, label %scan.do.1371, label %scan.end.1372
scan.do.1371:
  %v1376 = getelementptr i8, ptr %ring13, i64 %s.1373
  %v1377 = load <64 x i8>, ptr %v1376, align 64
  %v1378 = icmp ne <64 x i8> %v1377, zeroinitializer
  %v1379 = bitcast <64 x i1> %v1378 to i64
  %v1380 = sub i64 64, %s.1373
  %v1381 = icmp slt i64 %v1380, 64
  %v1382 = select i1 %v1381, i64 %v1380, i64 0
  %v1383 = shl i64 1, %v1382
  %v1384 = sub i64 %v1383, 1
  %v1385 = select i1 %v1381, i64 %v1384, i64 -1
  %v1386 = and i64 %v1379, %v1385
  br label %pick.1387
pick.1387:
  %bits.1390 = phi i64 [ %v1386, %scan.do.1371 ], [ %bits.1390.next, %pick.next.1391 ]
  %v1392 = icmp ne i64 %bits.1390, 0
  br i1 %v1392, label %pick.do.1388, label %pick.end.1389
pick.do.1388:
  %v1393 = call i64 @llvm.cttz.i64(i64 %bits.1390, i1 true)
  %x.1310 = add i64 %s.1373, %v1393
  %v1394 = load i64, ptr %v1368, align 8
  %v1395 = add i64 %v1394, 1
  store i64 %v1395, ptr %v1368, align 8
  %v1396 = icmp slt i64 %v1394, 16384
  br i1 %v1396, label %keep.1397, label %keep.end.1398
keep.1397:
  %v1399 = add i64 %v1369, %v1394
  %v1400 = mul i64 %v1399, 20
  %entry.1311 = getelementptr i8, ptr %v1365, i64 %v1400
  %v1312 = trunc i64 %x.1310 to i32
  %v1313 = trunc i64 %r.1304 to i32
  %v1314 = getelementptr i8, ptr %entry.1311, i64 0
  store i32 %v1312, ptr %v1314, align 1
  %v1315 = getelementptr i8, ptr %entry.1311, i64 4
  store i32 %v1313, ptr %v1315, align 1
  %v1319 = getelementptr float, ptr %ring10.row.1318, i64 %x.1310
  %v1320 = load <1 x float>, ptr %v1319, align 4
  %v1321 = getelementptr i8, ptr %entry.1311, i64 8
  store <1 x float> %v1320, ptr %v1321, align 1
  %v1322 = getelementptr float, ptr %ring10.row.1318, i64 %x.1310
  %v1323 = getelementptr float, ptr %v1322, i64 1
  %v1324 = load <1 x float>, ptr %v1323, align 4
  %v1325 = fsub <1 x float> %v1320, %v1324
  %v1326 = getelementptr float, ptr %ring10.row.1318, i64 %x.1310
  %v1327 = getelementptr float, ptr %v1326, i64 -1
  %v1328 = load <1 x float>, ptr %v1327, align 4
  %v1329 = fsub <1 x float> %v1320, %v1328
  %v1330 = fadd <1 x float> %v1329, %v1325
  %v1331 = fsub <1 x float> %v1329, %v1325
  %v1332 = fdiv <1 x float> %v1331, %v1330
  %v1333 = fmul <1 x float> %v1332, splat (float 0x3FE0000000000000)
  %v1334 = fcmp olt <1 x float> splat (float 0x0000000000000000), %v1330
  %v1335 = select <1 x i1> %v1334, <1 x float> %v1333, <1 x float> splat (float 0x0000000000000000)
  %v1336 = getelementptr i8, ptr %entry.1311, i64 12
  store <1 x float> %v1335, ptr %v1336, align 1
  %v1344 = getelementptr float, ptr %ring10.row.1343, i64 %x.1310
  %v1345 = load <1 x float>, ptr %v1344, align 4
  %v1346 = fsub <1 x float> %v1320, %v1345
  %v1354 = getelementptr float, ptr %ring10.row.1353, i64 %x.1310
  %v1355 = load <1 x float>, ptr %v1354, align 4
  %v1356 = fsub <1 x float> %v1320, %v1355
  %v1357 = fadd <1 x float> %v1356, %v1346
  %v1358 = fsub <1 x float> %v1356, %v1346
  %v1359 = fdiv <1 x float> %v1358, %v1357
  %v1360 = fmul <1 x float> %v1359, splat (float 0x3FE0000000000000)
  %v1361 = fcmp olt <1 x float> splat (float 0x0000000000000000), %v1357
  %v1362 = select <1 x i1> %v1361, <1 x float> %v1360, <1 x float> splat (float 0x0000000000000000)
  %v1363 = getelementptr i8, ptr %entry.1311, i64 16
  store <1 x float> %v1362, ptr %v1363, align 1
  br label %keep.end.1398
keep.end.1398:
  br label %pick.next.1391
pick.next.1391:
  %v1401 = sub i64 %bits.1390, 1
  %bits.1390.next = and i64 %bits.1390, %v1401
  br label %pick.1387
pick.end.1389:
  br label %scan.next.1374
scan.next.1374:
  %s.1373.next = add nsw i64 %s.1373, 64
  br label %scan.1370
scan.end.1372:
  br label %group8.end.1309
group8.end.1309:
  br label %step.next.72
step.next.72:
  %s.71.next = add nsw i64 %s.71, 1
  br label %step.68
step.end.70:
  br label %t.next.63
t.next.63:
  %t.62.next = add nsw i64 %t.62, 1
  br label %t.59
t.end.61:
  ret void
}

declare <16 x float> @llvm.sqrt.v16f32(<16 x float>)
declare i64 @llvm.abs.i64(i64, i1)
declare i64 @llvm.cttz.i64(i64, i1)
declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.smin.i64(i64, i64)
declare void @llvm.prefetch.p0(ptr, i32, i32, i32)
