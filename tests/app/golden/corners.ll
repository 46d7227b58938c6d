; gray+response+candidates
;
; in0: 64x48 u8
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
  %v9 = sub i64 %first_row, 5
  %v10 = add i64 %last_row, 5
  %low1 = call i64 @llvm.smax.i64(i64 %v9, i64 0)
  %high1 = call i64 @llvm.smin.i64(i64 %v10, i64 48)
  %v11 = sub i64 %first_row, 4
  %v12 = add i64 %last_row, 4
  %low2 = call i64 @llvm.smax.i64(i64 %v11, i64 0)
  %high2 = call i64 @llvm.smin.i64(i64 %v12, i64 48)
  %v13 = sub i64 %first_row, 4
  %v14 = add i64 %last_row, 4
  %low3 = call i64 @llvm.smax.i64(i64 %v13, i64 0)
  %high3 = call i64 @llvm.smin.i64(i64 %v14, i64 48)
  %v15 = sub i64 %first_row, 1
  %v16 = add i64 %last_row, 1
  %low4 = call i64 @llvm.smax.i64(i64 %v15, i64 0)
  %high4 = call i64 @llvm.smin.i64(i64 %v16, i64 48)
  %v17 = sub i64 %first_row, 1
  %v18 = add i64 %last_row, 1
  %low5 = call i64 @llvm.smax.i64(i64 %v17, i64 0)
  %high5 = call i64 @llvm.smin.i64(i64 %v18, i64 48)
  %v19 = sub i64 %first_row, 0
  %v20 = add i64 %last_row, 0
  %low6 = call i64 @llvm.smax.i64(i64 %v19, i64 0)
  %high6 = call i64 @llvm.smin.i64(i64 %v20, i64 48)
  %v21 = sub i64 %first_row, 0
  %v22 = add i64 %last_row, 0
  %low7 = call i64 @llvm.smax.i64(i64 %v21, i64 0)
  %high7 = call i64 @llvm.smin.i64(i64 %v22, i64 48)
  %v23 = sub i64 %low0, 5
  %v24 = sub i64 %low1, 5
  %v25 = sub i64 %low2, 4
  %v26 = sub i64 %low3, 4
  %v27 = sub i64 %low4, 1
  %v28 = sub i64 %low5, 1
  %v29 = sub i64 %low6, 0
  %v30 = sub i64 %low7, 0
  %v31 = sub i64 %high0, 5
  %v32 = sub i64 %high1, 5
  %v33 = sub i64 %high2, 4
  %v34 = sub i64 %high3, 4
  %v35 = sub i64 %high4, 1
  %v36 = sub i64 %high5, 1
  %v37 = sub i64 %high6, 0
  %v38 = sub i64 %high7, 0
  %v39 = call i64 @llvm.smin.i64(i64 %v23, i64 %v24)
  %v40 = call i64 @llvm.smin.i64(i64 %v39, i64 %v25)
  %v41 = call i64 @llvm.smin.i64(i64 %v40, i64 %v26)
  %v42 = call i64 @llvm.smin.i64(i64 %v41, i64 %v27)
  %v43 = call i64 @llvm.smin.i64(i64 %v42, i64 %v28)
  %v44 = call i64 @llvm.smin.i64(i64 %v43, i64 %v29)
  %v45 = call i64 @llvm.smin.i64(i64 %v44, i64 %v30)
  %v46 = call i64 @llvm.smax.i64(i64 %v31, i64 %v32)
  %v47 = call i64 @llvm.smax.i64(i64 %v46, i64 %v33)
  %v48 = call i64 @llvm.smax.i64(i64 %v47, i64 %v34)
  %v49 = call i64 @llvm.smax.i64(i64 %v48, i64 %v35)
  %v50 = call i64 @llvm.smax.i64(i64 %v49, i64 %v36)
  %v51 = call i64 @llvm.smax.i64(i64 %v50, i64 %v37)
  %v52 = call i64 @llvm.smax.i64(i64 %v51, i64 %v38)
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
  %v1130 = getelementptr i8, ptr %args, i64 48
  %param.1131 = load float, ptr %v1130, align 8
  %v1132 = insertelement <16 x float> poison, float %param.1131, i64 0
  %v1133 = shufflevector <16 x float> %v1132, <16 x float> poison, <16 x i32> zeroinitializer
  br label %t.53
t.53:
  %t.56 = phi i64 [ 0, %entry ], [ %t.56.next, %t.next.57 ]
  %v58 = icmp slt i64 %t.56, %frames
  br i1 %v58, label %t.do.54, label %t.end.55
t.do.54:
  %v1378 = mul i64 %frames, 0
  %v1379 = add i64 %v1378, %t.56
  %v1380 = getelementptr ptr, ptr %images, i64 %v1379
  %input0 = load ptr, ptr %v1380, align 8
  %v59 = icmp eq i64 %t.56, 0
  %v60 = icmp ne i64 %is_first, 0
  %v61 = and i1 %v59, %v60
  br label %step.62
step.62:
  %s.65 = phi i64 [ %v45, %t.do.54 ], [ %s.65.next, %step.next.66 ]
  %v67 = icmp slt i64 %s.65, %v52
  br i1 %v67, label %step.do.63, label %step.end.64
step.do.63:
  ; group 0: plane ring1; 5 rows ahead; 5 more above, 5 below
  %r.68 = add nsw i64 %s.65, 5
  %v69 = icmp sge i64 %r.68, %low0
  %v70 = icmp slt i64 %r.68, %high0
  %v71 = and i1 %v69, %v70
  br i1 %v71, label %group0.72, label %group0.end.73
group0.72:
  %v74 = icmp sge i64 %r.68, %first_row
  %v75 = icmp slt i64 %r.68, %last_row
  %v76 = and i1 %v74, %v75
  %v78 = mul nsw i64 %r.68, 64
  %in.row.79 = getelementptr i8, ptr %input0, i64 %v78
  br label %across.90
across.90:
  %x.77 = phi i64 [ 0, %group0.72 ], [ %x.77.next, %across.90 ]
  %v80 = getelementptr i8, ptr %in.row.79, i64 %x.77
  %v81 = getelementptr i8, ptr %v80, i64 128
  call void @llvm.prefetch.p0(ptr %v81, i32 0, i32 3, i32 1)
  %v82 = load <32 x i8>, ptr %v80, align 1
  %v83 = zext <32 x i8> %v82 to <32 x i16>
  %v84 = getelementptr i16, ptr %ring1, i64 %x.77
  store <32 x i16> %v83, ptr %v84, align 64
  %v85 = add i64 %x.77, 32
  %v86 = getelementptr i8, ptr %in.row.79, i64 %v85
  %v87 = load <32 x i8>, ptr %v86, align 1
  %v88 = zext <32 x i8> %v87 to <32 x i16>
  %v89 = getelementptr i16, ptr %ring1, i64 %v85
  store <32 x i16> %v88, ptr %v89, align 64
  %x.77.next = add nuw nsw i64 %x.77, 64
  %x.77.more = icmp ult i64 %x.77.next, 64
  br i1 %x.77.more, label %across.90, label %across.end.91
across.end.91:
  %v92 = getelementptr i16, ptr %ring1, i64 1
  %v93 = load i16, ptr %v92
  %v94 = getelementptr i16, ptr %ring1, i64 -1
  store i16 %v93, ptr %v94
  %v95 = getelementptr i16, ptr %ring1, i64 62
  %v96 = load i16, ptr %v95
  %v97 = getelementptr i16, ptr %ring1, i64 64
  store i16 %v96, ptr %v97
  br label %group0.end.73
group0.end.73:
  ; group 1: plane ring2, plane ring3; 5 rows ahead; 5 more above, 5 below
  %r.98 = add nsw i64 %s.65, 5
  %v99 = icmp sge i64 %r.98, %low1
  %v100 = icmp slt i64 %r.98, %high1
  %v101 = and i1 %v99, %v100
  ; group 2: plane ring4, plane ring5, plane ring6; 4 rows ahead; 4 more above, 4 below
  %r.102 = add nsw i64 %s.65, 4
  %v103 = icmp sge i64 %r.102, %low2
  %v104 = icmp slt i64 %r.102, %high2
  %v105 = and i1 %v103, %v104
  %v106 = icmp sge i64 %r.102, 1
  %v107 = and i1 %v101, %v105
  %v108 = and i1 %v106, %v107
  br i1 %v108, label %together.109, label %apart.110
together.109:
  %v112 = icmp sge i64 %r.98, %first_row
  %v113 = icmp slt i64 %r.98, %last_row
  %v114 = and i1 %v112, %v113
  %v124 = load <32 x i16>, ptr %ring1, align 64
  %v125 = shufflevector <32 x i16> %v124, <32 x i16> poison, <32 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 1>
  %v126 = load <32 x i16>, ptr %ring1, align 64
  %v167 = urem i64 %r.98, 2
  %v168 = mul nsw i64 %v167, 128
  %ring2.row.169 = getelementptr i16, ptr %ring2, i64 %v168
  %v171 = urem i64 %r.98, 2
  %v172 = mul nsw i64 %v171, 128
  %ring3.row.173 = getelementptr i16, ptr %ring3, i64 %v172
  %v115 = icmp sge i64 %r.102, %first_row
  %v116 = icmp slt i64 %r.102, %last_row
  %v117 = and i1 %v115, %v116
  %v134 = urem i64 %r.102, 2
  %v135 = mul nsw i64 %v134, 128
  %ring2.row.136 = getelementptr i16, ptr %ring2, i64 %v135
  %v140 = add i64 %r.102, -1
  %v141 = call i64 @llvm.abs.i64(i64 %v140, i1 false)
  %v142 = sub i64 94, %v141
  %v143 = call i64 @llvm.smin.i64(i64 %v141, i64 %v142)
  %v144 = urem i64 %v143, 2
  %v145 = mul nsw i64 %v144, 128
  %ring2.row.146 = getelementptr i16, ptr %ring2, i64 %v145
  %v153 = add i64 %r.102, -1
  %v154 = call i64 @llvm.abs.i64(i64 %v153, i1 false)
  %v155 = sub i64 94, %v154
  %v156 = call i64 @llvm.smin.i64(i64 %v154, i64 %v155)
  %v157 = urem i64 %v156, 2
  %v158 = mul nsw i64 %v157, 128
  %ring3.row.159 = getelementptr i16, ptr %ring3, i64 %v158
  br label %across.210
