; gray+smooth
;
; in0: 64x48 u8
; smooth.out: 64x48 f32, leaves
; pass 0, images of 64x48
;   ring1: f32, 1 row, reflect101 2 px left and 2 px right
;   ring2: f32, 4 rows
;   row y+2, from 2 above the strip to 2 below, 16 pixels a vector:
;     ring1 = f32(in0[y, x])
;   row y+2, from 2 above the strip to 2 below, 16 pixels a vector:
;     t1 = ((ring1[y, x-2] + ring1[y, x+2]) * 0.00026386507670395076) + ((ring1[y, x-1] + ring1[y, x+1]) * 0.10645077377557755)
;     ring2 = t1 + (ring1[y, x] * 0.7865707278251648)
;   row y, 16 pixels a vector:
;     t1 = ((ring2[y-2, x]{reflect101} + ring2[y+2, x]{reflect101}) * 0.00026386507670395076) + ((ring2[y-1, x]{reflect101} + ring2[y+1, x]{reflect101}) * 0.10645077377557755)
;     smooth.out = t1 + (ring2[y, x] * 0.7865707278251648)

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
  %v7 = sub i64 %first_row, 2
  %v8 = add i64 %last_row, 2
  %low0 = call i64 @llvm.smax.i64(i64 %v7, i64 0)
  %high0 = call i64 @llvm.smin.i64(i64 %v8, i64 48)
  %v9 = sub i64 %first_row, 2
  %v10 = add i64 %last_row, 2
  %low1 = call i64 @llvm.smax.i64(i64 %v9, i64 0)
  %high1 = call i64 @llvm.smin.i64(i64 %v10, i64 48)
  %v11 = sub i64 %first_row, 0
  %v12 = add i64 %last_row, 0
  %low2 = call i64 @llvm.smax.i64(i64 %v11, i64 0)
  %high2 = call i64 @llvm.smin.i64(i64 %v12, i64 48)
  %v13 = sub i64 %low0, 2
  %v14 = sub i64 %low1, 2
  %v15 = sub i64 %low2, 0
  %v16 = sub i64 %high0, 2
  %v17 = sub i64 %high1, 2
  %v18 = sub i64 %high2, 0
  %v19 = call i64 @llvm.smin.i64(i64 %v13, i64 %v14)
  %v20 = call i64 @llvm.smin.i64(i64 %v19, i64 %v15)
  %v21 = call i64 @llvm.smax.i64(i64 %v16, i64 %v17)
  %v22 = call i64 @llvm.smax.i64(i64 %v21, i64 %v18)
  %ring1 = getelementptr i8, ptr %scratch, i64 128
  %ring2 = getelementptr i8, ptr %scratch, i64 640
  br label %t.23
t.23:
  %t.26 = phi i64 [ 0, %entry ], [ %t.26.next, %t.next.27 ]
  %v28 = icmp slt i64 %t.26, %frames
  br i1 %v28, label %t.do.24, label %t.end.25
t.do.24:
  %v313 = mul i64 %frames, 0
  %v314 = add i64 %v313, %t.26
  %v315 = getelementptr ptr, ptr %images, i64 %v314
  %input0 = load ptr, ptr %v315, align 8
  %v316 = mul i64 %frames, 1
  %v317 = add i64 %v316, %t.26
  %v318 = getelementptr ptr, ptr %images, i64 %v317
  %output0 = load ptr, ptr %v318, align 8
  %v29 = icmp eq i64 %t.26, 0
  %v30 = icmp ne i64 %is_first, 0
  %v31 = and i1 %v29, %v30
  br label %step.32
step.32:
  %s.35 = phi i64 [ %v20, %t.do.24 ], [ %s.35.next, %step.next.36 ]
  %v37 = icmp slt i64 %s.35, %v22
  br i1 %v37, label %step.do.33, label %step.end.34
step.do.33:
  ; group 0: plane ring1; 2 rows ahead; 2 more above, 2 below
  %r.38 = add nsw i64 %s.35, 2
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
  br label %across.62
