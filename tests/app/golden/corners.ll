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
;   ring4: i32, 1 row, reflect101 1 px left and 1 px right
;   ring5: i32, 1 row, reflect101 1 px left and 1 px right
;   ring6: i32, 1 row, reflect101 1 px left and 1 px right
;   ring7: i32, 2 rows
;   ring8: i32, 2 rows
;   ring9: i32, 2 rows
;   ring10: f32, 3 rows, reflect101 1 px left and 1 px right
;   ring11: i32, 2 rows, constant -2.1391e+09 1 px left and 1 px right
;   ring12: i32, 2 rows
;   ring13: bool, 1 row
;   row y+3, from 3 above the strip to 3 below, 32 pixels a vector:
;     ring1 = i16(in0[y, x])
;   row y, 64 pixels a vector:
;     gray.out = in0[y, x]
;   row y+3, from 3 above the strip to 3 below, 32 pixels a vector:
;     ring2 = (-ring1[y, x-1]) + ring1[y, x+1]
;     ring3 = (ring1[y, x-1] + (ring1[y, x] * 2)) + ring1[y, x+1]
;   row y+2, from 2 above the strip to 2 below, 32 pixels a vector:
;     t1 = i32((ring2[y-1, x]{reflect101} + (ring2[y, x] * 2)) + ring2[y+1, x]{reflect101})
;     ring4 = t1 * t1
;     t3 = i32((-ring3[y-1, x]{reflect101}) + ring3[y+1, x]{reflect101})
;     ring5 = t3 * t3
;     ring6 = t1 * t3
;   row y+2, from 2 above the strip to 2 below, 16 pixels a vector:
;     ring7 = (ring4[y, x-1] + ring4[y, x]) + ring4[y, x+1]
;     ring8 = (ring5[y, x-1] + ring5[y, x]) + ring5[y, x+1]
;     ring9 = (ring6[y, x-1] + ring6[y, x]) + ring6[y, x+1]
;   row y+1, from 1 above the strip to 1 below, 16 pixels a vector:
;     t1 = f32((ring7[y-1, x]{reflect101} + ring7[y, x]) + ring7[y+1, x]{reflect101}) * 1.0679653428269376e-07
;     t2 = f32((ring8[y-1, x]{reflect101} + ring8[y, x]) + ring8[y+1, x]{reflect101}) * 1.0679653428269376e-07
;     t3 = (t1 - t2) * 0.5
;     t4 = f32((ring9[y-1, x]{reflect101} + ring9[y, x]) + ring9[y+1, x]{reflect101}) * 1.0679653428269376e-07
;     ring10 = ((t1 + t2) * 0.5) - sqrt((t3 * t3) + (t4 * t4))
;     t6 = bits(ring10)
;     t7 = t6 >> 31
;     ring11 = ((t6 & 2147483647) ^ t7) - t7
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
  %v7 = sub i64 %first_row, 3
  %v8 = add i64 %last_row, 3
  %low0 = call i64 @llvm.smax.i64(i64 %v7, i64 0)
  %high0 = call i64 @llvm.smin.i64(i64 %v8, i64 48)
  %v9 = sub i64 %first_row, 0
  %v10 = add i64 %last_row, 0
  %low1 = call i64 @llvm.smax.i64(i64 %v9, i64 0)
  %high1 = call i64 @llvm.smin.i64(i64 %v10, i64 48)
  %v11 = sub i64 %first_row, 3
  %v12 = add i64 %last_row, 3
  %low2 = call i64 @llvm.smax.i64(i64 %v11, i64 0)
  %high2 = call i64 @llvm.smin.i64(i64 %v12, i64 48)
  %v13 = sub i64 %first_row, 2
  %v14 = add i64 %last_row, 2
  %low3 = call i64 @llvm.smax.i64(i64 %v13, i64 0)
  %high3 = call i64 @llvm.smin.i64(i64 %v14, i64 48)
  %v15 = sub i64 %first_row, 2
  %v16 = add i64 %last_row, 2
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
  %v25 = sub i64 %low0, 3
  %v26 = sub i64 %low1, 0
  %v27 = sub i64 %low2, 3
  %v28 = sub i64 %low3, 2
  %v29 = sub i64 %low4, 2
  %v30 = sub i64 %low5, 1
  %v31 = sub i64 %low6, 1
  %v32 = sub i64 %low7, 0
  %v33 = sub i64 %low8, 0
  %v34 = sub i64 %high0, 3
  %v35 = sub i64 %high1, 0
  %v36 = sub i64 %high2, 3
  %v37 = sub i64 %high3, 2
  %v38 = sub i64 %high4, 2
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
  %ring8 = getelementptr i8, ptr %scratch, i64 4224
  %ring9 = getelementptr i8, ptr %scratch, i64 5120
  %ring10 = getelementptr i8, ptr %scratch, i64 6144
  %ring11 = getelementptr i8, ptr %scratch, i64 8064
  %ring12 = getelementptr i8, ptr %scratch, i64 9216
  %ring13 = getelementptr i8, ptr %scratch, i64 10112
  %v794 = getelementptr i8, ptr %args, i64 48
  %param.795 = load float, ptr %v794, align 8
  %v796 = insertelement <16 x float> poison, float %param.795, i64 0
  %v797 = shufflevector <16 x float> %v796, <16 x float> poison, <16 x i32> zeroinitializer
  br label %t.59
t.59:
  %t.62 = phi i64 [ 0, %entry ], [ %t.62.next, %t.next.63 ]
  %v64 = icmp slt i64 %t.62, %frames
  br i1 %v64, label %t.do.60, label %t.end.61
t.do.60:
  %v1042 = mul i64 %frames, 0
  %v1043 = add i64 %v1042, %t.62
  %v1044 = getelementptr ptr, ptr %images, i64 %v1043
  %input0 = load ptr, ptr %v1044, align 8
  %v1045 = mul i64 %frames, 1
  %v1046 = add i64 %v1045, %t.62
  %v1047 = getelementptr ptr, ptr %images, i64 %v1046
  %output0 = load ptr, ptr %v1047, align 8
  %v65 = icmp eq i64 %t.62, 0
  %v66 = icmp ne i64 %is_first, 0
  %v67 = and i1 %v65, %v66
  br label %step.68
step.68:
  %s.71 = phi i64 [ %v50, %t.do.60 ], [ %s.71.next, %step.next.72 ]
  %v73 = icmp slt i64 %s.71, %v58
  br i1 %v73, label %step.do.69, label %step.end.70
step.do.69:
  ; group 0: plane ring1; 3 rows ahead; 3 more above, 3 below
  %r.74 = add nsw i64 %s.71, 3
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
  ; group 2: plane ring2, plane ring3; 3 rows ahead; 3 more above, 3 below
  %r.122 = add nsw i64 %s.71, 3
  %v123 = icmp sge i64 %r.122, %low2
  %v124 = icmp slt i64 %r.122, %high2
  %v125 = and i1 %v123, %v124
  ; group 3: plane ring4, plane ring5, plane ring6; 2 rows ahead; 2 more above, 2 below
  %r.126 = add nsw i64 %s.71, 2
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
  %v236 = getelementptr i32, ptr %ring4, i64 1
  %v237 = load i32, ptr %v236
  %v238 = getelementptr i32, ptr %ring4, i64 -1
  store i32 %v237, ptr %v238
  %v239 = getelementptr i32, ptr %ring4, i64 62
  %v240 = load i32, ptr %v239
  %v241 = getelementptr i32, ptr %ring4, i64 64
  store i32 %v240, ptr %v241
  %v242 = getelementptr i32, ptr %ring5, i64 1
  %v243 = load i32, ptr %v242
  %v244 = getelementptr i32, ptr %ring5, i64 -1
  store i32 %v243, ptr %v244
  %v245 = getelementptr i32, ptr %ring5, i64 62
  %v246 = load i32, ptr %v245
  %v247 = getelementptr i32, ptr %ring5, i64 64
  store i32 %v246, ptr %v247
  %v248 = getelementptr i32, ptr %ring6, i64 1
  %v249 = load i32, ptr %v248
  %v250 = getelementptr i32, ptr %ring6, i64 -1
  store i32 %v249, ptr %v250
  %v251 = getelementptr i32, ptr %ring6, i64 62
  %v252 = load i32, ptr %v251
  %v253 = getelementptr i32, ptr %ring6, i64 64
  store i32 %v252, ptr %v253
  br label %joined.135