across.210:
  %x.118 = phi i64 [ 0, %together.109 ], [ %x.118.next, %across.210 ]
  %before.119 = phi <32 x i16> [ %v125, %together.109 ], [ %v123, %across.210 ]
  %here.120 = phi <32 x i16> [ %v126, %together.109 ], [ %v181, %across.210 ]
  %v121 = getelementptr i16, ptr %ring1, i64 %x.118
  %v122 = getelementptr i16, ptr %v121, i64 32
  %v123 = load <32 x i16>, ptr %v122, align 64
  %v127 = shufflevector <32 x i16> %here.120, <32 x i16> %v123, <32 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31, i32 32>
  %v128 = shufflevector <32 x i16> %before.119, <32 x i16> %here.120, <32 x i32> <i32 31, i32 32, i32 33, i32 34, i32 35, i32 36, i32 37, i32 38, i32 39, i32 40, i32 41, i32 42, i32 43, i32 44, i32 45, i32 46, i32 47, i32 48, i32 49, i32 50, i32 51, i32 52, i32 53, i32 54, i32 55, i32 56, i32 57, i32 58, i32 59, i32 60, i32 61, i32 62>
  %v129 = sub <32 x i16> zeroinitializer, %v128
  %v130 = add <32 x i16> %v129, %v127
  %v131 = mul <32 x i16> %here.120, splat (i16 2)
  %v132 = add <32 x i16> %v128, %v131
  %v133 = add <32 x i16> %v132, %v127
  %v137 = getelementptr i16, ptr %ring2.row.136, i64 %x.118
  %v138 = load <32 x i16>, ptr %v137, align 64
  %v139 = mul <32 x i16> %v138, splat (i16 2)
  %v147 = getelementptr i16, ptr %ring2.row.146, i64 %x.118
  %v148 = load <32 x i16>, ptr %v147, align 64
  %v149 = add <32 x i16> %v148, %v139
  %v150 = add <32 x i16> %v149, %v130
  %v151 = sext <32 x i16> %v150 to <32 x i32>
  %v152 = mul <32 x i32> %v151, %v151
  %v160 = getelementptr i16, ptr %ring3.row.159, i64 %x.118
  %v161 = load <32 x i16>, ptr %v160, align 64
  %v162 = sub <32 x i16> zeroinitializer, %v161
  %v163 = add <32 x i16> %v162, %v133
  %v164 = sext <32 x i16> %v163 to <32 x i32>
  %v165 = mul <32 x i32> %v164, %v164
  %v166 = mul <32 x i32> %v151, %v164
  %v170 = getelementptr i16, ptr %ring2.row.169, i64 %x.118
  store <32 x i16> %v130, ptr %v170, align 64
  %v174 = getelementptr i16, ptr %ring3.row.173, i64 %x.118
  store <32 x i16> %v133, ptr %v174, align 64
  %v175 = getelementptr i32, ptr %ring4, i64 %x.118
  store <32 x i32> %v152, ptr %v175, align 64
  %v176 = getelementptr i32, ptr %ring5, i64 %x.118
  store <32 x i32> %v165, ptr %v176, align 64
  %v177 = getelementptr i32, ptr %ring6, i64 %x.118
  store <32 x i32> %v166, ptr %v177, align 64
  %v178 = add i64 %x.118, 32
  %v179 = getelementptr i16, ptr %ring1, i64 %v178
  %v180 = getelementptr i16, ptr %v179, i64 32
  %v181 = load <32 x i16>, ptr %v180, align 64
  %v182 = shufflevector <32 x i16> %v123, <32 x i16> %v181, <32 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31, i32 32>
  %v183 = shufflevector <32 x i16> %here.120, <32 x i16> %v123, <32 x i32> <i32 31, i32 32, i32 33, i32 34, i32 35, i32 36, i32 37, i32 38, i32 39, i32 40, i32 41, i32 42, i32 43, i32 44, i32 45, i32 46, i32 47, i32 48, i32 49, i32 50, i32 51, i32 52, i32 53, i32 54, i32 55, i32 56, i32 57, i32 58, i32 59, i32 60, i32 61, i32 62>
  %v184 = sub <32 x i16> zeroinitializer, %v183
  %v185 = add <32 x i16> %v184, %v182
  %v186 = mul <32 x i16> %v123, splat (i16 2)
  %v187 = add <32 x i16> %v183, %v186
  %v188 = add <32 x i16> %v187, %v182
  %v189 = getelementptr i16, ptr %ring2.row.136, i64 %v178
  %v190 = load <32 x i16>, ptr %v189, align 64
  %v191 = mul <32 x i16> %v190, splat (i16 2)
  %v192 = getelementptr i16, ptr %ring2.row.146, i64 %v178
  %v193 = load <32 x i16>, ptr %v192, align 64
  %v194 = add <32 x i16> %v193, %v191
  %v195 = add <32 x i16> %v194, %v185
  %v196 = sext <32 x i16> %v195 to <32 x i32>
  %v197 = mul <32 x i32> %v196, %v196
  %v198 = getelementptr i16, ptr %ring3.row.159, i64 %v178
  %v199 = load <32 x i16>, ptr %v198, align 64
  %v200 = sub <32 x i16> zeroinitializer, %v199
  %v201 = add <32 x i16> %v200, %v188
  %v202 = sext <32 x i16> %v201 to <32 x i32>
  %v203 = mul <32 x i32> %v202, %v202
  %v204 = mul <32 x i32> %v196, %v202
  %v205 = getelementptr i16, ptr %ring2.row.169, i64 %v178
  store <32 x i16> %v185, ptr %v205, align 64
  %v206 = getelementptr i16, ptr %ring3.row.173, i64 %v178
  store <32 x i16> %v188, ptr %v206, align 64
  %v207 = getelementptr i32, ptr %ring4, i64 %v178
  store <32 x i32> %v197, ptr %v207, align 64
  %v208 = getelementptr i32, ptr %ring5, i64 %v178
  store <32 x i32> %v203, ptr %v208, align 64
  %v209 = getelementptr i32, ptr %ring6, i64 %v178
  store <32 x i32> %v204, ptr %v209, align 64
  %x.118.next = add nuw nsw i64 %x.118, 64
  %x.118.more = icmp ult i64 %x.118.next, 64
  br i1 %x.118.more, label %across.210, label %across.end.211
across.end.211:
  %v212 = getelementptr i32, ptr %ring4, i64 3
  %v213 = load i32, ptr %v212
  %v214 = getelementptr i32, ptr %ring4, i64 -3
  store i32 %v213, ptr %v214
  %v215 = getelementptr i32, ptr %ring4, i64 2
  %v216 = load i32, ptr %v215
  %v217 = getelementptr i32, ptr %ring4, i64 -2
  store i32 %v216, ptr %v217
  %v218 = getelementptr i32, ptr %ring4, i64 1
  %v219 = load i32, ptr %v218
  %v220 = getelementptr i32, ptr %ring4, i64 -1
  store i32 %v219, ptr %v220
  %v221 = getelementptr i32, ptr %ring4, i64 62
  %v222 = load i32, ptr %v221
  %v223 = getelementptr i32, ptr %ring4, i64 64
  store i32 %v222, ptr %v223
  %v224 = getelementptr i32, ptr %ring4, i64 61
  %v225 = load i32, ptr %v224
  %v226 = getelementptr i32, ptr %ring4, i64 65
  store i32 %v225, ptr %v226
  %v227 = getelementptr i32, ptr %ring4, i64 60
  %v228 = load i32, ptr %v227
  %v229 = getelementptr i32, ptr %ring4, i64 66
  store i32 %v228, ptr %v229
  %v230 = getelementptr i32, ptr %ring5, i64 3
  %v231 = load i32, ptr %v230
  %v232 = getelementptr i32, ptr %ring5, i64 -3
  store i32 %v231, ptr %v232
  %v233 = getelementptr i32, ptr %ring5, i64 2
  %v234 = load i32, ptr %v233
  %v235 = getelementptr i32, ptr %ring5, i64 -2
  store i32 %v234, ptr %v235
  %v236 = getelementptr i32, ptr %ring5, i64 1
  %v237 = load i32, ptr %v236
  %v238 = getelementptr i32, ptr %ring5, i64 -1
  store i32 %v237, ptr %v238
  %v239 = getelementptr i32, ptr %ring5, i64 62
  %v240 = load i32, ptr %v239
  %v241 = getelementptr i32, ptr %ring5, i64 64
  store i32 %v240, ptr %v241
  %v242 = getelementptr i32, ptr %ring5, i64 61
  %v243 = load i32, ptr %v242
  %v244 = getelementptr i32, ptr %ring5, i64 65
  store i32 %v243, ptr %v244
  %v245 = getelementptr i32, ptr %ring5, i64 60
  %v246 = load i32, ptr %v245
  %v247 = getelementptr i32, ptr %ring5, i64 66
  store i32 %v246, ptr %v247
  %v248 = getelementptr i32, ptr %ring6, i64 3
  %v249 = load i32, ptr %v248
  %v250 = getelementptr i32, ptr %ring6, i64 -3
  store i32 %v249, ptr %v250
  %v251 = getelementptr i32, ptr %ring6, i64 2
  %v252 = load i32, ptr %v251
  %v253 = getelementptr i32, ptr %ring6, i64 -2
  store i32 %v252, ptr %v253
  %v254 = getelementptr i32, ptr %ring6, i64 1
  %v255 = load i32, ptr %v254
  %v256 = getelementptr i32, ptr %ring6, i64 -1
  store i32 %v255, ptr %v256
  %v257 = getelementptr i32, ptr %ring6, i64 62
  %v258 = load i32, ptr %v257
  %v259 = getelementptr i32, ptr %ring6, i64 64
  store i32 %v258, ptr %v259
  %v260 = getelementptr i32, ptr %ring6, i64 61
  %v261 = load i32, ptr %v260
  %v262 = getelementptr i32, ptr %ring6, i64 65
  store i32 %v261, ptr %v262
  %v263 = getelementptr i32, ptr %ring6, i64 60
  %v264 = load i32, ptr %v263
  %v265 = getelementptr i32, ptr %ring6, i64 66
  store i32 %v264, ptr %v265
  br label %joined.111
apart.110:
  ; group 1: plane ring2, plane ring3; 5 rows ahead; 5 more above, 5 below
  %r.266 = add nsw i64 %s.65, 5
  %v267 = icmp sge i64 %r.266, %low1
  %v268 = icmp slt i64 %r.266, %high1
  %v269 = and i1 %v267, %v268
  br i1 %v269, label %group1.270, label %group1.end.271
group1.270:
  %v272 = icmp sge i64 %r.266, %first_row
  %v273 = icmp slt i64 %r.266, %last_row
  %v274 = and i1 %v272, %v273
  %v281 = load <32 x i16>, ptr %ring1, align 64
  %v282 = shufflevector <32 x i16> %v281, <32 x i16> poison, <32 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 1>
  %v283 = load <32 x i16>, ptr %ring1, align 64
  %v291 = urem i64 %r.266, 2
  %v292 = mul nsw i64 %v291, 128
  %ring2.row.293 = getelementptr i16, ptr %ring2, i64 %v292
  %v295 = urem i64 %r.266, 2
  %v296 = mul nsw i64 %v295, 128
  %ring3.row.297 = getelementptr i16, ptr %ring3, i64 %v296
  br label %across.299
across.299:
  %x.275 = phi i64 [ 0, %group1.270 ], [ %x.275.next, %across.299 ]
  %before.276 = phi <32 x i16> [ %v282, %group1.270 ], [ %here.277, %across.299 ]
  %here.277 = phi <32 x i16> [ %v283, %group1.270 ], [ %v280, %across.299 ]
  %v278 = getelementptr i16, ptr %ring1, i64 %x.275
  %v279 = getelementptr i16, ptr %v278, i64 32
  %v280 = load <32 x i16>, ptr %v279, align 64
  %v284 = shufflevector <32 x i16> %here.277, <32 x i16> %v280, <32 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31, i32 32>
  %v285 = shufflevector <32 x i16> %before.276, <32 x i16> %here.277, <32 x i32> <i32 31, i32 32, i32 33, i32 34, i32 35, i32 36, i32 37, i32 38, i32 39, i32 40, i32 41, i32 42, i32 43, i32 44, i32 45, i32 46, i32 47, i32 48, i32 49, i32 50, i32 51, i32 52, i32 53, i32 54, i32 55, i32 56, i32 57, i32 58, i32 59, i32 60, i32 61, i32 62>
  %v286 = sub <32 x i16> zeroinitializer, %v285
  %v287 = add <32 x i16> %v286, %v284
  %v288 = mul <32 x i16> %here.277, splat (i16 2)
  %v289 = add <32 x i16> %v285, %v288
  %v290 = add <32 x i16> %v289, %v284
  %v294 = getelementptr i16, ptr %ring2.row.293, i64 %x.275
  store <32 x i16> %v287, ptr %v294, align 64
  %v298 = getelementptr i16, ptr %ring3.row.297, i64 %x.275
  store <32 x i16> %v290, ptr %v298, align 64
  %x.275.next = add nuw nsw i64 %x.275, 32
  %x.275.more = icmp ult i64 %x.275.next, 64
  br i1 %x.275.more, label %across.299, label %across.end.300
across.end.300:
  br label %group1.end.271
group1.end.271:
  ; group 2: plane ring4, plane ring5, plane ring6; 4 rows ahead; 4 more above, 4 below
  %r.301 = add nsw i64 %s.65, 4
  %v302 = icmp sge i64 %r.301, %low2
  %v303 = icmp slt i64 %r.301, %high2
  %v304 = and i1 %v302, %v303
  br i1 %v304, label %group2.305, label %group2.end.306
group2.305:
  %v307 = icmp sge i64 %r.301, %first_row
  %v308 = icmp slt i64 %r.301, %last_row
  %v309 = and i1 %v307, %v308
  %v311 = add i64 %r.301, 1
  %v312 = call i64 @llvm.abs.i64(i64 %v311, i1 false)
  %v313 = sub i64 94, %v312
  %v314 = call i64 @llvm.smin.i64(i64 %v312, i64 %v313)
  %v315 = urem i64 %v314, 2
  %v316 = mul nsw i64 %v315, 128
  %ring2.row.317 = getelementptr i16, ptr %ring2, i64 %v316
  %v320 = urem i64 %r.301, 2
  %v321 = mul nsw i64 %v320, 128
  %ring2.row.322 = getelementptr i16, ptr %ring2, i64 %v321
  %v326 = add i64 %r.301, -1
  %v327 = call i64 @llvm.abs.i64(i64 %v326, i1 false)
  %v328 = sub i64 94, %v327
  %v329 = call i64 @llvm.smin.i64(i64 %v327, i64 %v328)
  %v330 = urem i64 %v329, 2
  %v331 = mul nsw i64 %v330, 128
  %ring2.row.332 = getelementptr i16, ptr %ring2, i64 %v331
  %v339 = add i64 %r.301, 1
  %v340 = call i64 @llvm.abs.i64(i64 %v339, i1 false)
  %v341 = sub i64 94, %v340
  %v342 = call i64 @llvm.smin.i64(i64 %v340, i64 %v341)
  %v343 = urem i64 %v342, 2
  %v344 = mul nsw i64 %v343, 128
  %ring3.row.345 = getelementptr i16, ptr %ring3, i64 %v344
  %v348 = add i64 %r.301, -1
  %v349 = call i64 @llvm.abs.i64(i64 %v348, i1 false)
  %v350 = sub i64 94, %v349
  %v351 = call i64 @llvm.smin.i64(i64 %v349, i64 %v350)
  %v352 = urem i64 %v351, 2
  %v353 = mul nsw i64 %v352, 128
  %ring3.row.354 = getelementptr i16, ptr %ring3, i64 %v353
  br label %across.365