across.62:
  %x.47 = phi i64 [ 0, %group0.42 ], [ %x.47.next, %across.62 ]
  %v50 = getelementptr i8, ptr %in.row.49, i64 %x.47
  %v51 = getelementptr i8, ptr %v50, i64 128
  call void @llvm.prefetch.p0(ptr %v51, i32 0, i32 3, i32 1)
  %v52 = load <16 x i8>, ptr %v50, align 1
  %v53 = zext <16 x i8> %v52 to <16 x i32>
  %v54 = sitofp <16 x i32> %v53 to <16 x float>
  %v55 = getelementptr float, ptr %ring1, i64 %x.47
  store <16 x float> %v54, ptr %v55, align 64
  %v56 = add i64 %x.47, 16
  %v57 = getelementptr i8, ptr %in.row.49, i64 %v56
  %v58 = load <16 x i8>, ptr %v57, align 1
  %v59 = zext <16 x i8> %v58 to <16 x i32>
  %v60 = sitofp <16 x i32> %v59 to <16 x float>
  %v61 = getelementptr float, ptr %ring1, i64 %v56
  store <16 x float> %v60, ptr %v61, align 64
  %x.47.next = add nuw nsw i64 %x.47, 32
  %x.47.more = icmp ult i64 %x.47.next, 64
  br i1 %x.47.more, label %across.62, label %across.end.63
across.end.63:
  %v64 = getelementptr float, ptr %ring1, i64 2
  %v65 = load float, ptr %v64
  %v66 = getelementptr float, ptr %ring1, i64 -2
  store float %v65, ptr %v66
  %v67 = getelementptr float, ptr %ring1, i64 1
  %v68 = load float, ptr %v67
  %v69 = getelementptr float, ptr %ring1, i64 -1
  store float %v68, ptr %v69
  %v70 = getelementptr float, ptr %ring1, i64 62
  %v71 = load float, ptr %v70
  %v72 = getelementptr float, ptr %ring1, i64 64
  store float %v71, ptr %v72
  %v73 = getelementptr float, ptr %ring1, i64 61
  %v74 = load float, ptr %v73
  %v75 = getelementptr float, ptr %ring1, i64 65
  store float %v74, ptr %v75
  br label %group0.end.43
group0.end.43:
  ; group 1: plane ring2; 2 rows ahead; 2 more above, 2 below
  %r.76 = add nsw i64 %s.35, 2
  %v77 = icmp sge i64 %r.76, %low1
  %v78 = icmp slt i64 %r.76, %high1
  %v79 = and i1 %v77, %v78
  ; group 2: output; 0 rows ahead; 0 more above, 0 below
  %r.80 = add nsw i64 %s.35, 0
  %v81 = icmp sge i64 %r.80, %low2
  %v82 = icmp slt i64 %r.80, %high2
  %v83 = and i1 %v81, %v82
  %v84 = icmp sge i64 %r.80, 2
  %v85 = and i1 %v79, %v83
  %v86 = and i1 %v84, %v85
  br i1 %v86, label %together.87, label %apart.88