apart.134:
  ; group 2: plane ring2, plane ring3; 3 rows ahead; 3 more above, 3 below
  %r.254 = add nsw i64 %s.71, 3
  %v255 = icmp sge i64 %r.254, %low2
  %v256 = icmp slt i64 %r.254, %high2
  %v257 = and i1 %v255, %v256
  br i1 %v257, label %group2.258, label %group2.end.259
group2.258:
  %v260 = icmp sge i64 %r.254, %first_row
  %v261 = icmp slt i64 %r.254, %last_row
  %v262 = and i1 %v260, %v261
  %v269 = load <32 x i16>, ptr %ring1, align 64
  %v270 = shufflevector <32 x i16> %v269, <32 x i16> poison, <32 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 1>
  %v271 = load <32 x i16>, ptr %ring1, align 64
  %v279 = urem i64 %r.254, 2
  %v280 = mul nsw i64 %v279, 128
  %ring2.row.281 = getelementptr i16, ptr %ring2, i64 %v280
  %v283 = urem i64 %r.254, 2
  %v284 = mul nsw i64 %v283, 128
  %ring3.row.285 = getelementptr i16, ptr %ring3, i64 %v284
  br label %across.287
across.287:
  %x.263 = phi i64 [ 0, %group2.258 ], [ %x.263.next, %across.287 ]
  %before.264 = phi <32 x i16> [ %v270, %group2.258 ], [ %here.265, %across.287 ]
  %here.265 = phi <32 x i16> [ %v271, %group2.258 ], [ %v268, %across.287 ]
  %v266 = getelementptr i16, ptr %ring1, i64 %x.263
  %v267 = getelementptr i16, ptr %v266, i64 32
  %v268 = load <32 x i16>, ptr %v267, align 64
  %v272 = shufflevector <32 x i16> %here.265, <32 x i16> %v268, <32 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31, i32 32>
  %v273 = shufflevector <32 x i16> %before.264, <32 x i16> %here.265, <32 x i32> <i32 31, i32 32, i32 33, i32 34, i32 35, i32 36, i32 37, i32 38, i32 39, i32 40, i32 41, i32 42, i32 43, i32 44, i32 45, i32 46, i32 47, i32 48, i32 49, i32 50, i32 51, i32 52, i32 53, i32 54, i32 55, i32 56, i32 57, i32 58, i32 59, i32 60, i32 61, i32 62>
  %v274 = sub <32 x i16> zeroinitializer, %v273
  %v275 = add <32 x i16> %v274, %v272
  %v276 = mul <32 x i16> %here.265, splat (i16 2)
  %v277 = add <32 x i16> %v273, %v276
  %v278 = add <32 x i16> %v277, %v272
  %v282 = getelementptr i16, ptr %ring2.row.281, i64 %x.263
  store <32 x i16> %v275, ptr %v282, align 64
  %v286 = getelementptr i16, ptr %ring3.row.285, i64 %x.263
  store <32 x i16> %v278, ptr %v286, align 64
  %x.263.next = add nuw nsw i64 %x.263, 32
  %x.263.more = icmp ult i64 %x.263.next, 64
  br i1 %x.263.more, label %across.287, label %across.end.288
across.end.288:
  br label %group2.end.259
group2.end.259:
  ; group 3: plane ring4, plane ring5, plane ring6; 2 rows ahead; 2 more above, 2 below
  %r.289 = add nsw i64 %s.71, 2
  %v290 = icmp sge i64 %r.289, %low3
  %v291 = icmp slt i64 %r.289, %high3
  %v292 = and i1 %v290, %v291
  br i1 %v292, label %group3.293, label %group3.end.294
group3.293:
  %v295 = icmp sge i64 %r.289, %first_row
  %v296 = icmp slt i64 %r.289, %last_row
  %v297 = and i1 %v295, %v296
  %v299 = add i64 %r.289, 1
  %v300 = call i64 @llvm.abs.i64(i64 %v299, i1 false)
  %v301 = sub i64 94, %v300
  %v302 = call i64 @llvm.smin.i64(i64 %v300, i64 %v301)
  %v303 = urem i64 %v302, 2
  %v304 = mul nsw i64 %v303, 128
  %ring2.row.305 = getelementptr i16, ptr %ring2, i64 %v304
  %v308 = urem i64 %r.289, 2
  %v309 = mul nsw i64 %v308, 128
  %ring2.row.310 = getelementptr i16, ptr %ring2, i64 %v309
  %v314 = add i64 %r.289, -1
  %v315 = call i64 @llvm.abs.i64(i64 %v314, i1 false)
  %v316 = sub i64 94, %v315
  %v317 = call i64 @llvm.smin.i64(i64 %v315, i64 %v316)
  %v318 = urem i64 %v317, 2
  %v319 = mul nsw i64 %v318, 128
  %ring2.row.320 = getelementptr i16, ptr %ring2, i64 %v319
  %v327 = add i64 %r.289, 1
  %v328 = call i64 @llvm.abs.i64(i64 %v327, i1 false)
  %v329 = sub i64 94, %v328
  %v330 = call i64 @llvm.smin.i64(i64 %v328, i64 %v329)
  %v331 = urem i64 %v330, 2
  %v332 = mul nsw i64 %v331, 128
  %ring3.row.333 = getelementptr i16, ptr %ring3, i64 %v332
  %v336 = add i64 %r.289, -1
  %v337 = call i64 @llvm.abs.i64(i64 %v336, i1 false)
  %v338 = sub i64 94, %v337
  %v339 = call i64 @llvm.smin.i64(i64 %v337, i64 %v338)
  %v340 = urem i64 %v339, 2
  %v341 = mul nsw i64 %v340, 128
  %ring3.row.342 = getelementptr i16, ptr %ring3, i64 %v341
  br label %across.353
across.353:
  %x.298 = phi i64 [ 0, %group3.293 ], [ %x.298.next, %across.353 ]
  %v306 = getelementptr i16, ptr %ring2.row.305, i64 %x.298
  %v307 = load <32 x i16>, ptr %v306, align 64
  %v311 = getelementptr i16, ptr %ring2.row.310, i64 %x.298
  %v312 = load <32 x i16>, ptr %v311, align 64
  %v313 = mul <32 x i16> %v312, splat (i16 2)
  %v321 = getelementptr i16, ptr %ring2.row.320, i64 %x.298
  %v322 = load <32 x i16>, ptr %v321, align 64
  %v323 = add <32 x i16> %v322, %v313
  %v324 = add <32 x i16> %v323, %v307
  %v325 = sext <32 x i16> %v324 to <32 x i32>
  %v326 = mul <32 x i32> %v325, %v325
  %v334 = getelementptr i16, ptr %ring3.row.333, i64 %x.298
  %v335 = load <32 x i16>, ptr %v334, align 64
  %v343 = getelementptr i16, ptr %ring3.row.342, i64 %x.298
  %v344 = load <32 x i16>, ptr %v343, align 64
  %v345 = sub <32 x i16> zeroinitializer, %v344
  %v346 = add <32 x i16> %v345, %v335
  %v347 = sext <32 x i16> %v346 to <32 x i32>
  %v348 = mul <32 x i32> %v347, %v347
  %v349 = mul <32 x i32> %v325, %v347
  %v350 = getelementptr i32, ptr %ring4, i64 %x.298
  store <32 x i32> %v326, ptr %v350, align 64
  %v351 = getelementptr i32, ptr %ring5, i64 %x.298
  store <32 x i32> %v348, ptr %v351, align 64
  %v352 = getelementptr i32, ptr %ring6, i64 %x.298
  store <32 x i32> %v349, ptr %v352, align 64
  %x.298.next = add nuw nsw i64 %x.298, 32
  %x.298.more = icmp ult i64 %x.298.next, 64
  br i1 %x.298.more, label %across.353, label %across.end.354