across.365:
  %x.310 = phi i64 [ 0, %group2.305 ], [ %x.310.next, %across.365 ]
  %v318 = getelementptr i16, ptr %ring2.row.317, i64 %x.310
  %v319 = load <32 x i16>, ptr %v318, align 64
  %v323 = getelementptr i16, ptr %ring2.row.322, i64 %x.310
  %v324 = load <32 x i16>, ptr %v323, align 64
  %v325 = mul <32 x i16> %v324, splat (i16 2)
  %v333 = getelementptr i16, ptr %ring2.row.332, i64 %x.310
  %v334 = load <32 x i16>, ptr %v333, align 64
  %v335 = add <32 x i16> %v334, %v325
  %v336 = add <32 x i16> %v335, %v319
  %v337 = sext <32 x i16> %v336 to <32 x i32>
  %v338 = mul <32 x i32> %v337, %v337
  %v346 = getelementptr i16, ptr %ring3.row.345, i64 %x.310
  %v347 = load <32 x i16>, ptr %v346, align 64
  %v355 = getelementptr i16, ptr %ring3.row.354, i64 %x.310
  %v356 = load <32 x i16>, ptr %v355, align 64
  %v357 = sub <32 x i16> zeroinitializer, %v356
  %v358 = add <32 x i16> %v357, %v347
  %v359 = sext <32 x i16> %v358 to <32 x i32>
  %v360 = mul <32 x i32> %v359, %v359
  %v361 = mul <32 x i32> %v337, %v359
  %v362 = getelementptr i32, ptr %ring4, i64 %x.310
  store <32 x i32> %v338, ptr %v362, align 64
  %v363 = getelementptr i32, ptr %ring5, i64 %x.310
  store <32 x i32> %v360, ptr %v363, align 64
  %v364 = getelementptr i32, ptr %ring6, i64 %x.310
  store <32 x i32> %v361, ptr %v364, align 64
  %x.310.next = add nuw nsw i64 %x.310, 32
  %x.310.more = icmp ult i64 %x.310.next, 64
  br i1 %x.310.more, label %across.365, label %across.end.366
across.end.366:
  %v367 = getelementptr i32, ptr %ring4, i64 3
  %v368 = load i32, ptr %v367
  %v369 = getelementptr i32, ptr %ring4, i64 -3
  store i32 %v368, ptr %v369
  %v370 = getelementptr i32, ptr %ring4, i64 2
  %v371 = load i32, ptr %v370
  %v372 = getelementptr i32, ptr %ring4, i64 -2
  store i32 %v371, ptr %v372
  %v373 = getelementptr i32, ptr %ring4, i64 1
  %v374 = load i32, ptr %v373
  %v375 = getelementptr i32, ptr %ring4, i64 -1
  store i32 %v374, ptr %v375
  %v376 = getelementptr i32, ptr %ring4, i64 62
  %v377 = load i32, ptr %v376
  %v378 = getelementptr i32, ptr %ring4, i64 64
  store i32 %v377, ptr %v378
  %v379 = getelementptr i32, ptr %ring4, i64 61
  %v380 = load i32, ptr %v379
  %v381 = getelementptr i32, ptr %ring4, i64 65
  store i32 %v380, ptr %v381
  %v382 = getelementptr i32, ptr %ring4, i64 60
  %v383 = load i32, ptr %v382
  %v384 = getelementptr i32, ptr %ring4, i64 66
  store i32 %v383, ptr %v384
  %v385 = getelementptr i32, ptr %ring5, i64 3
  %v386 = load i32, ptr %v385
  %v387 = getelementptr i32, ptr %ring5, i64 -3
  store i32 %v386, ptr %v387
  %v388 = getelementptr i32, ptr %ring5, i64 2
  %v389 = load i32, ptr %v388
  %v390 = getelementptr i32, ptr %ring5, i64 -2
  store i32 %v389, ptr %v390
  %v391 = getelementptr i32, ptr %ring5, i64 1
  %v392 = load i32, ptr %v391
  %v393 = getelementptr i32, ptr %ring5, i64 -1
  store i32 %v392, ptr %v393
  %v394 = getelementptr i32, ptr %ring5, i64 62
  %v395 = load i32, ptr %v394
  %v396 = getelementptr i32, ptr %ring5, i64 64
  store i32 %v395, ptr %v396
  %v397 = getelementptr i32, ptr %ring5, i64 61
  %v398 = load i32, ptr %v397
  %v399 = getelementptr i32, ptr %ring5, i64 65
  store i32 %v398, ptr %v399
  %v400 = getelementptr i32, ptr %ring5, i64 60
  %v401 = load i32, ptr %v400
  %v402 = getelementptr i32, ptr %ring5, i64 66
  store i32 %v401, ptr %v402
  %v403 = getelementptr i32, ptr %ring6, i64 3
  %v404 = load i32, ptr %v403
  %v405 = getelementptr i32, ptr %ring6, i64 -3
  store i32 %v404, ptr %v405
  %v406 = getelementptr i32, ptr %ring6, i64 2
  %v407 = load i32, ptr %v406
  %v408 = getelementptr i32, ptr %ring6, i64 -2
  store i32 %v407, ptr %v408
  %v409 = getelementptr i32, ptr %ring6, i64 1
  %v410 = load i32, ptr %v409
  %v411 = getelementptr i32, ptr %ring6, i64 -1
  store i32 %v410, ptr %v411
  %v412 = getelementptr i32, ptr %ring6, i64 62
  %v413 = load i32, ptr %v412
  %v414 = getelementptr i32, ptr %ring6, i64 64
  store i32 %v413, ptr %v414
  %v415 = getelementptr i32, ptr %ring6, i64 61
  %v416 = load i32, ptr %v415
  %v417 = getelementptr i32, ptr %ring6, i64 65
  store i32 %v416, ptr %v417
  %v418 = getelementptr i32, ptr %ring6, i64 60
  %v419 = load i32, ptr %v418
  %v420 = getelementptr i32, ptr %ring6, i64 66
  store i32 %v419, ptr %v420
  br label %group2.end.306
group2.end.306:
  br label %joined.111
joined.111:
  ; group 3: plane ring7, plane ring8, plane ring9; 4 rows ahead; 4 more above, 4 below
  %r.421 = add nsw i64 %s.65, 4
  %v422 = icmp sge i64 %r.421, %low3
  %v423 = icmp slt i64 %r.421, %high3
  %v424 = and i1 %v422, %v423
  ; group 4: plane ring10, plane ring11; 1 rows ahead; 1 more above, 1 below
  %r.425 = add nsw i64 %s.65, 1
  %v426 = icmp sge i64 %r.425, %low4
  %v427 = icmp slt i64 %r.425, %high4
  %v428 = and i1 %v426, %v427
  %v429 = icmp sge i64 %r.425, 3
  %v430 = and i1 %v424, %v428
  %v431 = and i1 %v429, %v430
  br i1 %v431, label %together.432, label %apart.433
together.432:
  %v435 = icmp sge i64 %r.421, %first_row
  %v436 = icmp slt i64 %r.421, %last_row
  %v437 = and i1 %v435, %v436
  %v447 = load <16 x i32>, ptr %ring4, align 64
  %v448 = shufflevector <16 x i32> %v447, <16 x i32> poison, <16 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 3, i32 2, i32 1>
  %v449 = load <16 x i32>, ptr %ring4, align 64
  %v467 = load <16 x i32>, ptr %ring5, align 64
  %v468 = shufflevector <16 x i32> %v467, <16 x i32> poison, <16 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 3, i32 2, i32 1>
  %v469 = load <16 x i32>, ptr %ring5, align 64
  %v487 = load <16 x i32>, ptr %ring6, align 64
  %v488 = shufflevector <16 x i32> %v487, <16 x i32> poison, <16 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 3, i32 2, i32 1>
  %v489 = load <16 x i32>, ptr %ring6, align 64
  %v693 = urem i64 %r.421, 6
  %v694 = mul nsw i64 %v693, 112
  %ring7.row.695 = getelementptr i32, ptr %ring7, i64 %v694
  %v697 = urem i64 %r.421, 6
  %v698 = mul nsw i64 %v697, 112
  %ring8.row.699 = getelementptr i32, ptr %ring8, i64 %v698
  %v701 = urem i64 %r.421, 6
  %v702 = mul nsw i64 %v701, 112
  %ring9.row.703 = getelementptr i32, ptr %ring9, i64 %v702
  %v438 = icmp sge i64 %r.425, %first_row
  %v439 = icmp slt i64 %r.425, %last_row
  %v440 = and i1 %v438, %v439
  %v502 = add i64 %r.425, 2
  %v503 = call i64 @llvm.abs.i64(i64 %v502, i1 false)
  %v504 = sub i64 94, %v503
  %v505 = call i64 @llvm.smin.i64(i64 %v503, i64 %v504)
  %v506 = urem i64 %v505, 6
  %v507 = mul nsw i64 %v506, 112
  %ring9.row.508 = getelementptr i32, ptr %ring9, i64 %v507
  %v511 = add i64 %r.425, 1
  %v512 = call i64 @llvm.abs.i64(i64 %v511, i1 false)
  %v513 = sub i64 94, %v512
  %v514 = call i64 @llvm.smin.i64(i64 %v512, i64 %v513)
  %v515 = urem i64 %v514, 6
  %v516 = mul nsw i64 %v515, 112
  %ring9.row.517 = getelementptr i32, ptr %ring9, i64 %v516
  %v520 = urem i64 %r.425, 6
  %v521 = mul nsw i64 %v520, 112
  %ring9.row.522 = getelementptr i32, ptr %ring9, i64 %v521
  %v525 = add i64 %r.425, -1
  %v526 = call i64 @llvm.abs.i64(i64 %v525, i1 false)
  %v527 = sub i64 94, %v526
  %v528 = call i64 @llvm.smin.i64(i64 %v526, i64 %v527)
  %v529 = urem i64 %v528, 6
  %v530 = mul nsw i64 %v529, 112
  %ring9.row.531 = getelementptr i32, ptr %ring9, i64 %v530
  %v534 = add i64 %r.425, -2
  %v535 = call i64 @llvm.abs.i64(i64 %v534, i1 false)
  %v536 = sub i64 94, %v535
  %v537 = call i64 @llvm.smin.i64(i64 %v535, i64 %v536)
  %v538 = urem i64 %v537, 6
  %v539 = mul nsw i64 %v538, 112
  %ring9.row.540 = getelementptr i32, ptr %ring9, i64 %v539
  %v543 = add i64 %r.425, -3
  %v544 = call i64 @llvm.abs.i64(i64 %v543, i1 false)
  %v545 = sub i64 94, %v544
  %v546 = call i64 @llvm.smin.i64(i64 %v544, i64 %v545)
  %v547 = urem i64 %v546, 6
  %v548 = mul nsw i64 %v547, 112
  %ring9.row.549 = getelementptr i32, ptr %ring9, i64 %v548
  %v561 = add i64 %r.425, 2
  %v562 = call i64 @llvm.abs.i64(i64 %v561, i1 false)
  %v563 = sub i64 94, %v562
  %v564 = call i64 @llvm.smin.i64(i64 %v562, i64 %v563)
  %v565 = urem i64 %v564, 6
  %v566 = mul nsw i64 %v565, 112
  %ring8.row.567 = getelementptr i32, ptr %ring8, i64 %v566
  %v570 = add i64 %r.425, 1
  %v571 = call i64 @llvm.abs.i64(i64 %v570, i1 false)
  %v572 = sub i64 94, %v571
  %v573 = call i64 @llvm.smin.i64(i64 %v571, i64 %v572)
  %v574 = urem i64 %v573, 6
  %v575 = mul nsw i64 %v574, 112
  %ring8.row.576 = getelementptr i32, ptr %ring8, i64 %v575
  %v579 = urem i64 %r.425, 6
  %v580 = mul nsw i64 %v579, 112
  %ring8.row.581 = getelementptr i32, ptr %ring8, i64 %v580
  %v584 = add i64 %r.425, -1
  %v585 = call i64 @llvm.abs.i64(i64 %v584, i1 false)
  %v586 = sub i64 94, %v585
  %v587 = call i64 @llvm.smin.i64(i64 %v585, i64 %v586)
  %v588 = urem i64 %v587, 6
  %v589 = mul nsw i64 %v588, 112
  %ring8.row.590 = getelementptr i32, ptr %ring8, i64 %v589
  %v593 = add i64 %r.425, -2
  %v594 = call i64 @llvm.abs.i64(i64 %v593, i1 false)
  %v595 = sub i64 94, %v594
  %v596 = call i64 @llvm.smin.i64(i64 %v594, i64 %v595)
  %v597 = urem i64 %v596, 6
  %v598 = mul nsw i64 %v597, 112
  %ring8.row.599 = getelementptr i32, ptr %ring8, i64 %v598
  %v602 = add i64 %r.425, -3
  %v603 = call i64 @llvm.abs.i64(i64 %v602, i1 false)
  %v604 = sub i64 94, %v603
  %v605 = call i64 @llvm.smin.i64(i64 %v603, i64 %v604)
  %v606 = urem i64 %v605, 6
  %v607 = mul nsw i64 %v606, 112
  %ring8.row.608 = getelementptr i32, ptr %ring8, i64 %v607
  %v619 = add i64 %r.425, 2
  %v620 = call i64 @llvm.abs.i64(i64 %v619, i1 false)
  %v621 = sub i64 94, %v620
  %v622 = call i64 @llvm.smin.i64(i64 %v620, i64 %v621)
  %v623 = urem i64 %v622, 6
  %v624 = mul nsw i64 %v623, 112
  %ring7.row.625 = getelementptr i32, ptr %ring7, i64 %v624
  %v628 = add i64 %r.425, 1
  %v629 = call i64 @llvm.abs.i64(i64 %v628, i1 false)
  %v630 = sub i64 94, %v629
  %v631 = call i64 @llvm.smin.i64(i64 %v629, i64 %v630)
  %v632 = urem i64 %v631, 6
  %v633 = mul nsw i64 %v632, 112
  %ring7.row.634 = getelementptr i32, ptr %ring7, i64 %v633
  %v637 = urem i64 %r.425, 6
  %v638 = mul nsw i64 %v637, 112
  %ring7.row.639 = getelementptr i32, ptr %ring7, i64 %v638
  %v642 = add i64 %r.425, -1
  %v643 = call i64 @llvm.abs.i64(i64 %v642, i1 false)
  %v644 = sub i64 94, %v643
  %v645 = call i64 @llvm.smin.i64(i64 %v643, i64 %v644)
  %v646 = urem i64 %v645, 6
  %v647 = mul nsw i64 %v646, 112
  %ring7.row.648 = getelementptr i32, ptr %ring7, i64 %v647
  %v651 = add i64 %r.425, -2
  %v652 = call i64 @llvm.abs.i64(i64 %v651, i1 false)
  %v653 = sub i64 94, %v652
  %v654 = call i64 @llvm.smin.i64(i64 %v652, i64 %v653)
  %v655 = urem i64 %v654, 6
  %v656 = mul nsw i64 %v655, 112
  %ring7.row.657 = getelementptr i32, ptr %ring7, i64 %v656
  %v660 = add i64 %r.425, -3
  %v661 = call i64 @llvm.abs.i64(i64 %v660, i1 false)
  %v662 = sub i64 94, %v661
  %v663 = call i64 @llvm.smin.i64(i64 %v661, i64 %v662)
  %v664 = urem i64 %v663, 6
  %v665 = mul nsw i64 %v664, 112
  %ring7.row.666 = getelementptr i32, ptr %ring7, i64 %v665
  %v705 = urem i64 %r.425, 3
  %v706 = mul nsw i64 %v705, 160
  %ring10.row.707 = getelementptr float, ptr %ring10, i64 %v706
  %v709 = urem i64 %r.425, 2
  %v710 = mul nsw i64 %v709, 160
  %ring11.row.711 = getelementptr i32, ptr %ring11, i64 %v710
  br label %across.713