together.87:
  %v90 = icmp sge i64 %r.76, %first_row
  %v91 = icmp slt i64 %r.76, %last_row
  %v92 = and i1 %v90, %v91
  %v102 = load <16 x i32>, ptr %ring1, align 64
  %v103 = bitcast <16 x i32> %v102 to <16 x float>
  %v104 = shufflevector <16 x float> %v103, <16 x float> poison, <16 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 2, i32 1>
  %v105 = bitcast <16 x float> %v104 to <16 x i32>
  %v106 = load <16 x i32>, ptr %ring1, align 64
  %v160 = urem i64 %r.76, 4
  %v161 = mul nsw i64 %v160, 112
  %ring2.row.162 = getelementptr float, ptr %ring2, i64 %v161
  %v121 = urem i64 %r.80, 4
  %v122 = mul nsw i64 %v121, 112
  %ring2.row.123 = getelementptr float, ptr %ring2, i64 %v122
  %v127 = add i64 %r.80, 1
  %v128 = call i64 @llvm.abs.i64(i64 %v127, i1 false)
  %v129 = sub i64 94, %v128
  %v130 = call i64 @llvm.smin.i64(i64 %v128, i64 %v129)
  %v131 = urem i64 %v130, 4
  %v132 = mul nsw i64 %v131, 112
  %ring2.row.133 = getelementptr float, ptr %ring2, i64 %v132
  %v136 = add i64 %r.80, -1
  %v137 = call i64 @llvm.abs.i64(i64 %v136, i1 false)
  %v138 = sub i64 94, %v137
  %v139 = call i64 @llvm.smin.i64(i64 %v137, i64 %v138)
  %v140 = urem i64 %v139, 4
  %v141 = mul nsw i64 %v140, 112
  %ring2.row.142 = getelementptr float, ptr %ring2, i64 %v141
  %v147 = add i64 %r.80, -2
  %v148 = call i64 @llvm.abs.i64(i64 %v147, i1 false)
  %v149 = sub i64 94, %v148
  %v150 = call i64 @llvm.smin.i64(i64 %v148, i64 %v149)
  %v151 = urem i64 %v150, 4
  %v152 = mul nsw i64 %v151, 112
  %ring2.row.153 = getelementptr float, ptr %ring2, i64 %v152
  %v164 = mul nsw i64 %r.80, 64
  %out.row.165 = getelementptr float, ptr %output0, i64 %v164
  br label %across.207