across.end.354:
  %v355 = getelementptr i32, ptr %ring4, i64 1
  %v356 = load i32, ptr %v355
  %v357 = getelementptr i32, ptr %ring4, i64 -1
  store i32 %v356, ptr %v357
  %v358 = getelementptr i32, ptr %ring4, i64 62
  %v359 = load i32, ptr %v358
  %v360 = getelementptr i32, ptr %ring4, i64 64
  store i32 %v359, ptr %v360
  %v361 = getelementptr i32, ptr %ring5, i64 1
  %v362 = load i32, ptr %v361
  %v363 = getelementptr i32, ptr %ring5, i64 -1
  store i32 %v362, ptr %v363
  %v364 = getelementptr i32, ptr %ring5, i64 62
  %v365 = load i32, ptr %v364
  %v366 = getelementptr i32, ptr %ring5, i64 64
  store i32 %v365, ptr %v366
  %v367 = getelementptr i32, ptr %ring6, i64 1
  %v368 = load i32, ptr %v367
  %v369 = getelementptr i32, ptr %ring6, i64 -1
  store i32 %v368, ptr %v369
  %v370 = getelementptr i32, ptr %ring6, i64 62
  %v371 = load i32, ptr %v370
  %v372 = getelementptr i32, ptr %ring6, i64 64
  store i32 %v371, ptr %v372
  br label %group3.end.294
group3.end.294:
  br label %joined.135
joined.135:
  ; group 4: plane ring7, plane ring8, plane ring9; 2 rows ahead; 2 more above, 2 below
  %r.373 = add nsw i64 %s.71, 2
  %v374 = icmp sge i64 %r.373, %low4
  %v375 = icmp slt i64 %r.373, %high4
  %v376 = and i1 %v374, %v375
  ; group 5: plane ring10, plane ring11; 1 rows ahead; 1 more above, 1 below
  %r.377 = add nsw i64 %s.71, 1
  %v378 = icmp sge i64 %r.377, %low5
  %v379 = icmp slt i64 %r.377, %high5
  %v380 = and i1 %v378, %v379
  %v381 = icmp sge i64 %r.377, 1
  %v382 = and i1 %v376, %v380
  %v383 = and i1 %v381, %v382
  br i1 %v383, label %together.384, label %apart.385
together.384:
  %v387 = icmp sge i64 %r.373, %first_row
  %v388 = icmp slt i64 %r.373, %last_row
  %v389 = and i1 %v387, %v388
  %v399 = load <16 x i32>, ptr %ring4, align 64
  %v400 = shufflevector <16 x i32> %v399, <16 x i32> poison, <16 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 1>
  %v401 = load <16 x i32>, ptr %ring4, align 64
  %v411 = load <16 x i32>, ptr %ring5, align 64
  %v412 = shufflevector <16 x i32> %v411, <16 x i32> poison, <16 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 1>
  %v413 = load <16 x i32>, ptr %ring5, align 64
  %v423 = load <16 x i32>, ptr %ring6, align 64
  %v424 = shufflevector <16 x i32> %v423, <16 x i32> poison, <16 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 1>
  %v425 = load <16 x i32>, ptr %ring6, align 64
  %v501 = urem i64 %r.373, 2
  %v502 = mul nsw i64 %v501, 112
  %ring7.row.503 = getelementptr i32, ptr %ring7, i64 %v502
  %v505 = urem i64 %r.373, 2
  %v506 = mul nsw i64 %v505, 112
  %ring8.row.507 = getelementptr i32, ptr %ring8, i64 %v506
  %v509 = urem i64 %r.373, 2
  %v510 = mul nsw i64 %v509, 112
  %ring9.row.511 = getelementptr i32, ptr %ring9, i64 %v510
  %v390 = icmp sge i64 %r.377, %first_row
  %v391 = icmp slt i64 %r.377, %last_row
  %v392 = and i1 %v390, %v391
  %v430 = urem i64 %r.377, 2
  %v431 = mul nsw i64 %v430, 112
  %ring9.row.432 = getelementptr i32, ptr %ring9, i64 %v431
  %v435 = add i64 %r.377, -1
  %v436 = call i64 @llvm.abs.i64(i64 %v435, i1 false)
  %v437 = sub i64 94, %v436
  %v438 = call i64 @llvm.smin.i64(i64 %v436, i64 %v437)
  %v439 = urem i64 %v438, 2
  %v440 = mul nsw i64 %v439, 112
  %ring9.row.441 = getelementptr i32, ptr %ring9, i64 %v440
  %v449 = urem i64 %r.377, 2
  %v450 = mul nsw i64 %v449, 112
  %ring8.row.451 = getelementptr i32, ptr %ring8, i64 %v450
  %v454 = add i64 %r.377, -1
  %v455 = call i64 @llvm.abs.i64(i64 %v454, i1 false)
  %v456 = sub i64 94, %v455
  %v457 = call i64 @llvm.smin.i64(i64 %v455, i64 %v456)
  %v458 = urem i64 %v457, 2
  %v459 = mul nsw i64 %v458, 112
  %ring8.row.460 = getelementptr i32, ptr %ring8, i64 %v459
  %v467 = urem i64 %r.377, 2
  %v468 = mul nsw i64 %v467, 112
  %ring7.row.469 = getelementptr i32, ptr %ring7, i64 %v468
  %v472 = add i64 %r.377, -1
  %v473 = call i64 @llvm.abs.i64(i64 %v472, i1 false)
  %v474 = sub i64 94, %v473
  %v475 = call i64 @llvm.smin.i64(i64 %v473, i64 %v474)
  %v476 = urem i64 %v475, 2
  %v477 = mul nsw i64 %v476, 112
  %ring7.row.478 = getelementptr i32, ptr %ring7, i64 %v477
  %v513 = urem i64 %r.377, 3
  %v514 = mul nsw i64 %v513, 160
  %ring10.row.515 = getelementptr float, ptr %ring10, i64 %v514
  %v517 = urem i64 %r.377, 2
  %v518 = mul nsw i64 %v517, 160
  %ring11.row.519 = getelementptr i32, ptr %ring11, i64 %v518
  br label %across.521