across.713:
  %x.441 = phi i64 [ 0, %together.432 ], [ %x.441.next, %across.713 ]
  %before.442 = phi <16 x i32> [ %v448, %together.432 ], [ %here.443, %across.713 ]
  %here.443 = phi <16 x i32> [ %v449, %together.432 ], [ %v446, %across.713 ]
  %before.462 = phi <16 x i32> [ %v468, %together.432 ], [ %here.463, %across.713 ]
  %here.463 = phi <16 x i32> [ %v469, %together.432 ], [ %v466, %across.713 ]
  %before.482 = phi <16 x i32> [ %v488, %together.432 ], [ %here.483, %across.713 ]
  %here.483 = phi <16 x i32> [ %v489, %together.432 ], [ %v486, %across.713 ]
  %v444 = getelementptr i32, ptr %ring4, i64 %x.441
  %v445 = getelementptr i32, ptr %v444, i64 16
  %v446 = load <16 x i32>, ptr %v445, align 64
  %v450 = shufflevector <16 x i32> %here.443, <16 x i32> %v446, <16 x i32> <i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18>
  %v451 = shufflevector <16 x i32> %here.443, <16 x i32> %v446, <16 x i32> <i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17>
  %v452 = shufflevector <16 x i32> %here.443, <16 x i32> %v446, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16>
  %v453 = shufflevector <16 x i32> %before.442, <16 x i32> %here.443, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v454 = shufflevector <16 x i32> %before.442, <16 x i32> %here.443, <16 x i32> <i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29>
  %v455 = shufflevector <16 x i32> %before.442, <16 x i32> %here.443, <16 x i32> <i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28>
  %v456 = add <16 x i32> %v455, %v454
  %v457 = add <16 x i32> %v456, %v453
  %v458 = add <16 x i32> %v457, %here.443
  %v459 = add <16 x i32> %v458, %v452
  %v460 = add <16 x i32> %v459, %v451
  %v461 = add <16 x i32> %v460, %v450
  %v464 = getelementptr i32, ptr %ring5, i64 %x.441
  %v465 = getelementptr i32, ptr %v464, i64 16
  %v466 = load <16 x i32>, ptr %v465, align 64
  %v470 = shufflevector <16 x i32> %here.463, <16 x i32> %v466, <16 x i32> <i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18>
  %v471 = shufflevector <16 x i32> %here.463, <16 x i32> %v466, <16 x i32> <i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17>
  %v472 = shufflevector <16 x i32> %here.463, <16 x i32> %v466, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16>
  %v473 = shufflevector <16 x i32> %before.462, <16 x i32> %here.463, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v474 = shufflevector <16 x i32> %before.462, <16 x i32> %here.463, <16 x i32> <i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29>
  %v475 = shufflevector <16 x i32> %before.462, <16 x i32> %here.463, <16 x i32> <i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28>
  %v476 = add <16 x i32> %v475, %v474
  %v477 = add <16 x i32> %v476, %v473
  %v478 = add <16 x i32> %v477, %here.463
  %v479 = add <16 x i32> %v478, %v472
  %v480 = add <16 x i32> %v479, %v471
  %v481 = add <16 x i32> %v480, %v470
  %v484 = getelementptr i32, ptr %ring6, i64 %x.441
  %v485 = getelementptr i32, ptr %v484, i64 16
  %v486 = load <16 x i32>, ptr %v485, align 64
  %v490 = shufflevector <16 x i32> %here.483, <16 x i32> %v486, <16 x i32> <i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18>
  %v491 = shufflevector <16 x i32> %here.483, <16 x i32> %v486, <16 x i32> <i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17>
  %v492 = shufflevector <16 x i32> %here.483, <16 x i32> %v486, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16>
  %v493 = shufflevector <16 x i32> %before.482, <16 x i32> %here.483, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v494 = shufflevector <16 x i32> %before.482, <16 x i32> %here.483, <16 x i32> <i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29>
  %v495 = shufflevector <16 x i32> %before.482, <16 x i32> %here.483, <16 x i32> <i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28>
  %v496 = add <16 x i32> %v495, %v494
  %v497 = add <16 x i32> %v496, %v493
  %v498 = add <16 x i32> %v497, %here.483
  %v499 = add <16 x i32> %v498, %v492
  %v500 = add <16 x i32> %v499, %v491
  %v501 = add <16 x i32> %v500, %v490
  %v509 = getelementptr i32, ptr %ring9.row.508, i64 %x.441
  %v510 = load <16 x i32>, ptr %v509, align 64
  %v518 = getelementptr i32, ptr %ring9.row.517, i64 %x.441
  %v519 = load <16 x i32>, ptr %v518, align 64
  %v523 = getelementptr i32, ptr %ring9.row.522, i64 %x.441
  %v524 = load <16 x i32>, ptr %v523, align 64
  %v532 = getelementptr i32, ptr %ring9.row.531, i64 %x.441
  %v533 = load <16 x i32>, ptr %v532, align 64
  %v541 = getelementptr i32, ptr %ring9.row.540, i64 %x.441
  %v542 = load <16 x i32>, ptr %v541, align 64
  %v550 = getelementptr i32, ptr %ring9.row.549, i64 %x.441
  %v551 = load <16 x i32>, ptr %v550, align 64
  %v552 = add <16 x i32> %v551, %v542
  %v553 = add <16 x i32> %v552, %v533
  %v554 = add <16 x i32> %v553, %v524
  %v555 = add <16 x i32> %v554, %v519
  %v556 = add <16 x i32> %v555, %v510
  %v557 = add <16 x i32> %v556, %v501
  %v558 = sitofp <16 x i32> %v557 to <16 x float>
  %v559 = fmul <16 x float> %v558, splat (float 0x3E550FEB60000000)
  %v560 = fmul <16 x float> %v559, %v559
  %v568 = getelementptr i32, ptr %ring8.row.567, i64 %x.441
  %v569 = load <16 x i32>, ptr %v568, align 64
  %v577 = getelementptr i32, ptr %ring8.row.576, i64 %x.441
  %v578 = load <16 x i32>, ptr %v577, align 64
  %v582 = getelementptr i32, ptr %ring8.row.581, i64 %x.441
  %v583 = load <16 x i32>, ptr %v582, align 64
  %v591 = getelementptr i32, ptr %ring8.row.590, i64 %x.441
  %v592 = load <16 x i32>, ptr %v591, align 64
  %v600 = getelementptr i32, ptr %ring8.row.599, i64 %x.441
  %v601 = load <16 x i32>, ptr %v600, align 64
  %v609 = getelementptr i32, ptr %ring8.row.608, i64 %x.441
  %v610 = load <16 x i32>, ptr %v609, align 64
  %v611 = add <16 x i32> %v610, %v601
  %v612 = add <16 x i32> %v611, %v592
  %v613 = add <16 x i32> %v612, %v583
  %v614 = add <16 x i32> %v613, %v578
  %v615 = add <16 x i32> %v614, %v569
  %v616 = add <16 x i32> %v615, %v481
  %v617 = sitofp <16 x i32> %v616 to <16 x float>
  %v618 = fmul <16 x float> %v617, splat (float 0x3E550FEB60000000)
  %v626 = getelementptr i32, ptr %ring7.row.625, i64 %x.441
  %v627 = load <16 x i32>, ptr %v626, align 64
  %v635 = getelementptr i32, ptr %ring7.row.634, i64 %x.441
  %v636 = load <16 x i32>, ptr %v635, align 64
  %v640 = getelementptr i32, ptr %ring7.row.639, i64 %x.441
  %v641 = load <16 x i32>, ptr %v640, align 64
  %v649 = getelementptr i32, ptr %ring7.row.648, i64 %x.441
  %v650 = load <16 x i32>, ptr %v649, align 64
  %v658 = getelementptr i32, ptr %ring7.row.657, i64 %x.441
  %v659 = load <16 x i32>, ptr %v658, align 64
  %v667 = getelementptr i32, ptr %ring7.row.666, i64 %x.441
  %v668 = load <16 x i32>, ptr %v667, align 64
  %v669 = add <16 x i32> %v668, %v659
  %v670 = add <16 x i32> %v669, %v650
  %v671 = add <16 x i32> %v670, %v641
  %v672 = add <16 x i32> %v671, %v636
  %v673 = add <16 x i32> %v672, %v627
  %v674 = add <16 x i32> %v673, %v461
  %v675 = sitofp <16 x i32> %v674 to <16 x float>
  %v676 = fmul <16 x float> %v675, splat (float 0x3E550FEB60000000)
  %v677 = fsub <16 x float> %v676, %v618
  %v678 = fmul <16 x float> %v677, splat (float 0x3FE0000000000000)
  %v679 = fmul <16 x float> %v678, %v678
  %v680 = fadd <16 x float> %v679, %v560
  %v681 = call <16 x float> @llvm.sqrt.v16f32(<16 x float> %v680)
  %v682 = fadd <16 x float> %v676, %v618
  %v683 = fmul <16 x float> %v682, splat (float 0x3FE0000000000000)
  %v684 = fsub <16 x float> %v683, %v681
  %v685 = fcmp uno <16 x float> %v684, %v684
  %v686 = bitcast <16 x float> %v684 to <16 x i32>
  %v687 = select <16 x i1> %v685, <16 x i32> splat (i32 2143289344), <16 x i32> %v686
  %v688 = and <16 x i32> splat (i32 31), splat (i32 31)
  %v689 = ashr <16 x i32> %v687, %v688
  %v690 = and <16 x i32> %v687, splat (i32 2147483647)
  %v691 = xor <16 x i32> %v690, %v689
  %v692 = sub <16 x i32> %v691, %v689
  %v696 = getelementptr i32, ptr %ring7.row.695, i64 %x.441
  store <16 x i32> %v461, ptr %v696, align 64
  %v700 = getelementptr i32, ptr %ring8.row.699, i64 %x.441
  store <16 x i32> %v481, ptr %v700, align 64
  %v704 = getelementptr i32, ptr %ring9.row.703, i64 %x.441
  store <16 x i32> %v501, ptr %v704, align 64
  %v708 = getelementptr float, ptr %ring10.row.707, i64 %x.441
  store <16 x float> %v684, ptr %v708, align 64
  %v712 = getelementptr i32, ptr %ring11.row.711, i64 %x.441
  store <16 x i32> %v692, ptr %v712, align 64
  %x.441.next = add nuw nsw i64 %x.441, 16
  %x.441.more = icmp ult i64 %x.441.next, 64
  br i1 %x.441.more, label %across.713, label %across.end.714