across.207:
  %x.93 = phi i64 [ 0, %together.87 ], [ %x.93.next, %across.207 ]
  %before.97 = phi <16 x i32> [ %v105, %together.87 ], [ %v101, %across.207 ]
  %here.98 = phi <16 x i32> [ %v106, %together.87 ], [ %v174, %across.207 ]
  %v94 = getelementptr float, ptr %ring1, i64 %x.93
  %v95 = load <16 x float>, ptr %v94, align 64
  %v96 = fmul <16 x float> %v95, splat (float 0x3FE92B9660000000)
  %v99 = getelementptr float, ptr %ring1, i64 %x.93
  %v100 = getelementptr float, ptr %v99, i64 16
  %v101 = load <16 x i32>, ptr %v100, align 64
  %v107 = shufflevector <16 x i32> %here.98, <16 x i32> %v101, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16>
  %v108 = bitcast <16 x i32> %v107 to <16 x float>
  %v109 = shufflevector <16 x i32> %before.97, <16 x i32> %here.98, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v110 = bitcast <16 x i32> %v109 to <16 x float>
  %v111 = fadd <16 x float> %v110, %v108
  %v112 = fmul <16 x float> %v111, splat (float 0x3FBB405BA0000000)
  %v113 = shufflevector <16 x i32> %here.98, <16 x i32> %v101, <16 x i32> <i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17>
  %v114 = bitcast <16 x i32> %v113 to <16 x float>
  %v115 = shufflevector <16 x i32> %before.97, <16 x i32> %here.98, <16 x i32> <i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29>
  %v116 = bitcast <16 x i32> %v115 to <16 x float>
  %v117 = fadd <16 x float> %v116, %v114
  %v118 = fmul <16 x float> %v117, splat (float 0x3F314AEBE0000000)
  %v119 = fadd <16 x float> %v118, %v112
  %v120 = fadd <16 x float> %v119, %v96
  %v124 = getelementptr float, ptr %ring2.row.123, i64 %x.93
  %v125 = load <16 x float>, ptr %v124, align 64
  %v126 = fmul <16 x float> %v125, splat (float 0x3FE92B9660000000)
  %v134 = getelementptr float, ptr %ring2.row.133, i64 %x.93
  %v135 = load <16 x float>, ptr %v134, align 64
  %v143 = getelementptr float, ptr %ring2.row.142, i64 %x.93
  %v144 = load <16 x float>, ptr %v143, align 64
  %v145 = fadd <16 x float> %v144, %v135
  %v146 = fmul <16 x float> %v145, splat (float 0x3FBB405BA0000000)
  %v154 = getelementptr float, ptr %ring2.row.153, i64 %x.93
  %v155 = load <16 x float>, ptr %v154, align 64
  %v156 = fadd <16 x float> %v155, %v120
  %v157 = fmul <16 x float> %v156, splat (float 0x3F314AEBE0000000)
  %v158 = fadd <16 x float> %v157, %v146
  %v159 = fadd <16 x float> %v158, %v126
  %v163 = getelementptr float, ptr %ring2.row.162, i64 %x.93
  store <16 x float> %v120, ptr %v163, align 64
  %v166 = getelementptr float, ptr %out.row.165, i64 %x.93
  %v167 = getelementptr i8, ptr %v166, i64 512
  call void @llvm.prefetch.p0(ptr %v167, i32 1, i32 3, i32 1)
  store <16 x float> %v159, ptr %v166, align 4
  %v168 = add i64 %x.93, 16
  %v169 = getelementptr float, ptr %ring1, i64 %v168
  %v170 = load <16 x float>, ptr %v169, align 64
  %v171 = fmul <16 x float> %v170, splat (float 0x3FE92B9660000000)
  %v172 = getelementptr float, ptr %ring1, i64 %v168
  %v173 = getelementptr float, ptr %v172, i64 16
  %v174 = load <16 x i32>, ptr %v173, align 64
  %v175 = shufflevector <16 x i32> %v101, <16 x i32> %v174, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16>
  %v176 = bitcast <16 x i32> %v175 to <16 x float>
  %v177 = shufflevector <16 x i32> %here.98, <16 x i32> %v101, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v178 = bitcast <16 x i32> %v177 to <16 x float>
  %v179 = fadd <16 x float> %v178, %v176
  %v180 = fmul <16 x float> %v179, splat (float 0x3FBB405BA0000000)
  %v181 = shufflevector <16 x i32> %v101, <16 x i32> %v174, <16 x i32> <i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17>
  %v182 = bitcast <16 x i32> %v181 to <16 x float>
  %v183 = shufflevector <16 x i32> %here.98, <16 x i32> %v101, <16 x i32> <i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29>
  %v184 = bitcast <16 x i32> %v183 to <16 x float>
  %v185 = fadd <16 x float> %v184, %v182
  %v186 = fmul <16 x float> %v185, splat (float 0x3F314AEBE0000000)
  %v187 = fadd <16 x float> %v186, %v180
  %v188 = fadd <16 x float> %v187, %v171
  %v189 = getelementptr float, ptr %ring2.row.123, i64 %v168
  %v190 = load <16 x float>, ptr %v189, align 64
  %v191 = fmul <16 x float> %v190, splat (float 0x3FE92B9660000000)
  %v192 = getelementptr float, ptr %ring2.row.133, i64 %v168
  %v193 = load <16 x float>, ptr %v192, align 64
  %v194 = getelementptr float, ptr %ring2.row.142, i64 %v168
  %v195 = load <16 x float>, ptr %v194, align 64
  %v196 = fadd <16 x float> %v195, %v193
  %v197 = fmul <16 x float> %v196, splat (float 0x3FBB405BA0000000)
  %v198 = getelementptr float, ptr %ring2.row.153, i64 %v168
  %v199 = load <16 x float>, ptr %v198, align 64
  %v200 = fadd <16 x float> %v199, %v188
  %v201 = fmul <16 x float> %v200, splat (float 0x3F314AEBE0000000)
  %v202 = fadd <16 x float> %v201, %v197
  %v203 = fadd <16 x float> %v202, %v191
  %v204 = getelementptr float, ptr %ring2.row.162, i64 %v168
  store <16 x float> %v188, ptr %v204, align 64
  %v205 = getelementptr float, ptr %out.row.165, i64 %v168
  %v206 = getelementptr i8, ptr %v205, i64 512
  call void @llvm.prefetch.p0(ptr %v206, i32 1, i32 3, i32 1)
  store <16 x float> %v203, ptr %v205, align 4
  %x.93.next = add nuw nsw i64 %x.93, 32
  %x.93.more = icmp ult i64 %x.93.next, 64
  br i1 %x.93.more, label %across.207, label %across.end.208