across.521:
  %x.393 = phi i64 [ 0, %together.384 ], [ %x.393.next, %across.521 ]
  %before.394 = phi <16 x i32> [ %v400, %together.384 ], [ %here.395, %across.521 ]
  %here.395 = phi <16 x i32> [ %v401, %together.384 ], [ %v398, %across.521 ]
  %before.406 = phi <16 x i32> [ %v412, %together.384 ], [ %here.407, %across.521 ]
  %here.407 = phi <16 x i32> [ %v413, %together.384 ], [ %v410, %across.521 ]
  %before.418 = phi <16 x i32> [ %v424, %together.384 ], [ %here.419, %across.521 ]
  %here.419 = phi <16 x i32> [ %v425, %together.384 ], [ %v422, %across.521 ]
  %v396 = getelementptr i32, ptr %ring4, i64 %x.393
  %v397 = getelementptr i32, ptr %v396, i64 16
  %v398 = load <16 x i32>, ptr %v397, align 64
  %v402 = shufflevector <16 x i32> %here.395, <16 x i32> %v398, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16>
  %v403 = shufflevector <16 x i32> %before.394, <16 x i32> %here.395, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v404 = add <16 x i32> %v403, %here.395
  %v405 = add <16 x i32> %v404, %v402
  %v408 = getelementptr i32, ptr %ring5, i64 %x.393
  %v409 = getelementptr i32, ptr %v408, i64 16
  %v410 = load <16 x i32>, ptr %v409, align 64
  %v414 = shufflevector <16 x i32> %here.407, <16 x i32> %v410, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16>
  %v415 = shufflevector <16 x i32> %before.406, <16 x i32> %here.407, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v416 = add <16 x i32> %v415, %here.407
  %v417 = add <16 x i32> %v416, %v414
  %v420 = getelementptr i32, ptr %ring6, i64 %x.393
  %v421 = getelementptr i32, ptr %v420, i64 16
  %v422 = load <16 x i32>, ptr %v421, align 64
  %v426 = shufflevector <16 x i32> %here.419, <16 x i32> %v422, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16>
  %v427 = shufflevector <16 x i32> %before.418, <16 x i32> %here.419, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v428 = add <16 x i32> %v427, %here.419
  %v429 = add <16 x i32> %v428, %v426
  %v433 = getelementptr i32, ptr %ring9.row.432, i64 %x.393
  %v434 = load <16 x i32>, ptr %v433, align 64
  %v442 = getelementptr i32, ptr %ring9.row.441, i64 %x.393
  %v443 = load <16 x i32>, ptr %v442, align 64
  %v444 = add <16 x i32> %v443, %v434
  %v445 = add <16 x i32> %v444, %v429
  %v446 = sitofp <16 x i32> %v445 to <16 x float>
  %v447 = fmul <16 x float> %v446, splat (float 0x3E7CAB0080000000)
  %v448 = fmul <16 x float> %v447, %v447
  %v452 = getelementptr i32, ptr %ring8.row.451, i64 %x.393
  %v453 = load <16 x i32>, ptr %v452, align 64
  %v461 = getelementptr i32, ptr %ring8.row.460, i64 %x.393
  %v462 = load <16 x i32>, ptr %v461, align 64
  %v463 = add <16 x i32> %v462, %v453
  %v464 = add <16 x i32> %v463, %v417
  %v465 = sitofp <16 x i32> %v464 to <16 x float>
  %v466 = fmul <16 x float> %v465, splat (float 0x3E7CAB0080000000)
  %v470 = getelementptr i32, ptr %ring7.row.469, i64 %x.393
  %v471 = load <16 x i32>, ptr %v470, align 64
  %v479 = getelementptr i32, ptr %ring7.row.478, i64 %x.393
  %v480 = load <16 x i32>, ptr %v479, align 64
  %v481 = add <16 x i32> %v480, %v471
  %v482 = add <16 x i32> %v481, %v405
  %v483 = sitofp <16 x i32> %v482 to <16 x float>
  %v484 = fmul <16 x float> %v483, splat (float 0x3E7CAB0080000000)
  %v485 = fsub <16 x float> %v484, %v466
  %v486 = fmul <16 x float> %v485, splat (float 0x3FE0000000000000)
  %v487 = fmul <16 x float> %v486, %v486
  %v488 = fadd <16 x float> %v487, %v448
  %v489 = call <16 x float> @llvm.sqrt.v16f32(<16 x float> %v488)
  %v490 = fadd <16 x float> %v484, %v466
  %v491 = fmul <16 x float> %v490, splat (float 0x3FE0000000000000)
  %v492 = fsub <16 x float> %v491, %v489
  %v493 = fcmp uno <16 x float> %v492, %v492
  %v494 = bitcast <16 x float> %v492 to <16 x i32>
  %v495 = select <16 x i1> %v493, <16 x i32> splat (i32 2143289344), <16 x i32> %v494
  %v496 = and <16 x i32> splat (i32 31), splat (i32 31)
  %v497 = ashr <16 x i32> %v495, %v496
  %v498 = and <16 x i32> %v495, splat (i32 2147483647)
  %v499 = xor <16 x i32> %v498, %v497
  %v500 = sub <16 x i32> %v499, %v497
  %v504 = getelementptr i32, ptr %ring7.row.503, i64 %x.393
  store <16 x i32> %v405, ptr %v504, align 64
  %v508 = getelementptr i32, ptr %ring8.row.507, i64 %x.393
  store <16 x i32> %v417, ptr %v508, align 64
  %v512 = getelementptr i32, ptr %ring9.row.511, i64 %x.393
  store <16 x i32> %v429, ptr %v512, align 64
  %v516 = getelementptr float, ptr %ring10.row.515, i64 %x.393
  store <16 x float> %v492, ptr %v516, align 64
  %v520 = getelementptr i32, ptr %ring11.row.519, i64 %x.393
  store <16 x i32> %v500, ptr %v520, align 64
  %x.393.next = add nuw nsw i64 %x.393, 16
  %x.393.more = icmp ult i64 %x.393.next, 64
  br i1 %x.393.more, label %across.521, label %across.end.522
across.end.522:
  %v523 = getelementptr float, ptr %ring10.row.515, i64 1
  %v524 = load float, ptr %v523
  %v525 = getelementptr float, ptr %ring10.row.515, i64 -1
  store float %v524, ptr %v525
  %v526 = getelementptr float, ptr %ring10.row.515, i64 62
  %v527 = load float, ptr %v526
  %v528 = getelementptr float, ptr %ring10.row.515, i64 64
  store float %v527, ptr %v528
  %v529 = getelementptr i32, ptr %ring11.row.519, i64 -1
  store i32 -2139095039, ptr %v529
  %v530 = getelementptr i32, ptr %ring11.row.519, i64 64
  store i32 -2139095039, ptr %v530
  br label %joined.386
apart.385:
  ; group 4: plane ring7, plane ring8, plane ring9; 2 rows ahead; 2 more above, 2 below
  %r.531 = add nsw i64 %s.71, 2
  %v532 = icmp sge i64 %r.531, %low4
  %v533 = icmp slt i64 %r.531, %high4
  %v534 = and i1 %v532, %v533
  br i1 %v534, label %group4.535, label %group4.end.536
group4.535:
  %v537 = icmp sge i64 %r.531, %first_row
  %v538 = icmp slt i64 %r.531, %last_row
  %v539 = and i1 %v537, %v538
  %v546 = load <16 x i32>, ptr %ring4, align 64
  %v547 = shufflevector <16 x i32> %v546, <16 x i32> poison, <16 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 1>
  %v548 = load <16 x i32>, ptr %ring4, align 64
  %v558 = load <16 x i32>, ptr %ring5, align 64
  %v559 = shufflevector <16 x i32> %v558, <16 x i32> poison, <16 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 1>
  %v560 = load <16 x i32>, ptr %ring5, align 64
  %v570 = load <16 x i32>, ptr %ring6, align 64
  %v571 = shufflevector <16 x i32> %v570, <16 x i32> poison, <16 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 1>
  %v572 = load <16 x i32>, ptr %ring6, align 64
  %v577 = urem i64 %r.531, 2
  %v578 = mul nsw i64 %v577, 112
  %ring7.row.579 = getelementptr i32, ptr %ring7, i64 %v578
  %v581 = urem i64 %r.531, 2
  %v582 = mul nsw i64 %v581, 112
  %ring8.row.583 = getelementptr i32, ptr %ring8, i64 %v582
  %v585 = urem i64 %r.531, 2
  %v586 = mul nsw i64 %v585, 112
  %ring9.row.587 = getelementptr i32, ptr %ring9, i64 %v586
  br label %across.589
across.589:
  %x.540 = phi i64 [ 0, %group4.535 ], [ %x.540.next, %across.589 ]
  %before.541 = phi <16 x i32> [ %v547, %group4.535 ], [ %here.542, %across.589 ]
  %here.542 = phi <16 x i32> [ %v548, %group4.535 ], [ %v545, %across.589 ]
  %before.553 = phi <16 x i32> [ %v559, %group4.535 ], [ %here.554, %across.589 ]
  %here.554 = phi <16 x i32> [ %v560, %group4.535 ], [ %v557, %across.589 ]
  %before.565 = phi <16 x i32> [ %v571, %group4.535 ], [ %here.566, %across.589 ]
  %here.566 = phi <16 x i32> [ %v572, %group4.535 ], [ %v569, %across.589 ]
  %v543 = getelementptr i32, ptr %ring4, i64 %x.540
  %v544 = getelementptr i32, ptr %v543, i64 16
  %v545 = load <16 x i32>, ptr %v544, align 64
  %v549 = shufflevector <16 x i32> %here.542, <16 x i32> %v545, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16>
  %v550 = shufflevector <16 x i32> %before.541, <16 x i32> %here.542, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v551 = add <16 x i32> %v550, %here.542
  %v552 = add <16 x i32> %v551, %v549
  %v555 = getelementptr i32, ptr %ring5, i64 %x.540
  %v556 = getelementptr i32, ptr %v555, i64 16
  %v557 = load <16 x i32>, ptr %v556, align 64
  %v561 = shufflevector <16 x i32> %here.554, <16 x i32> %v557, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16>
  %v562 = shufflevector <16 x i32> %before.553, <16 x i32> %here.554, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v563 = add <16 x i32> %v562, %here.554
  %v564 = add <16 x i32> %v563, %v561
  %v567 = getelementptr i32, ptr %ring6, i64 %x.540
  %v568 = getelementptr i32, ptr %v567, i64 16
  %v569 = load <16 x i32>, ptr %v568, align 64
  %v573 = shufflevector <16 x i32> %here.566, <16 x i32> %v569, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16>
  %v574 = shufflevector <16 x i32> %before.565, <16 x i32> %here.566, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v575 = add <16 x i32> %v574, %here.566
  %v576 = add <16 x i32> %v575, %v573
  %v580 = getelementptr i32, ptr %ring7.row.579, i64 %x.540
  store <16 x i32> %v552, ptr %v580, align 64
  %v584 = getelementptr i32, ptr %ring8.row.583, i64 %x.540
  store <16 x i32> %v564, ptr %v584, align 64
  %v588 = getelementptr i32, ptr %ring9.row.587, i64 %x.540
  store <16 x i32> %v576, ptr %v588, align 64
  %x.540.next = add nuw nsw i64 %x.540, 16
  %x.540.more = icmp ult i64 %x.540.next, 64
  br i1 %x.540.more, label %across.589, label %across.end.590