across.end.714:
  %v715 = getelementptr float, ptr %ring10.row.707, i64 1
  %v716 = load float, ptr %v715
  %v717 = getelementptr float, ptr %ring10.row.707, i64 -1
  store float %v716, ptr %v717
  %v718 = getelementptr float, ptr %ring10.row.707, i64 62
  %v719 = load float, ptr %v718
  %v720 = getelementptr float, ptr %ring10.row.707, i64 64
  store float %v719, ptr %v720
  %v721 = getelementptr i32, ptr %ring11.row.711, i64 -1
  store i32 -2139095039, ptr %v721
  %v722 = getelementptr i32, ptr %ring11.row.711, i64 64
  store i32 -2139095039, ptr %v722
  br label %joined.434
apart.433:
  ; group 3: plane ring7, plane ring8, plane ring9; 4 rows ahead; 4 more above, 4 below
  %r.723 = add nsw i64 %s.65, 4
  %v724 = icmp sge i64 %r.723, %low3
  %v725 = icmp slt i64 %r.723, %high3
  %v726 = and i1 %v724, %v725
  br i1 %v726, label %group3.727, label %group3.end.728
group3.727:
  %v729 = icmp sge i64 %r.723, %first_row
  %v730 = icmp slt i64 %r.723, %last_row
  %v731 = and i1 %v729, %v730
  %v738 = load <16 x i32>, ptr %ring4, align 64
  %v739 = shufflevector <16 x i32> %v738, <16 x i32> poison, <16 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 3, i32 2, i32 1>
  %v740 = load <16 x i32>, ptr %ring4, align 64
  %v758 = load <16 x i32>, ptr %ring5, align 64
  %v759 = shufflevector <16 x i32> %v758, <16 x i32> poison, <16 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 3, i32 2, i32 1>
  %v760 = load <16 x i32>, ptr %ring5, align 64
  %v778 = load <16 x i32>, ptr %ring6, align 64
  %v779 = shufflevector <16 x i32> %v778, <16 x i32> poison, <16 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 3, i32 2, i32 1>
  %v780 = load <16 x i32>, ptr %ring6, align 64
  %v793 = urem i64 %r.723, 6
  %v794 = mul nsw i64 %v793, 112
  %ring7.row.795 = getelementptr i32, ptr %ring7, i64 %v794
  %v797 = urem i64 %r.723, 6
  %v798 = mul nsw i64 %v797, 112
  %ring8.row.799 = getelementptr i32, ptr %ring8, i64 %v798
  %v801 = urem i64 %r.723, 6
  %v802 = mul nsw i64 %v801, 112
  %ring9.row.803 = getelementptr i32, ptr %ring9, i64 %v802
  br label %across.805
across.805:
  %x.732 = phi i64 [ 0, %group3.727 ], [ %x.732.next, %across.805 ]
  %before.733 = phi <16 x i32> [ %v739, %group3.727 ], [ %here.734, %across.805 ]
  %here.734 = phi <16 x i32> [ %v740, %group3.727 ], [ %v737, %across.805 ]
  %before.753 = phi <16 x i32> [ %v759, %group3.727 ], [ %here.754, %across.805 ]
  %here.754 = phi <16 x i32> [ %v760, %group3.727 ], [ %v757, %across.805 ]
  %before.773 = phi <16 x i32> [ %v779, %group3.727 ], [ %here.774, %across.805 ]
  %here.774 = phi <16 x i32> [ %v780, %group3.727 ], [ %v777, %across.805 ]
  %v735 = getelementptr i32, ptr %ring4, i64 %x.732
  %v736 = getelementptr i32, ptr %v735, i64 16
  %v737 = load <16 x i32>, ptr %v736, align 64
  %v741 = shufflevector <16 x i32> %here.734, <16 x i32> %v737, <16 x i32> <i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18>
  %v742 = shufflevector <16 x i32> %here.734, <16 x i32> %v737, <16 x i32> <i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17>
  %v743 = shufflevector <16 x i32> %here.734, <16 x i32> %v737, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16>
  %v744 = shufflevector <16 x i32> %before.733, <16 x i32> %here.734, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v745 = shufflevector <16 x i32> %before.733, <16 x i32> %here.734, <16 x i32> <i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29>
  %v746 = shufflevector <16 x i32> %before.733, <16 x i32> %here.734, <16 x i32> <i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28>
  %v747 = add <16 x i32> %v746, %v745
  %v748 = add <16 x i32> %v747, %v744
  %v749 = add <16 x i32> %v748, %here.734
  %v750 = add <16 x i32> %v749, %v743
  %v751 = add <16 x i32> %v750, %v742
  %v752 = add <16 x i32> %v751, %v741
  %v755 = getelementptr i32, ptr %ring5, i64 %x.732
  %v756 = getelementptr i32, ptr %v755, i64 16
  %v757 = load <16 x i32>, ptr %v756, align 64
  %v761 = shufflevector <16 x i32> %here.754, <16 x i32> %v757, <16 x i32> <i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18>
  %v762 = shufflevector <16 x i32> %here.754, <16 x i32> %v757, <16 x i32> <i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17>
  %v763 = shufflevector <16 x i32> %here.754, <16 x i32> %v757, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16>
  %v764 = shufflevector <16 x i32> %before.753, <16 x i32> %here.754, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v765 = shufflevector <16 x i32> %before.753, <16 x i32> %here.754, <16 x i32> <i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29>
  %v766 = shufflevector <16 x i32> %before.753, <16 x i32> %here.754, <16 x i32> <i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28>
  %v767 = add <16 x i32> %v766, %v765
  %v768 = add <16 x i32> %v767, %v764
  %v769 = add <16 x i32> %v768, %here.754
  %v770 = add <16 x i32> %v769, %v763
  %v771 = add <16 x i32> %v770, %v762
  %v772 = add <16 x i32> %v771, %v761
  %v775 = getelementptr i32, ptr %ring6, i64 %x.732
  %v776 = getelementptr i32, ptr %v775, i64 16
  %v777 = load <16 x i32>, ptr %v776, align 64
  %v781 = shufflevector <16 x i32> %here.774, <16 x i32> %v777, <16 x i32> <i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18>
  %v782 = shufflevector <16 x i32> %here.774, <16 x i32> %v777, <16 x i32> <i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17>
  %v783 = shufflevector <16 x i32> %here.774, <16 x i32> %v777, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16>
  %v784 = shufflevector <16 x i32> %before.773, <16 x i32> %here.774, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v785 = shufflevector <16 x i32> %before.773, <16 x i32> %here.774, <16 x i32> <i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29>
  %v786 = shufflevector <16 x i32> %before.773, <16 x i32> %here.774, <16 x i32> <i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28>
  %v787 = add <16 x i32> %v786, %v785
  %v788 = add <16 x i32> %v787, %v784
  %v789 = add <16 x i32> %v788, %here.774
  %v790 = add <16 x i32> %v789, %v783
  %v791 = add <16 x i32> %v790, %v782
  %v792 = add <16 x i32> %v791, %v781
  %v796 = getelementptr i32, ptr %ring7.row.795, i64 %x.732
  store <16 x i32> %v752, ptr %v796, align 64
  %v800 = getelementptr i32, ptr %ring8.row.799, i64 %x.732
  store <16 x i32> %v772, ptr %v800, align 64
  %v804 = getelementptr i32, ptr %ring9.row.803, i64 %x.732
  store <16 x i32> %v792, ptr %v804, align 64
  %x.732.next = add nuw nsw i64 %x.732, 16
  %x.732.more = icmp ult i64 %x.732.next, 64
  br i1 %x.732.more, label %across.805, label %across.end.806
across.end.806:
  br label %group3.end.728
group3.end.728:
  ; group 4: plane ring10, plane ring11; 1 rows ahead; 1 more above, 1 below
  %r.807 = add nsw i64 %s.65, 1
  %v808 = icmp sge i64 %r.807, %low4
  %v809 = icmp slt i64 %r.807, %high4
  %v810 = and i1 %v808, %v809
  br i1 %v810, label %group4.811, label %group4.end.812