across.end.208:
  br label %joined.89
apart.88:
  ; group 1: plane ring2; 2 rows ahead; 2 more above, 2 below
  %r.209 = add nsw i64 %s.35, 2
  %v210 = icmp sge i64 %r.209, %low1
  %v211 = icmp slt i64 %r.209, %high1
  %v212 = and i1 %v210, %v211
  br i1 %v212, label %group1.213, label %group1.end.214
group1.213:
  %v215 = icmp sge i64 %r.209, %first_row
  %v216 = icmp slt i64 %r.209, %last_row
  %v217 = and i1 %v215, %v216
  %v227 = load <16 x i32>, ptr %ring1, align 64
  %v228 = bitcast <16 x i32> %v227 to <16 x float>
  %v229 = shufflevector <16 x float> %v228, <16 x float> poison, <16 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 2, i32 1>
  %v230 = bitcast <16 x float> %v229 to <16 x i32>
  %v231 = load <16 x i32>, ptr %ring1, align 64
  %v246 = urem i64 %r.209, 4
  %v247 = mul nsw i64 %v246, 112
  %ring2.row.248 = getelementptr float, ptr %ring2, i64 %v247
  br label %across.250
across.250:
  %x.218 = phi i64 [ 0, %group1.213 ], [ %x.218.next, %across.250 ]
  %before.222 = phi <16 x i32> [ %v230, %group1.213 ], [ %here.223, %across.250 ]
  %here.223 = phi <16 x i32> [ %v231, %group1.213 ], [ %v226, %across.250 ]
  %v219 = getelementptr float, ptr %ring1, i64 %x.218
  %v220 = load <16 x float>, ptr %v219, align 64
  %v221 = fmul <16 x float> %v220, splat (float 0x3FE92B9660000000)
  %v224 = getelementptr float, ptr %ring1, i64 %x.218
  %v225 = getelementptr float, ptr %v224, i64 16
  %v226 = load <16 x i32>, ptr %v225, align 64
  %v232 = shufflevector <16 x i32> %here.223, <16 x i32> %v226, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16>
  %v233 = bitcast <16 x i32> %v232 to <16 x float>
  %v234 = shufflevector <16 x i32> %before.222, <16 x i32> %here.223, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v235 = bitcast <16 x i32> %v234 to <16 x float>
  %v236 = fadd <16 x float> %v235, %v233
  %v237 = fmul <16 x float> %v236, splat (float 0x3FBB405BA0000000)
  %v238 = shufflevector <16 x i32> %here.223, <16 x i32> %v226, <16 x i32> <i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17>
  %v239 = bitcast <16 x i32> %v238 to <16 x float>
  %v240 = shufflevector <16 x i32> %before.222, <16 x i32> %here.223, <16 x i32> <i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29>
  %v241 = bitcast <16 x i32> %v240 to <16 x float>
  %v242 = fadd <16 x float> %v241, %v239
  %v243 = fmul <16 x float> %v242, splat (float 0x3F314AEBE0000000)
  %v244 = fadd <16 x float> %v243, %v237
  %v245 = fadd <16 x float> %v244, %v221
  %v249 = getelementptr float, ptr %ring2.row.248, i64 %x.218
  store <16 x float> %v245, ptr %v249, align 64
  %x.218.next = add nuw nsw i64 %x.218, 16
  %x.218.more = icmp ult i64 %x.218.next, 64
  br i1 %x.218.more, label %across.250, label %across.end.251
across.end.251:
  br label %group1.end.214
group1.end.214:
  ; group 2: output; 0 rows ahead; 0 more above, 0 below
  %r.252 = add nsw i64 %s.35, 0
  %v253 = icmp sge i64 %r.252, %low2
  %v254 = icmp slt i64 %r.252, %high2
  %v255 = and i1 %v253, %v254
  br i1 %v255, label %group2.256, label %group2.end.257