across.end.590:
  br label %group4.end.536
group4.end.536:
  ; group 5: plane ring10, plane ring11; 1 rows ahead; 1 more above, 1 below
  %r.591 = add nsw i64 %s.71, 1
  %v592 = icmp sge i64 %r.591, %low5
  %v593 = icmp slt i64 %r.591, %high5
  %v594 = and i1 %v592, %v593
  br i1 %v594, label %group5.595, label %group5.end.596
group5.595:
  %v597 = icmp sge i64 %r.591, %first_row
  %v598 = icmp slt i64 %r.591, %last_row
  %v599 = and i1 %v597, %v598
  %v601 = add i64 %r.591, 1
  %v602 = call i64 @llvm.abs.i64(i64 %v601, i1 false)
  %v603 = sub i64 94, %v602
  %v604 = call i64 @llvm.smin.i64(i64 %v602, i64 %v603)
  %v605 = urem i64 %v604, 2
  %v606 = mul nsw i64 %v605, 112
  %ring9.row.607 = getelementptr i32, ptr %ring9, i64 %v606
  %v610 = urem i64 %r.591, 2
  %v611 = mul nsw i64 %v610, 112
  %ring9.row.612 = getelementptr i32, ptr %ring9, i64 %v611
  %v615 = add i64 %r.591, -1
  %v616 = call i64 @llvm.abs.i64(i64 %v615, i1 false)
  %v617 = sub i64 94, %v616
  %v618 = call i64 @llvm.smin.i64(i64 %v616, i64 %v617)
  %v619 = urem i64 %v618, 2
  %v620 = mul nsw i64 %v619, 112
  %ring9.row.621 = getelementptr i32, ptr %ring9, i64 %v620
  %v629 = add i64 %r.591, 1
  %v630 = call i64 @llvm.abs.i64(i64 %v629, i1 false)
  %v631 = sub i64 94, %v630
  %v632 = call i64 @llvm.smin.i64(i64 %v630, i64 %v631)
  %v633 = urem i64 %v632, 2
  %v634 = mul nsw i64 %v633, 112
  %ring8.row.635 = getelementptr i32, ptr %ring8, i64 %v634
  %v638 = urem i64 %r.591, 2
  %v639 = mul nsw i64 %v638, 112
  %ring8.row.640 = getelementptr i32, ptr %ring8, i64 %v639
  %v643 = add i64 %r.591, -1
  %v644 = call i64 @llvm.abs.i64(i64 %v643, i1 false)
  %v645 = sub i64 94, %v644
  %v646 = call i64 @llvm.smin.i64(i64 %v644, i64 %v645)
  %v647 = urem i64 %v646, 2
  %v648 = mul nsw i64 %v647, 112
  %ring8.row.649 = getelementptr i32, ptr %ring8, i64 %v648
  %v656 = add i64 %r.591, 1
  %v657 = call i64 @llvm.abs.i64(i64 %v656, i1 false)
  %v658 = sub i64 94, %v657
  %v659 = call i64 @llvm.smin.i64(i64 %v657, i64 %v658)
  %v660 = urem i64 %v659, 2
  %v661 = mul nsw i64 %v660, 112
  %ring7.row.662 = getelementptr i32, ptr %ring7, i64 %v661
  %v665 = urem i64 %r.591, 2
  %v666 = mul nsw i64 %v665, 112
  %ring7.row.667 = getelementptr i32, ptr %ring7, i64 %v666
  %v670 = add i64 %r.591, -1
  %v671 = call i64 @llvm.abs.i64(i64 %v670, i1 false)
  %v672 = sub i64 94, %v671
  %v673 = call i64 @llvm.smin.i64(i64 %v671, i64 %v672)
  %v674 = urem i64 %v673, 2
  %v675 = mul nsw i64 %v674, 112
  %ring7.row.676 = getelementptr i32, ptr %ring7, i64 %v675
  %v699 = urem i64 %r.591, 3
  %v700 = mul nsw i64 %v699, 160
  %ring10.row.701 = getelementptr float, ptr %ring10, i64 %v700
  %v703 = urem i64 %r.591, 2
  %v704 = mul nsw i64 %v703, 160
  %ring11.row.705 = getelementptr i32, ptr %ring11, i64 %v704
  br label %across.707
across.707:
  %x.600 = phi i64 [ 0, %group5.595 ], [ %x.600.next, %across.707 ]
  %v608 = getelementptr i32, ptr %ring9.row.607, i64 %x.600
  %v609 = load <16 x i32>, ptr %v608, align 64
  %v613 = getelementptr i32, ptr %ring9.row.612, i64 %x.600
  %v614 = load <16 x i32>, ptr %v613, align 64
  %v622 = getelementptr i32, ptr %ring9.row.621, i64 %x.600
  %v623 = load <16 x i32>, ptr %v622, align 64
  %v624 = add <16 x i32> %v623, %v614
  %v625 = add <16 x i32> %v624, %v609
  %v626 = sitofp <16 x i32> %v625 to <16 x float>
  %v627 = fmul <16 x float> %v626, splat (float 0x3E7CAB0080000000)
  %v628 = fmul <16 x float> %v627, %v627
  %v636 = getelementptr i32, ptr %ring8.row.635, i64 %x.600
  %v637 = load <16 x i32>, ptr %v636, align 64
  %v641 = getelementptr i32, ptr %ring8.row.640, i64 %x.600
  %v642 = load <16 x i32>, ptr %v641, align 64
  %v650 = getelementptr i32, ptr %ring8.row.649, i64 %x.600
  %v651 = load <16 x i32>, ptr %v650, align 64
  %v652 = add <16 x i32> %v651, %v642
  %v653 = add <16 x i32> %v652, %v637
  %v654 = sitofp <16 x i32> %v653 to <16 x float>
  %v655 = fmul <16 x float> %v654, splat (float 0x3E7CAB0080000000)
  %v663 = getelementptr i32, ptr %ring7.row.662, i64 %x.600
  %v664 = load <16 x i32>, ptr %v663, align 64
  %v668 = getelementptr i32, ptr %ring7.row.667, i64 %x.600
  %v669 = load <16 x i32>, ptr %v668, align 64
  %v677 = getelementptr i32, ptr %ring7.row.676, i64 %x.600
  %v678 = load <16 x i32>, ptr %v677, align 64
  %v679 = add <16 x i32> %v678, %v669
  %v680 = add <16 x i32> %v679, %v664
  %v681 = sitofp <16 x i32> %v680 to <16 x float>
  %v682 = fmul <16 x float> %v681, splat (float 0x3E7CAB0080000000)
  %v683 = fsub <16 x float> %v682, %v655
  %v684 = fmul <16 x float> %v683, splat (float 0x3FE0000000000000)
  %v685 = fmul <16 x float> %v684, %v684
  %v686 = fadd <16 x float> %v685, %v628
  %v687 = call <16 x float> @llvm.sqrt.v16f32(<16 x float> %v686)
  %v688 = fadd <16 x float> %v682, %v655
  %v689 = fmul <16 x float> %v688, splat (float 0x3FE0000000000000)
  %v690 = fsub <16 x float> %v689, %v687
  %v691 = fcmp uno <16 x float> %v690, %v690
  %v692 = bitcast <16 x float> %v690 to <16 x i32>
  %v693 = select <16 x i1> %v691, <16 x i32> splat (i32 2143289344), <16 x i32> %v692
  %v694 = and <16 x i32> splat (i32 31), splat (i32 31)
  %v695 = ashr <16 x i32> %v693, %v694
  %v696 = and <16 x i32> %v693, splat (i32 2147483647)
  %v697 = xor <16 x i32> %v696, %v695
  %v698 = sub <16 x i32> %v697, %v695
  %v702 = getelementptr float, ptr %ring10.row.701, i64 %x.600
  store <16 x float> %v690, ptr %v702, align 64
  %v706 = getelementptr i32, ptr %ring11.row.705, i64 %x.600
  store <16 x i32> %v698, ptr %v706, align 64
  %x.600.next = add nuw nsw i64 %x.600, 16
  %x.600.more = icmp ult i64 %x.600.next, 64
  br i1 %x.600.more, label %across.707, label %across.end.708