group4.811:
  %v813 = icmp sge i64 %r.807, %first_row
  %v814 = icmp slt i64 %r.807, %last_row
  %v815 = and i1 %v813, %v814
  %v817 = add i64 %r.807, 3
  %v818 = call i64 @llvm.abs.i64(i64 %v817, i1 false)
  %v819 = sub i64 94, %v818
  %v820 = call i64 @llvm.smin.i64(i64 %v818, i64 %v819)
  %v821 = urem i64 %v820, 6
  %v822 = mul nsw i64 %v821, 112
  %ring9.row.823 = getelementptr i32, ptr %ring9, i64 %v822
  %v826 = add i64 %r.807, 2
  %v827 = call i64 @llvm.abs.i64(i64 %v826, i1 false)
  %v828 = sub i64 94, %v827
  %v829 = call i64 @llvm.smin.i64(i64 %v827, i64 %v828)
  %v830 = urem i64 %v829, 6
  %v831 = mul nsw i64 %v830, 112
  %ring9.row.832 = getelementptr i32, ptr %ring9, i64 %v831
  %v835 = add i64 %r.807, 1
  %v836 = call i64 @llvm.abs.i64(i64 %v835, i1 false)
  %v837 = sub i64 94, %v836
  %v838 = call i64 @llvm.smin.i64(i64 %v836, i64 %v837)
  %v839 = urem i64 %v838, 6
  %v840 = mul nsw i64 %v839, 112
  %ring9.row.841 = getelementptr i32, ptr %ring9, i64 %v840
  %v844 = urem i64 %r.807, 6
  %v845 = mul nsw i64 %v844, 112
  %ring9.row.846 = getelementptr i32, ptr %ring9, i64 %v845
  %v849 = add i64 %r.807, -1
  %v850 = call i64 @llvm.abs.i64(i64 %v849, i1 false)
  %v851 = sub i64 94, %v850
  %v852 = call i64 @llvm.smin.i64(i64 %v850, i64 %v851)
  %v853 = urem i64 %v852, 6
  %v854 = mul nsw i64 %v853, 112
  %ring9.row.855 = getelementptr i32, ptr %ring9, i64 %v854
  %v858 = add i64 %r.807, -2
  %v859 = call i64 @llvm.abs.i64(i64 %v858, i1 false)
  %v860 = sub i64 94, %v859
  %v861 = call i64 @llvm.smin.i64(i64 %v859, i64 %v860)
  %v862 = urem i64 %v861, 6
  %v863 = mul nsw i64 %v862, 112
  %ring9.row.864 = getelementptr i32, ptr %ring9, i64 %v863
  %v867 = add i64 %r.807, -3
  %v868 = call i64 @llvm.abs.i64(i64 %v867, i1 false)
  %v869 = sub i64 94, %v868
  %v870 = call i64 @llvm.smin.i64(i64 %v868, i64 %v869)
  %v871 = urem i64 %v870, 6
  %v872 = mul nsw i64 %v871, 112
  %ring9.row.873 = getelementptr i32, ptr %ring9, i64 %v872
  %v885 = add i64 %r.807, 3
  %v886 = call i64 @llvm.abs.i64(i64 %v885, i1 false)
  %v887 = sub i64 94, %v886
  %v888 = call i64 @llvm.smin.i64(i64 %v886, i64 %v887)
  %v889 = urem i64 %v888, 6
  %v890 = mul nsw i64 %v889, 112
  %ring8.row.891 = getelementptr i32, ptr %ring8, i64 %v890
  %v894 = add i64 %r.807, 2
  %v895 = call i64 @llvm.abs.i64(i64 %v894, i1 false)
  %v896 = sub i64 94, %v895
  %v897 = call i64 @llvm.smin.i64(i64 %v895, i64 %v896)
  %v898 = urem i64 %v897, 6
  %v899 = mul nsw i64 %v898, 112
  %ring8.row.900 = getelementptr i32, ptr %ring8, i64 %v899
  %v903 = add i64 %r.807, 1
  %v904 = call i64 @llvm.abs.i64(i64 %v903, i1 false)
  %v905 = sub i64 94, %v904
  %v906 = call i64 @llvm.smin.i64(i64 %v904, i64 %v905)
  %v907 = urem i64 %v906, 6
  %v908 = mul nsw i64 %v907, 112
  %ring8.row.909 = getelementptr i32, ptr %ring8, i64 %v908
  %v912 = urem i64 %r.807, 6
  %v913 = mul nsw i64 %v912, 112
  %ring8.row.914 = getelementptr i32, ptr %ring8, i64 %v913
  %v917 = add i64 %r.807, -1
  %v918 = call i64 @llvm.abs.i64(i64 %v917, i1 false)
  %v919 = sub i64 94, %v918
  %v920 = call i64 @llvm.smin.i64(i64 %v918, i64 %v919)
  %v921 = urem i64 %v920, 6
  %v922 = mul nsw i64 %v921, 112
  %ring8.row.923 = getelementptr i32, ptr %ring8, i64 %v922
  %v926 = add i64 %r.807, -2
  %v927 = call i64 @llvm.abs.i64(i64 %v926, i1 false)
  %v928 = sub i64 94, %v927
  %v929 = call i64 @llvm.smin.i64(i64 %v927, i64 %v928)
  %v930 = urem i64 %v929, 6
  %v931 = mul nsw i64 %v930, 112
  %ring8.row.932 = getelementptr i32, ptr %ring8, i64 %v931
  %v935 = add i64 %r.807, -3
  %v936 = call i64 @llvm.abs.i64(i64 %v935, i1 false)
  %v937 = sub i64 94, %v936
  %v938 = call i64 @llvm.smin.i64(i64 %v936, i64 %v937)
  %v939 = urem i64 %v938, 6
  %v940 = mul nsw i64 %v939, 112
  %ring8.row.941 = getelementptr i32, ptr %ring8, i64 %v940
  %v952 = add i64 %r.807, 3
  %v953 = call i64 @llvm.abs.i64(i64 %v952, i1 false)
  %v954 = sub i64 94, %v953
  %v955 = call i64 @llvm.smin.i64(i64 %v953, i64 %v954)
  %v956 = urem i64 %v955, 6
  %v957 = mul nsw i64 %v956, 112
  %ring7.row.958 = getelementptr i32, ptr %ring7, i64 %v957
  %v961 = add i64 %r.807, 2
  %v962 = call i64 @llvm.abs.i64(i64 %v961, i1 false)
  %v963 = sub i64 94, %v962
  %v964 = call i64 @llvm.smin.i64(i64 %v962, i64 %v963)
  %v965 = urem i64 %v964, 6
  %v966 = mul nsw i64 %v965, 112
  %ring7.row.967 = getelementptr i32, ptr %ring7, i64 %v966
  %v970 = add i64 %r.807, 1
  %v971 = call i64 @llvm.abs.i64(i64 %v970, i1 false)
  %v972 = sub i64 94, %v971
  %v973 = call i64 @llvm.smin.i64(i64 %v971, i64 %v972)
  %v974 = urem i64 %v973, 6
  %v975 = mul nsw i64 %v974, 112
  %ring7.row.976 = getelementptr i32, ptr %ring7, i64 %v975
  %v979 = urem i64 %r.807, 6
  %v980 = mul nsw i64 %v979, 112
  %ring7.row.981 = getelementptr i32, ptr %ring7, i64 %v980
  %v984 = add i64 %r.807, -1
  %v985 = call i64 @llvm.abs.i64(i64 %v984, i1 false)
  %v986 = sub i64 94, %v985
  %v987 = call i64 @llvm.smin.i64(i64 %v985, i64 %v986)
  %v988 = urem i64 %v987, 6
  %v989 = mul nsw i64 %v988, 112
  %ring7.row.990 = getelementptr i32, ptr %ring7, i64 %v989
  %v993 = add i64 %r.807, -2
  %v994 = call i64 @llvm.abs.i64(i64 %v993, i1 false)
  %v995 = sub i64 94, %v994
  %v996 = call i64 @llvm.smin.i64(i64 %v994, i64 %v995)
  %v997 = urem i64 %v996, 6
  %v998 = mul nsw i64 %v997, 112
  %ring7.row.999 = getelementptr i32, ptr %ring7, i64 %v998
  %v1002 = add i64 %r.807, -3
  %v1003 = call i64 @llvm.abs.i64(i64 %v1002, i1 false)
  %v1004 = sub i64 94, %v1003
  %v1005 = call i64 @llvm.smin.i64(i64 %v1003, i64 %v1004)
  %v1006 = urem i64 %v1005, 6
  %v1007 = mul nsw i64 %v1006, 112
  %ring7.row.1008 = getelementptr i32, ptr %ring7, i64 %v1007
  %v1035 = urem i64 %r.807, 3
  %v1036 = mul nsw i64 %v1035, 160
  %ring10.row.1037 = getelementptr float, ptr %ring10, i64 %v1036
  %v1039 = urem i64 %r.807, 2
  %v1040 = mul nsw i64 %v1039, 160
  %ring11.row.1041 = getelementptr i32, ptr %ring11, i64 %v1040
  br label %across.1043
across.1043:
  %x.816 = phi i64 [ 0, %group4.811 ], [ %x.816.next, %across.1043 ]
  %v824 = getelementptr i32, ptr %ring9.row.823, i64 %x.816
  %v825 = load <16 x i32>, ptr %v824, align 64
  %v833 = getelementptr i32, ptr %ring9.row.832, i64 %x.816
  %v834 = load <16 x i32>, ptr %v833, align 64
  %v842 = getelementptr i32, ptr %ring9.row.841, i64 %x.816
  %v843 = load <16 x i32>, ptr %v842, align 64
  %v847 = getelementptr i32, ptr %ring9.row.846, i64 %x.816
  %v848 = load <16 x i32>, ptr %v847, align 64
  %v856 = getelementptr i32, ptr %ring9.row.855, i64 %x.816
  %v857 = load <16 x i32>, ptr %v856, align 64
  %v865 = getelementptr i32, ptr %ring9.row.864, i64 %x.816
  %v866 = load <16 x i32>, ptr %v865, align 64
  %v874 = getelementptr i32, ptr %ring9.row.873, i64 %x.816
  %v875 = load <16 x i32>, ptr %v874, align 64
  %v876 = add <16 x i32> %v875, %v866
  %v877 = add <16 x i32> %v876, %v857
  %v878 = add <16 x i32> %v877, %v848
  %v879 = add <16 x i32> %v878, %v843
  %v880 = add <16 x i32> %v879, %v834
  %v881 = add <16 x i32> %v880, %v825
  %v882 = sitofp <16 x i32> %v881 to <16 x float>
  %v883 = fmul <16 x float> %v882, splat (float 0x3E550FEB60000000)
  %v884 = fmul <16 x float> %v883, %v883
  %v892 = getelementptr i32, ptr %ring8.row.891, i64 %x.816
  %v893 = load <16 x i32>, ptr %v892, align 64
  %v901 = getelementptr i32, ptr %ring8.row.900, i64 %x.816
  %v902 = load <16 x i32>, ptr %v901, align 64
  %v910 = getelementptr i32, ptr %ring8.row.909, i64 %x.816
  %v911 = load <16 x i32>, ptr %v910, align 64
  %v915 = getelementptr i32, ptr %ring8.row.914, i64 %x.816
  %v916 = load <16 x i32>, ptr %v915, align 64
  %v924 = getelementptr i32, ptr %ring8.row.923, i64 %x.816
  %v925 = load <16 x i32>, ptr %v924, align 64
  %v933 = getelementptr i32, ptr %ring8.row.932, i64 %x.816
  %v934 = load <16 x i32>, ptr %v933, align 64
  %v942 = getelementptr i32, ptr %ring8.row.941, i64 %x.816
  %v943 = load <16 x i32>, ptr %v942, align 64
  %v944 = add <16 x i32> %v943, %v934
  %v945 = add <16 x i32> %v944, %v925
  %v946 = add <16 x i32> %v945, %v916
  %v947 = add <16 x i32> %v946, %v911
  %v948 = add <16 x i32> %v947, %v902
  %v949 = add <16 x i32> %v948, %v893
  %v950 = sitofp <16 x i32> %v949 to <16 x float>
  %v951 = fmul <16 x float> %v950, splat (float 0x3E550FEB60000000)
  %v959 = getelementptr i32, ptr %ring7.row.958, i64 %x.816
  %v960 = load <16 x i32>, ptr %v959, align 64
  %v968 = getelementptr i32, ptr %ring7.row.967, i64 %x.816
  %v969 = load <16 x i32>, ptr %v968, align 64
  %v977 = getelementptr i32, ptr %ring7.row.976, i64 %x.816
  %v978 = load <16 x i32>, ptr %v977, align 64
  %v982 = getelementptr i32, ptr %ring7.row.981, i64 %x.816
  %v983 = load <16 x i32>, ptr %v982, align 64
  %v991 = getelementptr i32, ptr %ring7.row.990, i64 %x.816
  %v992 = load <16 x i32>, ptr %v991, align 64
  %v1000 = getelementptr i32, ptr %ring7.row.999, i64 %x.816
  %v1001 = load <16 x i32>, ptr %v1000, align 64
  %v1009 = getelementptr i32, ptr %ring7.row.1008, i64 %x.816
  %v1010 = load <16 x i32>, ptr %v1009, align 64
  %v1011 = add <16 x i32> %v1010, %v1001
  %v1012 = add <16 x i32> %v1011, %v992
  %v1013 = add <16 x i32> %v1012, %v983
  %v1014 = add <16 x i32> %v1013, %v978
  %v1015 = add <16 x i32> %v1014, %v969
  %v1016 = add <16 x i32> %v1015, %v960
  %v1017 = sitofp <16 x i32> %v1016 to <16 x float>
  %v1018 = fmul <16 x float> %v1017, splat (float 0x3E550FEB60000000)
  %v1019 = fsub <16 x float> %v1018, %v951
  %v1020 = fmul <16 x float> %v1019, splat (float 0x3FE0000000000000)
  %v1021 = fmul <16 x float> %v1020, %v1020
  %v1022 = fadd <16 x float> %v1021, %v884
  %v1023 = call <16 x float> @llvm.sqrt.v16f32(<16 x float> %v1022)
  %v1024 = fadd <16 x float> %v1018, %v951
  %v1025 = fmul <16 x float> %v1024, splat (float 0x3FE0000000000000)
  %v1026 = fsub <16 x float> %v1025, %v1023
  %v1027 = fcmp uno <16 x float> %v1026, %v1026
  %v1028 = bitcast <16 x float> %v1026 to <16 x i32>
  %v1029 = select <16 x i1> %v1027, <16 x i32> splat (i32 2143289344), <16 x i32> %v1028
  %v1030 = and <16 x i32> splat (i32 31), splat (i32 31)
  %v1031 = ashr <16 x i32> %v1029, %v1030
  %v1032 = and <16 x i32> %v1029, splat (i32 2147483647)
  %v1033 = xor <16 x i32> %v1032, %v1031
  %v1034 = sub <16 x i32> %v1033, %v1031
  %v1038 = getelementptr float, ptr %ring10.row.1037, i64 %x.816
  store <16 x float> %v1026, ptr %v1038, align 64
  %v1042 = getelementptr i32, ptr %ring11.row.1041, i64 %x.816
  store <16 x i32> %v1034, ptr %v1042, align 64
  %x.816.next = add nuw nsw i64 %x.816, 16
  %x.816.more = icmp ult i64 %x.816.next, 64
  br i1 %x.816.more, label %across.1043, label %across.end.1044
across.end.1044:
  %v1045 = getelementptr float, ptr %ring10.row.1037, i64 1
  %v1046 = load float, ptr %v1045
  %v1047 = getelementptr float, ptr %ring10.row.1037, i64 -1
  store float %v1046, ptr %v1047
  %v1048 = getelementptr float, ptr %ring10.row.1037, i64 62
  %v1049 = load float, ptr %v1048
  %v1050 = getelementptr float, ptr %ring10.row.1037, i64 64
  store float %v1049, ptr %v1050
  %v1051 = getelementptr i32, ptr %ring11.row.1041, i64 -1
  store i32 -2139095039, ptr %v1051
  %v1052 = getelementptr i32, ptr %ring11.row.1041, i64 64
  store i32 -2139095039, ptr %v1052
  br label %group4.end.812
group4.end.812:
  br label %joined.434