group2.256:
  %v259 = urem i64 %r.252, 4
  %v260 = mul nsw i64 %v259, 112
  %ring2.row.261 = getelementptr float, ptr %ring2, i64 %v260
  %v265 = add i64 %r.252, 1
  %v266 = call i64 @llvm.abs.i64(i64 %v265, i1 false)
  %v267 = sub i64 94, %v266
  %v268 = call i64 @llvm.smin.i64(i64 %v266, i64 %v267)
  %v269 = urem i64 %v268, 4
  %v270 = mul nsw i64 %v269, 112
  %ring2.row.271 = getelementptr float, ptr %ring2, i64 %v270
  %v274 = add i64 %r.252, -1
  %v275 = call i64 @llvm.abs.i64(i64 %v274, i1 false)
  %v276 = sub i64 94, %v275
  %v277 = call i64 @llvm.smin.i64(i64 %v275, i64 %v276)
  %v278 = urem i64 %v277, 4
  %v279 = mul nsw i64 %v278, 112
  %ring2.row.280 = getelementptr float, ptr %ring2, i64 %v279
  %v285 = add i64 %r.252, 2
  %v286 = call i64 @llvm.abs.i64(i64 %v285, i1 false)
  %v287 = sub i64 94, %v286
  %v288 = call i64 @llvm.smin.i64(i64 %v286, i64 %v287)
  %v289 = urem i64 %v288, 4
  %v290 = mul nsw i64 %v289, 112
  %ring2.row.291 = getelementptr float, ptr %ring2, i64 %v290
  %v294 = add i64 %r.252, -2
  %v295 = call i64 @llvm.abs.i64(i64 %v294, i1 false)
  %v296 = sub i64 94, %v295
  %v297 = call i64 @llvm.smin.i64(i64 %v295, i64 %v296)
  %v298 = urem i64 %v297, 4
  %v299 = mul nsw i64 %v298, 112
  %ring2.row.300 = getelementptr float, ptr %ring2, i64 %v299
  %v307 = mul nsw i64 %r.252, 64
  %out.row.308 = getelementptr float, ptr %output0, i64 %v307
  br label %across.311
across.311:
  %x.258 = phi i64 [ 0, %group2.256 ], [ %x.258.next, %across.311 ]
  %v262 = getelementptr float, ptr %ring2.row.261, i64 %x.258
  %v263 = load <16 x float>, ptr %v262, align 64
  %v264 = fmul <16 x float> %v263, splat (float 0x3FE92B9660000000)
  %v272 = getelementptr float, ptr %ring2.row.271, i64 %x.258
  %v273 = load <16 x float>, ptr %v272, align 64
  %v281 = getelementptr float, ptr %ring2.row.280, i64 %x.258
  %v282 = load <16 x float>, ptr %v281, align 64
  %v283 = fadd <16 x float> %v282, %v273
  %v284 = fmul <16 x float> %v283, splat (float 0x3FBB405BA0000000)
  %v292 = getelementptr float, ptr %ring2.row.291, i64 %x.258
  %v293 = load <16 x float>, ptr %v292, align 64
  %v301 = getelementptr float, ptr %ring2.row.300, i64 %x.258
  %v302 = load <16 x float>, ptr %v301, align 64
  %v303 = fadd <16 x float> %v302, %v293
  %v304 = fmul <16 x float> %v303, splat (float 0x3F314AEBE0000000)
  %v305 = fadd <16 x float> %v304, %v284
  %v306 = fadd <16 x float> %v305, %v264
  %v309 = getelementptr float, ptr %out.row.308, i64 %x.258
  %v310 = getelementptr i8, ptr %v309, i64 512
  call void @llvm.prefetch.p0(ptr %v310, i32 1, i32 3, i32 1)
  store <16 x float> %v306, ptr %v309, align 4
  %x.258.next = add nuw nsw i64 %x.258, 16
  %x.258.more = icmp ult i64 %x.258.next, 64
  br i1 %x.258.more, label %across.311, label %across.end.312
across.end.312:
  br label %group2.end.257
group2.end.257:
  br label %joined.89
joined.89:
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