across.end.708:
  %v709 = getelementptr float, ptr %ring10.row.701, i64 1
  %v710 = load float, ptr %v709
  %v711 = getelementptr float, ptr %ring10.row.701, i64 -1
  store float %v710, ptr %v711
  %v712 = getelementptr float, ptr %ring10.row.701, i64 62
  %v713 = load float, ptr %v712
  %v714 = getelementptr float, ptr %ring10.row.701, i64 64
  store float %v713, ptr %v714
  %v715 = getelementptr i32, ptr %ring11.row.705, i64 -1
  store i32 -2139095039, ptr %v715
  %v716 = getelementptr i32, ptr %ring11.row.705, i64 64
  store i32 -2139095039, ptr %v716
  br label %group5.end.596
group5.end.596:
  br label %joined.386
joined.386:
  ; group 6: plane ring12; 1 rows ahead; 1 more above, 1 below
  %r.717 = add nsw i64 %s.71, 1
  %v718 = icmp sge i64 %r.717, %low6
  %v719 = icmp slt i64 %r.717, %high6
  %v720 = and i1 %v718, %v719
  ; group 7: plane ring13; 0 rows ahead; 0 more above, 0 below
  %r.721 = add nsw i64 %s.71, 0
  %v722 = icmp sge i64 %r.721, %low7
  %v723 = icmp slt i64 %r.721, %high7
  %v724 = and i1 %v722, %v723
  %v725 = icmp sge i64 %r.721, 1
  %v726 = and i1 %v720, %v724
  %v727 = and i1 %v725, %v726
  br i1 %v727, label %together.728, label %apart.729
together.728:
  %v731 = icmp sge i64 %r.717, %first_row
  %v732 = icmp slt i64 %r.717, %last_row
  %v733 = and i1 %v731, %v732
  %v735 = urem i64 %r.717, 2
  %v736 = mul nsw i64 %v735, 160
  %ring11.row.737 = getelementptr i32, ptr %ring11, i64 %v736
  %v743 = load <16 x i32>, ptr %ring11.row.737, align 64
  %v744 = shufflevector <16 x i32> %v743, <16 x i32> splat (i32 -2139095039), <16 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 16>
  %v745 = load <16 x i32>, ptr %ring11.row.737, align 64
  %v801 = urem i64 %r.717, 2
  %v802 = mul nsw i64 %v801, 112
  %ring12.row.803 = getelementptr i32, ptr %ring12, i64 %v802
  %v752 = urem i64 %r.721, 2
  %v753 = mul nsw i64 %v752, 160
  %ring11.row.754 = getelementptr i32, ptr %ring11, i64 %v753
  %v757 = urem i64 %r.721, 2
  %v758 = mul nsw i64 %v757, 112
  %ring12.row.759 = getelementptr i32, ptr %ring12, i64 %v758
  %v770 = load <16 x i32>, ptr %ring11.row.754, align 64
  %v771 = shufflevector <16 x i32> %v770, <16 x i32> splat (i32 -2139095039), <16 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 16>
  %v772 = load <16 x i32>, ptr %ring11.row.754, align 64
  %v774 = add i64 %r.721, -1
  %v775 = icmp ult i64 %v774, 48
  %v776 = select i1 %v775, i64 %v774, i64 0
  %v777 = urem i64 %v776, 2
  %v778 = mul nsw i64 %v777, 112
  %ring12.row.779 = getelementptr i32, ptr %ring12, i64 %v778
  %v780 = getelementptr i8, ptr %scratch, i64 10304
  %ring12.row.781 = select i1 %v775, ptr %ring12.row.779, ptr %v780
  %v788 = urem i64 %r.721, 3
  %v789 = mul nsw i64 %v788, 160
  %ring10.row.790 = getelementptr float, ptr %ring10, i64 %v789
  br label %across.843
across.843:
  %x.734 = phi i64 [ 0, %together.728 ], [ %x.734.next, %across.843 ]
  %before.738 = phi <16 x i32> [ %v744, %together.728 ], [ %v742, %across.843 ]
  %here.739 = phi <16 x i32> [ %v745, %together.728 ], [ %v810, %across.843 ]
  %before.765 = phi <16 x i32> [ %v771, %together.728 ], [ %v769, %across.843 ]
  %here.766 = phi <16 x i32> [ %v772, %together.728 ], [ %v826, %across.843 ]
  %v740 = getelementptr i32, ptr %ring11.row.737, i64 %x.734
  %v741 = getelementptr i32, ptr %v740, i64 16
  %v742 = load <16 x i32>, ptr %v741, align 64
  %v746 = shufflevector <16 x i32> %here.739, <16 x i32> %v742, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16>
  %v747 = shufflevector <16 x i32> %before.738, <16 x i32> %here.739, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v748 = icmp sgt <16 x i32> %v747, %here.739
  %v749 = select <16 x i1> %v748, <16 x i32> %v747, <16 x i32> %here.739
  %v750 = icmp sgt <16 x i32> %v749, %v746
  %v751 = select <16 x i1> %v750, <16 x i32> %v749, <16 x i32> %v746
  %v755 = getelementptr i32, ptr %ring11.row.754, i64 %x.734
  %v756 = load <16 x i32>, ptr %v755, align 64
  %v760 = getelementptr i32, ptr %ring12.row.759, i64 %x.734
  %v761 = load <16 x i32>, ptr %v760, align 64
  %v762 = icmp sgt <16 x i32> %v761, %v751
  %v763 = select <16 x i1> %v762, <16 x i32> %v761, <16 x i32> %v751
  %v764 = icmp sle <16 x i32> %v763, %v756
  %v767 = getelementptr i32, ptr %ring11.row.754, i64 %x.734
  %v768 = getelementptr i32, ptr %v767, i64 16
  %v769 = load <16 x i32>, ptr %v768, align 64
  %v773 = shufflevector <16 x i32> %before.765, <16 x i32> %here.766, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v782 = getelementptr i32, ptr %ring12.row.781, i64 %x.734
  %v783 = load <16 x i32>, ptr %v782, align 64
  %v784 = icmp sgt <16 x i32> %v783, %v773
  %v785 = select <16 x i1> %v784, <16 x i32> %v783, <16 x i32> %v773
  %v786 = icmp slt <16 x i32> %v785, %v756
  %v787 = and <16 x i1> %v786, %v764
  %v791 = getelementptr float, ptr %ring10.row.790, i64 %x.734
  %v792 = load <16 x float>, ptr %v791, align 64
  %v793 = fcmp oeq <16 x float> %v792, %v792
  %v798 = fcmp olt <16 x float> %v797, %v792
  %v799 = and <16 x i1> %v798, %v793
  %v800 = and <16 x i1> %v799, %v787
  %v804 = getelementptr i32, ptr %ring12.row.803, i64 %x.734
  store <16 x i32> %v751, ptr %v804, align 64
  %v805 = getelementptr i8, ptr %ring13, i64 %x.734
  %v806 = zext <16 x i1> %v800 to <16 x i8>
  store <16 x i8> %v806, ptr %v805, align 16
  %v807 = add i64 %x.734, 16
  %v808 = getelementptr i32, ptr %ring11.row.737, i64 %v807
  %v809 = getelementptr i32, ptr %v808, i64 16
  %v810 = load <16 x i32>, ptr %v809, align 64
  %v811 = shufflevector <16 x i32> %v742, <16 x i32> %v810, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16>
  %v812 = shufflevector <16 x i32> %here.739, <16 x i32> %v742, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v813 = icmp sgt <16 x i32> %v812, %v742
  %v814 = select <16 x i1> %v813, <16 x i32> %v812, <16 x i32> %v742
  %v815 = icmp sgt <16 x i32> %v814, %v811
  %v816 = select <16 x i1> %v815, <16 x i32> %v814, <16 x i32> %v811
  %v817 = getelementptr i32, ptr %ring11.row.754, i64 %v807
  %v818 = load <16 x i32>, ptr %v817, align 64
  %v819 = getelementptr i32, ptr %ring12.row.759, i64 %v807
  %v820 = load <16 x i32>, ptr %v819, align 64
  %v821 = icmp sgt <16 x i32> %v820, %v816
  %v822 = select <16 x i1> %v821, <16 x i32> %v820, <16 x i32> %v816
  %v823 = icmp sle <16 x i32> %v822, %v818
  %v824 = getelementptr i32, ptr %ring11.row.754, i64 %v807
  %v825 = getelementptr i32, ptr %v824, i64 16
  %v826 = load <16 x i32>, ptr %v825, align 64
  %v827 = shufflevector <16 x i32> %here.766, <16 x i32> %v769, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v828 = getelementptr i32, ptr %ring12.row.781, i64 %v807
  %v829 = load <16 x i32>, ptr %v828, align 64
  %v830 = icmp sgt <16 x i32> %v829, %v827
  %v831 = select <16 x i1> %v830, <16 x i32> %v829, <16 x i32> %v827
  %v832 = icmp slt <16 x i32> %v831, %v818
  %v833 = and <16 x i1> %v832, %v823
  %v834 = getelementptr float, ptr %ring10.row.790, i64 %v807
  %v835 = load <16 x float>, ptr %v834, align 64
  %v836 = fcmp oeq <16 x float> %v835, %v835
  %v837 = fcmp olt <16 x float> %v797, %v835
  %v838 = and <16 x i1> %v837, %v836
  %v839 = and <16 x i1> %v838, %v833
  %v840 = getelementptr i32, ptr %ring12.row.803, i64 %v807
  store <16 x i32> %v816, ptr %v840, align 64
  %v841 = getelementptr i8, ptr %ring13, i64 %v807
  %v842 = zext <16 x i1> %v839 to <16 x i8>
  store <16 x i8> %v842, ptr %v841, align 16
  %x.734.next = add nuw nsw i64 %x.734, 32
  %x.734.more = icmp ult i64 %x.734.next, 64
  br i1 %x.734.more, label %across.843, label %across.end.844