joined.434:
  ; group 5: plane ring12; 1 rows ahead; 1 more above, 1 below
  %r.1053 = add nsw i64 %s.65, 1
  %v1054 = icmp sge i64 %r.1053, %low5
  %v1055 = icmp slt i64 %r.1053, %high5
  %v1056 = and i1 %v1054, %v1055
  ; group 6: plane ring13; 0 rows ahead; 0 more above, 0 below
  %r.1057 = add nsw i64 %s.65, 0
  %v1058 = icmp sge i64 %r.1057, %low6
  %v1059 = icmp slt i64 %r.1057, %high6
  %v1060 = and i1 %v1058, %v1059
  %v1061 = icmp sge i64 %r.1057, 1
  %v1062 = and i1 %v1056, %v1060
  %v1063 = and i1 %v1061, %v1062
  br i1 %v1063, label %together.1064, label %apart.1065
together.1064:
  %v1067 = icmp sge i64 %r.1053, %first_row
  %v1068 = icmp slt i64 %r.1053, %last_row
  %v1069 = and i1 %v1067, %v1068
  %v1071 = urem i64 %r.1053, 2
  %v1072 = mul nsw i64 %v1071, 160
  %ring11.row.1073 = getelementptr i32, ptr %ring11, i64 %v1072
  %v1079 = load <16 x i32>, ptr %ring11.row.1073, align 64
  %v1080 = shufflevector <16 x i32> %v1079, <16 x i32> splat (i32 -2139095039), <16 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 16>
  %v1081 = load <16 x i32>, ptr %ring11.row.1073, align 64
  %v1137 = urem i64 %r.1053, 2
  %v1138 = mul nsw i64 %v1137, 112
  %ring12.row.1139 = getelementptr i32, ptr %ring12, i64 %v1138
  %v1088 = urem i64 %r.1057, 2
  %v1089 = mul nsw i64 %v1088, 160
  %ring11.row.1090 = getelementptr i32, ptr %ring11, i64 %v1089
  %v1093 = urem i64 %r.1057, 2
  %v1094 = mul nsw i64 %v1093, 112
  %ring12.row.1095 = getelementptr i32, ptr %ring12, i64 %v1094
  %v1106 = load <16 x i32>, ptr %ring11.row.1090, align 64
  %v1107 = shufflevector <16 x i32> %v1106, <16 x i32> splat (i32 -2139095039), <16 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 16>
  %v1108 = load <16 x i32>, ptr %ring11.row.1090, align 64
  %v1110 = add i64 %r.1057, -1
  %v1111 = icmp ult i64 %v1110, 48
  %v1112 = select i1 %v1111, i64 %v1110, i64 0
  %v1113 = urem i64 %v1112, 2
  %v1114 = mul nsw i64 %v1113, 112
  %ring12.row.1115 = getelementptr i32, ptr %ring12, i64 %v1114
  %v1116 = getelementptr i8, ptr %scratch, i64 15680
  %ring12.row.1117 = select i1 %v1111, ptr %ring12.row.1115, ptr %v1116
  %v1124 = urem i64 %r.1057, 3
  %v1125 = mul nsw i64 %v1124, 160
  %ring10.row.1126 = getelementptr float, ptr %ring10, i64 %v1125
  br label %across.1179
across.1179:
  %x.1070 = phi i64 [ 0, %together.1064 ], [ %x.1070.next, %across.1179 ]
  %before.1074 = phi <16 x i32> [ %v1080, %together.1064 ], [ %v1078, %across.1179 ]
  %here.1075 = phi <16 x i32> [ %v1081, %together.1064 ], [ %v1146, %across.1179 ]
  %before.1101 = phi <16 x i32> [ %v1107, %together.1064 ], [ %v1105, %across.1179 ]
  %here.1102 = phi <16 x i32> [ %v1108, %together.1064 ], [ %v1162, %across.1179 ]
  %v1076 = getelementptr i32, ptr %ring11.row.1073, i64 %x.1070
  %v1077 = getelementptr i32, ptr %v1076, i64 16
  %v1078 = load <16 x i32>, ptr %v1077, align 64
  %v1082 = shufflevector <16 x i32> %here.1075, <16 x i32> %v1078, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16>
  %v1083 = shufflevector <16 x i32> %before.1074, <16 x i32> %here.1075, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v1084 = icmp sgt <16 x i32> %v1083, %here.1075
  %v1085 = select <16 x i1> %v1084, <16 x i32> %v1083, <16 x i32> %here.1075
  %v1086 = icmp sgt <16 x i32> %v1085, %v1082
  %v1087 = select <16 x i1> %v1086, <16 x i32> %v1085, <16 x i32> %v1082
  %v1091 = getelementptr i32, ptr %ring11.row.1090, i64 %x.1070
  %v1092 = load <16 x i32>, ptr %v1091, align 64
  %v1096 = getelementptr i32, ptr %ring12.row.1095, i64 %x.1070
  %v1097 = load <16 x i32>, ptr %v1096, align 64
  %v1098 = icmp sgt <16 x i32> %v1097, %v1087
  %v1099 = select <16 x i1> %v1098, <16 x i32> %v1097, <16 x i32> %v1087
  %v1100 = icmp sle <16 x i32> %v1099, %v1092
  %v1103 = getelementptr i32, ptr %ring11.row.1090, i64 %x.1070
  %v1104 = getelementptr i32, ptr %v1103, i64 16
  %v1105 = load <16 x i32>, ptr %v1104, align 64
  %v1109 = shufflevector <16 x i32> %before.1101, <16 x i32> %here.1102, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v1118 = getelementptr i32, ptr %ring12.row.1117, i64 %x.1070
  %v1119 = load <16 x i32>, ptr %v1118, align 64
  %v1120 = icmp sgt <16 x i32> %v1119, %v1109
  %v1121 = select <16 x i1> %v1120, <16 x i32> %v1119, <16 x i32> %v1109
  %v1122 = icmp slt <16 x i32> %v1121, %v1092
  %v1123 = and <16 x i1> %v1122, %v1100
  %v1127 = getelementptr float, ptr %ring10.row.1126, i64 %x.1070
  %v1128 = load <16 x float>, ptr %v1127, align 64
  %v1129 = fcmp oeq <16 x float> %v1128, %v1128
  %v1134 = fcmp olt <16 x float> %v1133, %v1128
  %v1135 = and <16 x i1> %v1134, %v1129
  %v1136 = and <16 x i1> %v1135, %v1123
  %v1140 = getelementptr i32, ptr %ring12.row.1139, i64 %x.1070
  store <16 x i32> %v1087, ptr %v1140, align 64
  %v1141 = getelementptr i8, ptr %ring13, i64 %x.1070
  %v1142 = zext <16 x i1> %v1136 to <16 x i8>
  store <16 x i8> %v1142, ptr %v1141, align 16
  %v1143 = add i64 %x.1070, 16
  %v1144 = getelementptr i32, ptr %ring11.row.1073, i64 %v1143
  %v1145 = getelementptr i32, ptr %v1144, i64 16
  %v1146 = load <16 x i32>, ptr %v1145, align 64
  %v1147 = shufflevector <16 x i32> %v1078, <16 x i32> %v1146, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16>
  %v1148 = shufflevector <16 x i32> %here.1075, <16 x i32> %v1078, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v1149 = icmp sgt <16 x i32> %v1148, %v1078
  %v1150 = select <16 x i1> %v1149, <16 x i32> %v1148, <16 x i32> %v1078
  %v1151 = icmp sgt <16 x i32> %v1150, %v1147
  %v1152 = select <16 x i1> %v1151, <16 x i32> %v1150, <16 x i32> %v1147
  %v1153 = getelementptr i32, ptr %ring11.row.1090, i64 %v1143
  %v1154 = load <16 x i32>, ptr %v1153, align 64
  %v1155 = getelementptr i32, ptr %ring12.row.1095, i64 %v1143
  %v1156 = load <16 x i32>, ptr %v1155, align 64
  %v1157 = icmp sgt <16 x i32> %v1156, %v1152
  %v1158 = select <16 x i1> %v1157, <16 x i32> %v1156, <16 x i32> %v1152
  %v1159 = icmp sle <16 x i32> %v1158, %v1154
  %v1160 = getelementptr i32, ptr %ring11.row.1090, i64 %v1143
  %v1161 = getelementptr i32, ptr %v1160, i64 16
  %v1162 = load <16 x i32>, ptr %v1161, align 64
  %v1163 = shufflevector <16 x i32> %here.1102, <16 x i32> %v1105, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v1164 = getelementptr i32, ptr %ring12.row.1117, i64 %v1143
  %v1165 = load <16 x i32>, ptr %v1164, align 64
  %v1166 = icmp sgt <16 x i32> %v1165, %v1163
  %v1167 = select <16 x i1> %v1166, <16 x i32> %v1165, <16 x i32> %v1163
  %v1168 = icmp slt <16 x i32> %v1167, %v1154
  %v1169 = and <16 x i1> %v1168, %v1159
  %v1170 = getelementptr float, ptr %ring10.row.1126, i64 %v1143
  %v1171 = load <16 x float>, ptr %v1170, align 64
  %v1172 = fcmp oeq <16 x float> %v1171, %v1171
  %v1173 = fcmp olt <16 x float> %v1133, %v1171
  %v1174 = and <16 x i1> %v1173, %v1172
  %v1175 = and <16 x i1> %v1174, %v1169
  %v1176 = getelementptr i32, ptr %ring12.row.1139, i64 %v1143
  store <16 x i32> %v1152, ptr %v1176, align 64
  %v1177 = getelementptr i8, ptr %ring13, i64 %v1143
  %v1178 = zext <16 x i1> %v1175 to <16 x i8>
  store <16 x i8> %v1178, ptr %v1177, align 16
  %x.1070.next = add nuw nsw i64 %x.1070, 32
  %x.1070.more = icmp ult i64 %x.1070.next, 64
  br i1 %x.1070.more, label %across.1179, label %across.end.1180
across.end.1180:
  br label %joined.1066
apart.1065:
  ; group 5: plane ring12; 1 rows ahead; 1 more above, 1 below
  %r.1181 = add nsw i64 %s.65, 1
  %v1182 = icmp sge i64 %r.1181, %low5
  %v1183 = icmp slt i64 %r.1181, %high5
  %v1184 = and i1 %v1182, %v1183
  br i1 %v1184, label %group5.1185, label %group5.end.1186
group5.1185:
  %v1187 = icmp sge i64 %r.1181, %first_row
  %v1188 = icmp slt i64 %r.1181, %last_row
  %v1189 = and i1 %v1187, %v1188
  %v1191 = urem i64 %r.1181, 2
  %v1192 = mul nsw i64 %v1191, 160
  %ring11.row.1193 = getelementptr i32, ptr %ring11, i64 %v1192
  %v1199 = load <16 x i32>, ptr %ring11.row.1193, align 64
  %v1200 = shufflevector <16 x i32> %v1199, <16 x i32> splat (i32 -2139095039), <16 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 16>
  %v1201 = load <16 x i32>, ptr %ring11.row.1193, align 64
  %v1208 = urem i64 %r.1181, 2
  %v1209 = mul nsw i64 %v1208, 112
  %ring12.row.1210 = getelementptr i32, ptr %ring12, i64 %v1209
  br label %across.1212
across.1212:
  %x.1190 = phi i64 [ 0, %group5.1185 ], [ %x.1190.next, %across.1212 ]
  %before.1194 = phi <16 x i32> [ %v1200, %group5.1185 ], [ %here.1195, %across.1212 ]
  %here.1195 = phi <16 x i32> [ %v1201, %group5.1185 ], [ %v1198, %across.1212 ]
  %v1196 = getelementptr i32, ptr %ring11.row.1193, i64 %x.1190
  %v1197 = getelementptr i32, ptr %v1196, i64 16
  %v1198 = load <16 x i32>, ptr %v1197, align 64
  %v1202 = shufflevector <16 x i32> %here.1195, <16 x i32> %v1198, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16>
  %v1203 = shufflevector <16 x i32> %before.1194, <16 x i32> %here.1195, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v1204 = icmp sgt <16 x i32> %v1203, %here.1195
  %v1205 = select <16 x i1> %v1204, <16 x i32> %v1203, <16 x i32> %here.1195
  %v1206 = icmp sgt <16 x i32> %v1205, %v1202
  %v1207 = select <16 x i1> %v1206, <16 x i32> %v1205, <16 x i32> %v1202
  %v1211 = getelementptr i32, ptr %ring12.row.1210, i64 %x.1190
  store <16 x i32> %v1207, ptr %v1211, align 64
  %x.1190.next = add nuw nsw i64 %x.1190, 16
  %x.1190.more = icmp ult i64 %x.1190.next, 64
  br i1 %x.1190.more, label %across.1212, label %across.end.1213
across.end.1213:
  br label %group5.end.1186
group5.end.1186:
  ; group 6: plane ring13; 0 rows ahead; 0 more above, 0 below
  %r.1214 = add nsw i64 %s.65, 0
  %v1215 = icmp sge i64 %r.1214, %low6
  %v1216 = icmp slt i64 %r.1214, %high6
  %v1217 = and i1 %v1215, %v1216
  br i1 %v1217, label %group6.1218, label %group6.end.1219