across.end.844:
  br label %joined.730
apart.729:
  ; group 6: plane ring12; 1 rows ahead; 1 more above, 1 below
  %r.845 = add nsw i64 %s.71, 1
  %v846 = icmp sge i64 %r.845, %low6
  %v847 = icmp slt i64 %r.845, %high6
  %v848 = and i1 %v846, %v847
  br i1 %v848, label %group6.849, label %group6.end.850
group6.849:
  %v851 = icmp sge i64 %r.845, %first_row
  %v852 = icmp slt i64 %r.845, %last_row
  %v853 = and i1 %v851, %v852
  %v855 = urem i64 %r.845, 2
  %v856 = mul nsw i64 %v855, 160
  %ring11.row.857 = getelementptr i32, ptr %ring11, i64 %v856
  %v863 = load <16 x i32>, ptr %ring11.row.857, align 64
  %v864 = shufflevector <16 x i32> %v863, <16 x i32> splat (i32 -2139095039), <16 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 16>
  %v865 = load <16 x i32>, ptr %ring11.row.857, align 64
  %v872 = urem i64 %r.845, 2
  %v873 = mul nsw i64 %v872, 112
  %ring12.row.874 = getelementptr i32, ptr %ring12, i64 %v873
  br label %across.876
across.876:
  %x.854 = phi i64 [ 0, %group6.849 ], [ %x.854.next, %across.876 ]
  %before.858 = phi <16 x i32> [ %v864, %group6.849 ], [ %here.859, %across.876 ]
  %here.859 = phi <16 x i32> [ %v865, %group6.849 ], [ %v862, %across.876 ]
  %v860 = getelementptr i32, ptr %ring11.row.857, i64 %x.854
  %v861 = getelementptr i32, ptr %v860, i64 16
  %v862 = load <16 x i32>, ptr %v861, align 64
  %v866 = shufflevector <16 x i32> %here.859, <16 x i32> %v862, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16>
  %v867 = shufflevector <16 x i32> %before.858, <16 x i32> %here.859, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v868 = icmp sgt <16 x i32> %v867, %here.859
  %v869 = select <16 x i1> %v868, <16 x i32> %v867, <16 x i32> %here.859
  %v870 = icmp sgt <16 x i32> %v869, %v866
  %v871 = select <16 x i1> %v870, <16 x i32> %v869, <16 x i32> %v866
  %v875 = getelementptr i32, ptr %ring12.row.874, i64 %x.854
  store <16 x i32> %v871, ptr %v875, align 64
  %x.854.next = add nuw nsw i64 %x.854, 16
  %x.854.more = icmp ult i64 %x.854.next, 64
  br i1 %x.854.more, label %across.876, label %across.end.877
across.end.877:
  br label %group6.end.850
group6.end.850:
  ; group 7: plane ring13; 0 rows ahead; 0 more above, 0 below
  %r.878 = add nsw i64 %s.71, 0
  %v879 = icmp sge i64 %r.878, %low7
  %v880 = icmp slt i64 %r.878, %high7
  %v881 = and i1 %v879, %v880
  br i1 %v881, label %group7.882, label %group7.end.883
group7.882:
  %v885 = urem i64 %r.878, 2
  %v886 = mul nsw i64 %v885, 160
  %ring11.row.887 = getelementptr i32, ptr %ring11, i64 %v886
  %v890 = add i64 %r.878, 1
  %v891 = icmp ult i64 %v890, 48
  %v892 = select i1 %v891, i64 %v890, i64 0
  %v893 = urem i64 %v892, 2
  %v894 = mul nsw i64 %v893, 112
  %ring12.row.895 = getelementptr i32, ptr %ring12, i64 %v894
  %v896 = getelementptr i8, ptr %scratch, i64 10304
  %ring12.row.897 = select i1 %v891, ptr %ring12.row.895, ptr %v896
  %v900 = urem i64 %r.878, 2
  %v901 = mul nsw i64 %v900, 112
  %ring12.row.902 = getelementptr i32, ptr %ring12, i64 %v901
  %v913 = load <16 x i32>, ptr %ring11.row.887, align 64
  %v914 = shufflevector <16 x i32> %v913, <16 x i32> splat (i32 -2139095039), <16 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 16>
  %v915 = load <16 x i32>, ptr %ring11.row.887, align 64
  %v917 = add i64 %r.878, -1
  %v918 = icmp ult i64 %v917, 48
  %v919 = select i1 %v918, i64 %v917, i64 0
  %v920 = urem i64 %v919, 2
  %v921 = mul nsw i64 %v920, 112
  %ring12.row.922 = getelementptr i32, ptr %ring12, i64 %v921
  %v923 = getelementptr i8, ptr %scratch, i64 10304
  %ring12.row.924 = select i1 %v918, ptr %ring12.row.922, ptr %v923
  %v931 = urem i64 %r.878, 3
  %v932 = mul nsw i64 %v931, 160
  %ring10.row.933 = getelementptr float, ptr %ring10, i64 %v932
  br label %across.942
across.942:
  %x.884 = phi i64 [ 0, %group7.882 ], [ %x.884.next, %across.942 ]
  %before.908 = phi <16 x i32> [ %v914, %group7.882 ], [ %here.909, %across.942 ]
  %here.909 = phi <16 x i32> [ %v915, %group7.882 ], [ %v912, %across.942 ]
  %v888 = getelementptr i32, ptr %ring11.row.887, i64 %x.884
  %v889 = load <16 x i32>, ptr %v888, align 64
  %v898 = getelementptr i32, ptr %ring12.row.897, i64 %x.884
  %v899 = load <16 x i32>, ptr %v898, align 64
  %v903 = getelementptr i32, ptr %ring12.row.902, i64 %x.884
  %v904 = load <16 x i32>, ptr %v903, align 64
  %v905 = icmp sgt <16 x i32> %v904, %v899
  %v906 = select <16 x i1> %v905, <16 x i32> %v904, <16 x i32> %v899
  %v907 = icmp sle <16 x i32> %v906, %v889
  %v910 = getelementptr i32, ptr %ring11.row.887, i64 %x.884
  %v911 = getelementptr i32, ptr %v910, i64 16
  %v912 = load <16 x i32>, ptr %v911, align 64
  %v916 = shufflevector <16 x i32> %before.908, <16 x i32> %here.909, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v925 = getelementptr i32, ptr %ring12.row.924, i64 %x.884
  %v926 = load <16 x i32>, ptr %v925, align 64
  %v927 = icmp sgt <16 x i32> %v926, %v916
  %v928 = select <16 x i1> %v927, <16 x i32> %v926, <16 x i32> %v916
  %v929 = icmp slt <16 x i32> %v928, %v889
  %v930 = and <16 x i1> %v929, %v907
  %v934 = getelementptr float, ptr %ring10.row.933, i64 %x.884
  %v935 = load <16 x float>, ptr %v934, align 64
  %v936 = fcmp oeq <16 x float> %v935, %v935
  %v937 = fcmp olt <16 x float> %v797, %v935
  %v938 = and <16 x i1> %v937, %v936
  %v939 = and <16 x i1> %v938, %v930
  %v940 = getelementptr i8, ptr %ring13, i64 %x.884
  %v941 = zext <16 x i1> %v939 to <16 x i8>
  store <16 x i8> %v941, ptr %v940, align 16
  %x.884.next = add nuw nsw i64 %x.884, 16
  %x.884.more = icmp ult i64 %x.884.next, 64
  br i1 %x.884.more, label %across.942, label %across.end.943