group6.1218:
  %v1221 = urem i64 %r.1214, 2
  %v1222 = mul nsw i64 %v1221, 160
  %ring11.row.1223 = getelementptr i32, ptr %ring11, i64 %v1222
  %v1226 = add i64 %r.1214, 1
  %v1227 = icmp ult i64 %v1226, 48
  %v1228 = select i1 %v1227, i64 %v1226, i64 0
  %v1229 = urem i64 %v1228, 2
  %v1230 = mul nsw i64 %v1229, 112
  %ring12.row.1231 = getelementptr i32, ptr %ring12, i64 %v1230
  %v1232 = getelementptr i8, ptr %scratch, i64 15680
  %ring12.row.1233 = select i1 %v1227, ptr %ring12.row.1231, ptr %v1232
  %v1236 = urem i64 %r.1214, 2
  %v1237 = mul nsw i64 %v1236, 112
  %ring12.row.1238 = getelementptr i32, ptr %ring12, i64 %v1237
  %v1249 = load <16 x i32>, ptr %ring11.row.1223, align 64
  %v1250 = shufflevector <16 x i32> %v1249, <16 x i32> splat (i32 -2139095039), <16 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 16>
  %v1251 = load <16 x i32>, ptr %ring11.row.1223, align 64
  %v1253 = add i64 %r.1214, -1
  %v1254 = icmp ult i64 %v1253, 48
  %v1255 = select i1 %v1254, i64 %v1253, i64 0
  %v1256 = urem i64 %v1255, 2
  %v1257 = mul nsw i64 %v1256, 112
  %ring12.row.1258 = getelementptr i32, ptr %ring12, i64 %v1257
  %v1259 = getelementptr i8, ptr %scratch, i64 15680
  %ring12.row.1260 = select i1 %v1254, ptr %ring12.row.1258, ptr %v1259
  %v1267 = urem i64 %r.1214, 3
  %v1268 = mul nsw i64 %v1267, 160
  %ring10.row.1269 = getelementptr float, ptr %ring10, i64 %v1268
  br label %across.1278
across.1278:
  %x.1220 = phi i64 [ 0, %group6.1218 ], [ %x.1220.next, %across.1278 ]
  %before.1244 = phi <16 x i32> [ %v1250, %group6.1218 ], [ %here.1245, %across.1278 ]
  %here.1245 = phi <16 x i32> [ %v1251, %group6.1218 ], [ %v1248, %across.1278 ]
  %v1224 = getelementptr i32, ptr %ring11.row.1223, i64 %x.1220
  %v1225 = load <16 x i32>, ptr %v1224, align 64
  %v1234 = getelementptr i32, ptr %ring12.row.1233, i64 %x.1220
  %v1235 = load <16 x i32>, ptr %v1234, align 64
  %v1239 = getelementptr i32, ptr %ring12.row.1238, i64 %x.1220
  %v1240 = load <16 x i32>, ptr %v1239, align 64
  %v1241 = icmp sgt <16 x i32> %v1240, %v1235
  %v1242 = select <16 x i1> %v1241, <16 x i32> %v1240, <16 x i32> %v1235
  %v1243 = icmp sle <16 x i32> %v1242, %v1225
  %v1246 = getelementptr i32, ptr %ring11.row.1223, i64 %x.1220
  %v1247 = getelementptr i32, ptr %v1246, i64 16
  %v1248 = load <16 x i32>, ptr %v1247, align 64
  %v1252 = shufflevector <16 x i32> %before.1244, <16 x i32> %here.1245, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v1261 = getelementptr i32, ptr %ring12.row.1260, i64 %x.1220
  %v1262 = load <16 x i32>, ptr %v1261, align 64
  %v1263 = icmp sgt <16 x i32> %v1262, %v1252
  %v1264 = select <16 x i1> %v1263, <16 x i32> %v1262, <16 x i32> %v1252
  %v1265 = icmp slt <16 x i32> %v1264, %v1225
  %v1266 = and <16 x i1> %v1265, %v1243
  %v1270 = getelementptr float, ptr %ring10.row.1269, i64 %x.1220
  %v1271 = load <16 x float>, ptr %v1270, align 64
  %v1272 = fcmp oeq <16 x float> %v1271, %v1271
  %v1273 = fcmp olt <16 x float> %v1133, %v1271
  %v1274 = and <16 x i1> %v1273, %v1272
  %v1275 = and <16 x i1> %v1274, %v1266
  %v1276 = getelementptr i8, ptr %ring13, i64 %x.1220
  %v1277 = zext <16 x i1> %v1275 to <16 x i8>
  store <16 x i8> %v1277, ptr %v1276, align 16
  %x.1220.next = add nuw nsw i64 %x.1220, 16
  %x.1220.more = icmp ult i64 %x.1220.next, 64
  br i1 %x.1220.more, label %across.1278, label %across.end.1279
across.end.1279:
  br label %group6.end.1219
group6.end.1219:
  br label %joined.1066
joined.1066:
  ; group 7: candidates; 0 rows ahead; 0 more above, 0 below
  %r.1280 = add nsw i64 %s.65, 0
  %v1281 = icmp sge i64 %r.1280, %low7
  %v1282 = icmp slt i64 %r.1280, %high7
  %v1283 = and i1 %v1281, %v1282
  br i1 %v1283, label %group7.1284, label %group7.end.1285
group7.1284:
  %v1292 = urem i64 %r.1280, 3
  %v1293 = mul nsw i64 %v1292, 160
  %ring10.row.1294 = getelementptr float, ptr %ring10, i64 %v1293
  %v1313 = add i64 %r.1280, 1
  %v1314 = call i64 @llvm.abs.i64(i64 %v1313, i1 false)
  %v1315 = sub i64 94, %v1314
  %v1316 = call i64 @llvm.smin.i64(i64 %v1314, i64 %v1315)
  %v1317 = urem i64 %v1316, 3
  %v1318 = mul nsw i64 %v1317, 160
  %ring10.row.1319 = getelementptr float, ptr %ring10, i64 %v1318
  %v1323 = add i64 %r.1280, -1
  %v1324 = call i64 @llvm.abs.i64(i64 %v1323, i1 false)
  %v1325 = sub i64 94, %v1324
  %v1326 = call i64 @llvm.smin.i64(i64 %v1324, i64 %v1325)
  %v1327 = urem i64 %v1326, 3
  %v1328 = mul nsw i64 %v1327, 160
  %ring10.row.1329 = getelementptr float, ptr %ring10, i64 %v1328
  ; table:0
  %v1340 = getelementptr i8, ptr %args, i64 56
  %v1341 = load ptr, ptr %v1340, align 8
  ; count:0
  %v1342 = getelementptr i8, ptr %args, i64 64
  %v1343 = load ptr, ptr %v1342, align 8
  %v1344 = getelementptr i64, ptr %v1343, i64 %t.56
  %v1345 = mul i64 %t.56, 16384
  br label %scan.1346
scan.1346:
  %s.1349 = phi i64 [ 0, %group7.1284 ], [ %s.1349.next, %scan.next.1350 ]
  %v1351 = icmp slt i64 %s.1349, 64
  br i1 %v1351, label %scan.do.1347, label %scan.end.1348
scan.do.1347:
  %v1352 = getelementptr i8, ptr %ring13, i64 %s.1349
  %v1353 = load <64 x i8>, ptr %v1352, align 64
  %v1354 = icmp ne <64 x i8> %v1353, zeroinitializer
  %v1355 = bitcast <64 x i1> %v1354 to i64
  %v1356 = sub i64 64, %s.1349
  %v1357 = icmp slt i64 %v1356, 64
  %v1358 = select i1 %v1357, i64 %v1356, i64 0
  %v1359 = shl i64 1, %v1358
  %v1360 = sub i64 %v1359, 1
  %v1361 = select i1 %v1357, i64 %v1360, i64 -1
  %v1362 = and i64 %v1355, %v1361
  br label %pick.1363
pick.1363:
  %bits.1366 = phi i64 [ %v1362, %scan.do.1347 ], [ %bits.1366.next, %pick.next.1367 ]
  %v1368 = icmp ne i64 %bits.1366, 0
  br i1 %v1368, label %pick.do.1364, label %pick.end.1365
pick.do.1364:
  %v1369 = call i64 @llvm.cttz.i64(i64 %bits.1366, i1 true)
  %x.1286 = add i64 %s.1349, %v1369
  %v1370 = load i64, ptr %v1344, align 8
  %v1371 = add i64 %v1370, 1
  store i64 %v1371, ptr %v1344, align 8
  %v1372 = icmp slt i64 %v1370, 16384
  br i1 %v1372, label %keep.1373, label %keep.end.1374
keep.1373:
  %v1375 = add i64 %v1345, %v1370
  %v1376 = mul i64 %v1375, 20
  %entry.1287 = getelementptr i8, ptr %v1341, i64 %v1376
  %v1288 = trunc i64 %x.1286 to i32
  %v1289 = trunc i64 %r.1280 to i32
  %v1290 = getelementptr i8, ptr %entry.1287, i64 0
  store i32 %v1288, ptr %v1290, align 1
  %v1291 = getelementptr i8, ptr %entry.1287, i64 4
  store i32 %v1289, ptr %v1291, align 1
  %v1295 = getelementptr float, ptr %ring10.row.1294, i64 %x.1286
  %v1296 = load <1 x float>, ptr %v1295, align 4
  %v1297 = getelementptr i8, ptr %entry.1287, i64 8
  store <1 x float> %v1296, ptr %v1297, align 1
  %v1298 = getelementptr float, ptr %ring10.row.1294, i64 %x.1286
  %v1299 = getelementptr float, ptr %v1298, i64 1
  %v1300 = load <1 x float>, ptr %v1299, align 4
  %v1301 = fsub <1 x float> %v1296, %v1300
  %v1302 = getelementptr float, ptr %ring10.row.1294, i64 %x.1286
  %v1303 = getelementptr float, ptr %v1302, i64 -1
  %v1304 = load <1 x float>, ptr %v1303, align 4
  %v1305 = fsub <1 x float> %v1296, %v1304
  %v1306 = fadd <1 x float> %v1305, %v1301
  %v1307 = fsub <1 x float> %v1305, %v1301
  %v1308 = fdiv <1 x float> %v1307, %v1306
  %v1309 = fmul <1 x float> %v1308, splat (float 0x3FE0000000000000)
  %v1310 = fcmp olt <1 x float> splat (float 0x0000000000000000), %v1306
  %v1311 = select <1 x i1> %v1310, <1 x float> %v1309, <1 x float> splat (float 0x0000000000000000)
  %v1312 = getelementptr i8, ptr %entry.1287, i64 12
  store <1 x float> %v1311, ptr %v1312, align 1
  %v1320 = getelementptr float, ptr %ring10.row.1319, i64 %x.1286
  %v1321 = load <1 x float>, ptr %v1320, align 4
  %v1322 = fsub <1 x float> %v1296, %v1321
  %v1330 = getelementptr float, ptr %ring10.row.1329, i64 %x.1286
  %v1331 = load <1 x float>, ptr %v1330, align 4
  %v1332 = fsub <1 x float> %v1296, %v1331
  %v1333 = fadd <1 x float> %v1332, %v1322
  %v1334 = fsub <1 x float> %v1332, %v1322
  %v1335 = fdiv <1 x float> %v1334, %v1333
  %v1336 = fmul <1 x float> %v1335, splat (float 0x3FE0000000000000)
  %v1337 = fcmp olt <1 x float> splat (float 0x0000000000000000), %v1333
  %v1338 = select <1 x i1> %v1337, <1 x float> %v1336, <1 x float> splat (float 0x0000000000000000)
  %v1339 = getelementptr i8, ptr %entry.1287, i64 16
  store <1 x float> %v1338, ptr %v1339, align 1
  br label %keep.end.1374
keep.end.1374:
  br label %pick.next.1367
pick.next.1367:
  %v1377 = sub i64 %bits.1366, 1
  %bits.1366.next = and i64 %bits.1366, %v1377
  br label %pick.1363
pick.end.1365:
  br label %scan.next.1350
scan.next.1350:
  %s.1349.next = add nsw i64 %s.1349, 64
  br label %scan.1346
scan.end.1348:
  br label %group7.end.1285
group7.end.1285:
  br label %step.next.66
step.next.66:
  %s.65.next = add nsw i64 %s.65, 1
  br label %step.62
step.end.64:
  br label %t.next.57
t.next.57:
  %t.56.next = add nsw i64 %t.56, 1
  br label %t.53
t.end.55:
  ret void
}

declare <16 x float> @llvm.sqrt.v16f32(<16 x float>)
declare i64 @llvm.abs.i64(i64, i1)
declare i64 @llvm.cttz.i64(i64, i1)
declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.smin.i64(i64, i64)
declare void @llvm.prefetch.p0(ptr, i32, i32, i32)