across.end.943:
  br label %group7.end.883
group7.end.883:
  br label %joined.730
joined.730:
  ; group 8: candidates; 0 rows ahead; 0 more above, 0 below
  %r.944 = add nsw i64 %s.71, 0
  %v945 = icmp sge i64 %r.944, %low8
  %v946 = icmp slt i64 %r.944, %high8
  %v947 = and i1 %v945, %v946
  br i1 %v947, label %group8.948, label %group8.end.949
group8.948:
  %v956 = urem i64 %r.944, 3
  %v957 = mul nsw i64 %v956, 160
  %ring10.row.958 = getelementptr float, ptr %ring10, i64 %v957
  %v977 = add i64 %r.944, 1
  %v978 = call i64 @llvm.abs.i64(i64 %v977, i1 false)
  %v979 = sub i64 94, %v978
  %v980 = call i64 @llvm.smin.i64(i64 %v978, i64 %v979)
  %v981 = urem i64 %v980, 3
  %v982 = mul nsw i64 %v981, 160
  %ring10.row.983 = getelementptr float, ptr %ring10, i64 %v982
  %v987 = add i64 %r.944, -1
  %v988 = call i64 @llvm.abs.i64(i64 %v987, i1 false)
  %v989 = sub i64 94, %v988
  %v990 = call i64 @llvm.smin.i64(i64 %v988, i64 %v989)
  %v991 = urem i64 %v990, 3
  %v992 = mul nsw i64 %v991, 160
  %ring10.row.993 = getelementptr float, ptr %ring10, i64 %v992
  ; table:1
  %v1004 = getelementptr i8, ptr %args, i64 56
  %v1005 = load ptr, ptr %v1004, align 8
  ; count:1
  %v1006 = getelementptr i8, ptr %args, i64 64
  %v1007 = load ptr, ptr %v1006, align 8
  %v1008 = getelementptr i64, ptr %v1007, i64 %t.62
  %v1009 = mul i64 %t.62, 16384
  br label %scan.1010
scan.1010:
  %s.1013 = phi i64 [ 0, %group8.948 ], [ %s.1013.next, %scan.next.1014 ]
  %v1015 = icmp slt i64 %s.1013, 64
  br i1 %v1015, label %scan.do.1011, label %scan.end.1012
scan.do.1011:
  %v1016 = getelementptr i8, ptr %ring13, i64 %s.1013
  %v1017 = load <64 x i8>, ptr %v1016, align 64
  %v1018 = icmp ne <64 x i8> %v1017, zeroinitializer
  %v1019 = bitcast <64 x i1> %v1018 to i64
  %v1020 = sub i64 64, %s.1013
  %v1021 = icmp slt i64 %v1020, 64
  %v1022 = select i1 %v1021, i64 %v1020, i64 0
  %v1023 = shl i64 1, %v1022
  %v1024 = sub i64 %v1023, 1
  %v1025 = select i1 %v1021, i64 %v1024, i64 -1
  %v1026 = and i64 %v1019, %v1025
  br label %pick.1027
pick.1027:
  %bits.1030 = phi i64 [ %v1026, %scan.do.1011 ], [ %bits.1030.next, %pick.next.1031 ]
  %v1032 = icmp ne i64 %bits.1030, 0
  br i1 %v1032, label %pick.do.1028, label %pick.end.1029
pick.do.1028:
  %v1033 = call i64 @llvm.cttz.i64(i64 %bits.1030, i1 true)
  %x.950 = add i64 %s.1013, %v1033
  %v1034 = load i64, ptr %v1008, align 8
  %v1035 = add i64 %v1034, 1
  store i64 %v1035, ptr %v1008, align 8
  %v1036 = icmp slt i64 %v1034, 16384
  br i1 %v1036, label %keep.1037, label %keep.end.1038
keep.1037:
  %v1039 = add i64 %v1009, %v1034
  %v1040 = mul i64 %v1039, 20
  %entry.951 = getelementptr i8, ptr %v1005, i64 %v1040
  %v952 = trunc i64 %x.950 to i32
  %v953 = trunc i64 %r.944 to i32
  %v954 = getelementptr i8, ptr %entry.951, i64 0
  store i32 %v952, ptr %v954, align 1
  %v955 = getelementptr i8, ptr %entry.951, i64 4
  store i32 %v953, ptr %v955, align 1
  %v959 = getelementptr float, ptr %ring10.row.958, i64 %x.950
  %v960 = load <1 x float>, ptr %v959, align 4
  %v961 = getelementptr i8, ptr %entry.951, i64 8
  store <1 x float> %v960, ptr %v961, align 1
  %v962 = getelementptr float, ptr %ring10.row.958, i64 %x.950
  %v963 = getelementptr float, ptr %v962, i64 1
  %v964 = load <1 x float>, ptr %v963, align 4
  %v965 = fsub <1 x float> %v960, %v964
  %v966 = getelementptr float, ptr %ring10.row.958, i64 %x.950
  %v967 = getelementptr float, ptr %v966, i64 -1
  %v968 = load <1 x float>, ptr %v967, align 4
  %v969 = fsub <1 x float> %v960, %v968
  %v970 = fadd <1 x float> %v969, %v965
  %v971 = fsub <1 x float> %v969, %v965
  %v972 = fdiv <1 x float> %v971, %v970
  %v973 = fmul <1 x float> %v972, splat (float 0x3FE0000000000000)
  %v974 = fcmp olt <1 x float> splat (float 0x0000000000000000), %v970
  %v975 = select <1 x i1> %v974, <1 x float> %v973, <1 x float> splat (float 0x0000000000000000)
  %v976 = getelementptr i8, ptr %entry.951, i64 12
  store <1 x float> %v975, ptr %v976, align 1
  %v984 = getelementptr float, ptr %ring10.row.983, i64 %x.950
  %v985 = load <1 x float>, ptr %v984, align 4
  %v986 = fsub <1 x float> %v960, %v985
  %v994 = getelementptr float, ptr %ring10.row.993, i64 %x.950
  %v995 = load <1 x float>, ptr %v994, align 4
  %v996 = fsub <1 x float> %v960, %v995
  %v997 = fadd <1 x float> %v996, %v986
  %v998 = fsub <1 x float> %v996, %v986
  %v999 = fdiv <1 x float> %v998, %v997
  %v1000 = fmul <1 x float> %v999, splat (float 0x3FE0000000000000)
  %v1001 = fcmp olt <1 x float> splat (float 0x0000000000000000), %v997
  %v1002 = select <1 x i1> %v1001, <1 x float> %v1000, <1 x float> splat (float 0x0000000000000000)
  %v1003 = getelementptr i8, ptr %entry.951, i64 16
  store <1 x float> %v1002, ptr %v1003, align 1
  br label %keep.end.1038
keep.end.1038:
  br label %pick.next.1031
pick.next.1031:
  %v1041 = sub i64 %bits.1030, 1
  %bits.1030.next = and i64 %bits.1030, %v1041
  br label %pick.1027
pick.end.1029:
  br label %scan.next.1014
scan.next.1014:
  %s.1013.next = add nsw i64 %s.1013, 64
  br label %scan.1010
scan.end.1012:
  br label %group8.end.949
group8.end.949:
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
