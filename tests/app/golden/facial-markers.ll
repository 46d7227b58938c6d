; gray+sound+scale+even+steady+smooth+edges+rim
;
; in0: 64x48 u8
; rim.out: 64x48 bool, leaves
; steady.alpha: f32, an argument
; rim.level: f32, an argument
; was(steady/mean) is (f32(in0[y, x]) * 0.003921627998352051) + (f32(in0[y, x]) * -5.9370901084321304e-08) in the first frame
; pass 0, images of 64x48
;   state1: f32, the strip's rows, kept, reflect101 4 px left and 4 px right
;   ring2: f32, 8 rows
;   ring3: f32, 1 row, reflect101 1 px left and 1 px right
;   ring4: f32, 2 rows
;   ring5: f32, 2 rows
;   row y+5, from 5 above the strip to 5 below, 16 pixels a vector:
;     t1 = f32(in0[y, x])
;     t2 = steady.alpha * (((t1 * 0.003921627998352051) + (t1 * -5.9370901084321304e-08)) - was(steady/mean))
;     state1 = was(steady/mean) + t2
;   row y+5, from 5 above the strip to 5 below, 16 pixels a vector:
;     t1 = ((state1[y, x-4] + state1[y, x+4]) * 0.0001338306174147874) + ((state1[y, x-3] + state1[y, x+3]) * 0.004431861452758312)
;     t2 = ((state1[y, x-2] + state1[y, x+2]) * 0.053991127759218216) + ((state1[y, x-1] + state1[y, x+1]) * 0.2419714480638504)
;     ring2 = (t1 + t2) + (state1[y, x] * 0.3989434838294983)
;   row y+1, from 1 above the strip to 1 below, 16 pixels a vector:
;     t1 = ((ring2[y-4, x]{reflect101} + ring2[y+4, x]{reflect101}) * 0.0001338306174147874) + ((ring2[y-3, x]{reflect101} + ring2[y+3, x]{reflect101}) * 0.004431861452758312)
;     t2 = ((ring2[y-2, x]{reflect101} + ring2[y+2, x]{reflect101}) * 0.053991127759218216) + ((ring2[y-1, x]{reflect101} + ring2[y+1, x]{reflect101}) * 0.2419714480638504)
;     ring3 = (t1 + t2) + (ring2[y, x] * 0.3989434838294983)
;   row y+1, from 1 above the strip to 1 below, 16 pixels a vector:
;     ring4 = ring3[y, x+1] - ring3[y, x-1]
;     ring5 = (ring3[y, x-1] + ring3[y, x+1]) + (ring3[y, x] * 2.0)
;   row y, 16 pixels a vector:
;     t1 = bits(rim.level * rim.level)
;     t2 = from_bits(min(max(t1 + 3, 0), 2139095039))
;     t3 = from_bits(min(max(t1 + 2, 0), 2139095039))
;     t4 = from_bits(min(max(t1 + 1, 0), 2139095039))
;     t5 = from_bits(min(max(t1, 0), 2139095039))
;     t6 = from_bits(min(max(t1 + -1, 0), 2139095039))
;     t7 = from_bits(min(max(t1 + -2, 0), 2139095039))
;     t8 = from_bits(min(max(t1 + -3, 0), 2139095039))
;     t9 = select(sqrt(t6) <= rim.level, t6, select(sqrt(t7) <= rim.level, t7, select(sqrt(t8) <= rim.level, t8, 0.0)))
;     t10 = select(sqrt(t3) <= rim.level, t3, select(sqrt(t4) <= rim.level, t4, select(sqrt(t5) <= rim.level, t5, t9)))
;     t11 = select(rim.level < inf, select(rim.level < 0.0, -1.401298464324817e-45, select(sqrt(t2) <= rim.level, t2, t10)), rim.level)
;     t12 = (ring4[y-1, x]{reflect101} + ring4[y+1, x]{reflect101}) + (ring4[y, x] * 2.0)
;     t13 = ring5[y+1, x]{reflect101} - ring5[y-1, x]{reflect101}
;     rim.out = t11 < ((t12 * t12) + (t13 * t13))

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
  %v9 = getelementptr i8, ptr %args, i64 64
  %state1 = load ptr, ptr %v9, align 8
  %v10 = sub i64 %first_row, 5
  %v11 = add i64 %last_row, 5
  %low0 = call i64 @llvm.smax.i64(i64 %v10, i64 0)
  %high0 = call i64 @llvm.smin.i64(i64 %v11, i64 48)
  %v12 = sub i64 %first_row, 5
  %v13 = add i64 %last_row, 5
  %low1 = call i64 @llvm.smax.i64(i64 %v12, i64 0)
  %high1 = call i64 @llvm.smin.i64(i64 %v13, i64 48)
  %v14 = sub i64 %first_row, 1
  %v15 = add i64 %last_row, 1
  %low2 = call i64 @llvm.smax.i64(i64 %v14, i64 0)
  %high2 = call i64 @llvm.smin.i64(i64 %v15, i64 48)
  %v16 = sub i64 %first_row, 1
  %v17 = add i64 %last_row, 1
  %low3 = call i64 @llvm.smax.i64(i64 %v16, i64 0)
  %high3 = call i64 @llvm.smin.i64(i64 %v17, i64 48)
  %v18 = sub i64 %first_row, 0
  %v19 = add i64 %last_row, 0
  %low4 = call i64 @llvm.smax.i64(i64 %v18, i64 0)
  %high4 = call i64 @llvm.smin.i64(i64 %v19, i64 48)
  %v20 = sub i64 %low0, 5
  %v21 = sub i64 %low1, 5
  %v22 = sub i64 %low2, 1
  %v23 = sub i64 %low3, 1
  %v24 = sub i64 %low4, 0
  %v25 = sub i64 %high0, 5
  %v26 = sub i64 %high1, 5
  %v27 = sub i64 %high2, 1
  %v28 = sub i64 %high3, 1
  %v29 = sub i64 %high4, 0
  %v30 = call i64 @llvm.smin.i64(i64 %v20, i64 %v21)
  %v31 = call i64 @llvm.smin.i64(i64 %v30, i64 %v22)
  %v32 = call i64 @llvm.smin.i64(i64 %v31, i64 %v23)
  %v33 = call i64 @llvm.smin.i64(i64 %v32, i64 %v24)
  %v34 = call i64 @llvm.smax.i64(i64 %v25, i64 %v26)
  %v35 = call i64 @llvm.smax.i64(i64 %v34, i64 %v27)
  %v36 = call i64 @llvm.smax.i64(i64 %v35, i64 %v28)
  %v37 = call i64 @llvm.smax.i64(i64 %v36, i64 %v29)
  %ring2 = getelementptr i8, ptr %scratch, i64 0
  %ring3 = getelementptr i8, ptr %scratch, i64 3712
  %ring4 = getelementptr i8, ptr %scratch, i64 4224
  %ring5 = getelementptr i8, ptr %scratch, i64 5120
  %v74 = getelementptr i8, ptr %args, i64 72
  %param.75 = load float, ptr %v74, align 8
  %v76 = insertelement <16 x float> poison, float %param.75, i64 0
  %v77 = shufflevector <16 x float> %v76, <16 x float> poison, <16 x i32> zeroinitializer
  %v614 = getelementptr i8, ptr %args, i64 80
  %param.615 = load float, ptr %v614, align 8
  %v616 = insertelement <16 x float> poison, float %param.615, i64 0
  %v617 = shufflevector <16 x float> %v616, <16 x float> poison, <16 x i32> zeroinitializer
  %v618 = fmul <16 x float> %v617, %v617
  %v619 = fcmp uno <16 x float> %v618, %v618
  %v620 = bitcast <16 x float> %v618 to <16 x i32>
  %v621 = select <16 x i1> %v619, <16 x i32> splat (i32 2143289344), <16 x i32> %v620
  %v622 = add <16 x i32> %v621, splat (i32 -3)
  %v623 = icmp sgt <16 x i32> %v622, splat (i32 0)
  %v624 = select <16 x i1> %v623, <16 x i32> %v622, <16 x i32> splat (i32 0)
  %v625 = icmp slt <16 x i32> %v624, splat (i32 2139095039)
  %v626 = select <16 x i1> %v625, <16 x i32> %v624, <16 x i32> splat (i32 2139095039)
  %v627 = bitcast <16 x i32> %v626 to <16 x float>
  %v628 = call <16 x float> @llvm.sqrt.v16f32(<16 x float> %v627)
  %v629 = fcmp ole <16 x float> %v628, %v617
  %v630 = select <16 x i1> %v629, <16 x float> %v627, <16 x float> splat (float 0x0000000000000000)
  %v631 = add <16 x i32> %v621, splat (i32 -2)
  %v632 = icmp sgt <16 x i32> %v631, splat (i32 0)
  %v633 = select <16 x i1> %v632, <16 x i32> %v631, <16 x i32> splat (i32 0)
  %v634 = icmp slt <16 x i32> %v633, splat (i32 2139095039)
  %v635 = select <16 x i1> %v634, <16 x i32> %v633, <16 x i32> splat (i32 2139095039)
  %v636 = bitcast <16 x i32> %v635 to <16 x float>
  %v637 = call <16 x float> @llvm.sqrt.v16f32(<16 x float> %v636)
  %v638 = fcmp ole <16 x float> %v637, %v617
  %v639 = select <16 x i1> %v638, <16 x float> %v636, <16 x float> %v630
  %v640 = add <16 x i32> %v621, splat (i32 -1)
  %v641 = icmp sgt <16 x i32> %v640, splat (i32 0)
  %v642 = select <16 x i1> %v641, <16 x i32> %v640, <16 x i32> splat (i32 0)
  %v643 = icmp slt <16 x i32> %v642, splat (i32 2139095039)
  %v644 = select <16 x i1> %v643, <16 x i32> %v642, <16 x i32> splat (i32 2139095039)
  %v645 = bitcast <16 x i32> %v644 to <16 x float>
  %v646 = call <16 x float> @llvm.sqrt.v16f32(<16 x float> %v645)
  %v647 = fcmp ole <16 x float> %v646, %v617
  %v648 = select <16 x i1> %v647, <16 x float> %v645, <16 x float> %v639
  %v649 = icmp sgt <16 x i32> %v621, splat (i32 0)
  %v650 = select <16 x i1> %v649, <16 x i32> %v621, <16 x i32> splat (i32 0)
  %v651 = icmp slt <16 x i32> %v650, splat (i32 2139095039)
  %v652 = select <16 x i1> %v651, <16 x i32> %v650, <16 x i32> splat (i32 2139095039)
  %v653 = bitcast <16 x i32> %v652 to <16 x float>
  %v654 = call <16 x float> @llvm.sqrt.v16f32(<16 x float> %v653)
  %v655 = fcmp ole <16 x float> %v654, %v617
  %v656 = select <16 x i1> %v655, <16 x float> %v653, <16 x float> %v648
  %v657 = add <16 x i32> %v621, splat (i32 1)
  %v658 = icmp sgt <16 x i32> %v657, splat (i32 0)
  %v659 = select <16 x i1> %v658, <16 x i32> %v657, <16 x i32> splat (i32 0)
  %v660 = icmp slt <16 x i32> %v659, splat (i32 2139095039)
  %v661 = select <16 x i1> %v660, <16 x i32> %v659, <16 x i32> splat (i32 2139095039)
  %v662 = bitcast <16 x i32> %v661 to <16 x float>
  %v663 = call <16 x float> @llvm.sqrt.v16f32(<16 x float> %v662)
  %v664 = fcmp ole <16 x float> %v663, %v617
  %v665 = select <16 x i1> %v664, <16 x float> %v662, <16 x float> %v656
  %v666 = add <16 x i32> %v621, splat (i32 2)
  %v667 = icmp sgt <16 x i32> %v666, splat (i32 0)
  %v668 = select <16 x i1> %v667, <16 x i32> %v666, <16 x i32> splat (i32 0)
  %v669 = icmp slt <16 x i32> %v668, splat (i32 2139095039)
  %v670 = select <16 x i1> %v669, <16 x i32> %v668, <16 x i32> splat (i32 2139095039)
  %v671 = bitcast <16 x i32> %v670 to <16 x float>
  %v672 = call <16 x float> @llvm.sqrt.v16f32(<16 x float> %v671)
  %v673 = fcmp ole <16 x float> %v672, %v617
  %v674 = select <16 x i1> %v673, <16 x float> %v671, <16 x float> %v665
  %v675 = add <16 x i32> %v621, splat (i32 3)
  %v676 = icmp sgt <16 x i32> %v675, splat (i32 0)
  %v677 = select <16 x i1> %v676, <16 x i32> %v675, <16 x i32> splat (i32 0)
  %v678 = icmp slt <16 x i32> %v677, splat (i32 2139095039)
  %v679 = select <16 x i1> %v678, <16 x i32> %v677, <16 x i32> splat (i32 2139095039)
  %v680 = bitcast <16 x i32> %v679 to <16 x float>
  %v681 = call <16 x float> @llvm.sqrt.v16f32(<16 x float> %v680)
  %v682 = fcmp ole <16 x float> %v681, %v617
  %v683 = select <16 x i1> %v682, <16 x float> %v680, <16 x float> %v674
  %v684 = fcmp olt <16 x float> %v617, splat (float 0x0000000000000000)
  %v685 = select <16 x i1> %v684, <16 x float> splat (float 0xB6A0000000000000), <16 x float> %v683
  %v686 = fcmp olt <16 x float> %v617, splat (float 0x7FF0000000000000)
  %v687 = select <16 x i1> %v686, <16 x float> %v685, <16 x float> %v617
  br label %t.38
t.38:
  %t.41 = phi i64 [ %first_frame, %entry ], [ %t.41.next, %t.next.42 ]
  %v43 = icmp slt i64 %t.41, %last_frame
  br i1 %v43, label %t.do.39, label %t.end.40
t.do.39:
  %v837 = mul i64 %frames, 0
  %v838 = add i64 %v837, %t.41
  %v839 = getelementptr ptr, ptr %images, i64 %v838
  %input0 = load ptr, ptr %v839, align 8
  %v840 = mul i64 %frames, 1
  %v841 = add i64 %v840, %t.41
  %v842 = getelementptr ptr, ptr %images, i64 %v841
  %output0 = load ptr, ptr %v842, align 8
  %v44 = icmp eq i64 %t.41, 0
  %v45 = icmp ne i64 %is_first, 0
  %v46 = and i1 %v44, %v45
  br label %step.47
step.47:
  %s.50 = phi i64 [ %v33, %t.do.39 ], [ %s.50.next, %step.next.51 ]
  %v52 = icmp slt i64 %s.50, %v37
  br i1 %v52, label %step.do.48, label %step.end.49
step.do.48:
  ; group 0: plane state1; 5 rows ahead; 5 more above, 5 below
  %r.53 = add nsw i64 %s.50, 5
  %v54 = icmp sge i64 %r.53, %low0
  %v55 = icmp slt i64 %r.53, %high0
  %v56 = and i1 %v54, %v55
  br i1 %v56, label %group0.57, label %group0.end.58
group0.57:
  %v59 = icmp sge i64 %r.53, %first_row
  %v60 = icmp slt i64 %r.53, %last_row
  %v61 = and i1 %v59, %v60
  %v63 = mul nsw i64 %r.53, 64
  %in.row.64 = getelementptr i8, ptr %input0, i64 %v63
  %v80 = mul nsw i64 %r.53, 160
  %state1.row.81 = getelementptr float, ptr %state1, i64 %v80
  br i1 %v46, label %first.124, label %then.125
first.124:
  br label %across.127
across.127:
  %x.62 = phi i64 [ 0, %first.124 ], [ %x.62.next, %across.127 ]
  %v65 = getelementptr i8, ptr %in.row.64, i64 %x.62
  %v66 = getelementptr i8, ptr %v65, i64 128
  call void @llvm.prefetch.p0(ptr %v66, i32 0, i32 3, i32 1)
  %v67 = load <16 x i8>, ptr %v65, align 1
  %v68 = zext <16 x i8> %v67 to <16 x i32>
  %v69 = sitofp <16 x i32> %v68 to <16 x float>
  %v70 = fmul <16 x float> %v69, splat (float 0xBE6FDFDFE0000000)
  %v71 = fmul <16 x float> %v69, splat (float 0x3F70102000000000)
  %v72 = fadd <16 x float> %v71, %v70
  %v73 = fsub <16 x float> %v72, %v72
  %v78 = fmul <16 x float> %v77, %v73
  %v79 = fadd <16 x float> %v72, %v78
  %v82 = getelementptr float, ptr %state1.row.81, i64 %x.62
  store <16 x float> %v79, ptr %v82, align 64
  %v83 = add i64 %x.62, 16
  %v84 = getelementptr i8, ptr %in.row.64, i64 %v83
  %v85 = load <16 x i8>, ptr %v84, align 1
  %v86 = zext <16 x i8> %v85 to <16 x i32>
  %v87 = sitofp <16 x i32> %v86 to <16 x float>
  %v88 = fmul <16 x float> %v87, splat (float 0xBE6FDFDFE0000000)
  %v89 = fmul <16 x float> %v87, splat (float 0x3F70102000000000)
  %v90 = fadd <16 x float> %v89, %v88
  %v91 = fsub <16 x float> %v90, %v90
  %v92 = fmul <16 x float> %v77, %v91
  %v93 = fadd <16 x float> %v90, %v92
  %v94 = getelementptr float, ptr %state1.row.81, i64 %v83
  store <16 x float> %v93, ptr %v94, align 64
  %x.62.next = add nuw nsw i64 %x.62, 32
  %x.62.more = icmp ult i64 %x.62.next, 64
  br i1 %x.62.more, label %across.127, label %across.end.128
across.end.128:
  br label %done.126
then.125:
  br label %across.129
across.129:
  %x.95 = phi i64 [ 0, %then.125 ], [ %x.95.next, %across.129 ]
  %v96 = getelementptr float, ptr %state1.row.81, i64 %x.95
  %v97 = load <16 x float>, ptr %v96, align 64
  %v98 = getelementptr i8, ptr %in.row.64, i64 %x.95
  %v99 = getelementptr i8, ptr %v98, i64 128
  call void @llvm.prefetch.p0(ptr %v99, i32 0, i32 3, i32 1)
  %v100 = load <16 x i8>, ptr %v98, align 1
  %v101 = zext <16 x i8> %v100 to <16 x i32>
  %v102 = sitofp <16 x i32> %v101 to <16 x float>
  %v103 = fmul <16 x float> %v102, splat (float 0xBE6FDFDFE0000000)
  %v104 = fmul <16 x float> %v102, splat (float 0x3F70102000000000)
  %v105 = fadd <16 x float> %v104, %v103
  %v106 = fsub <16 x float> %v105, %v97
  %v107 = fmul <16 x float> %v77, %v106
  %v108 = fadd <16 x float> %v97, %v107
  %v109 = getelementptr float, ptr %state1.row.81, i64 %x.95
  store <16 x float> %v108, ptr %v109, align 64
  %v110 = add i64 %x.95, 16
  %v111 = getelementptr float, ptr %state1.row.81, i64 %v110
  %v112 = load <16 x float>, ptr %v111, align 64
  %v113 = getelementptr i8, ptr %in.row.64, i64 %v110
  %v114 = load <16 x i8>, ptr %v113, align 1
  %v115 = zext <16 x i8> %v114 to <16 x i32>
  %v116 = sitofp <16 x i32> %v115 to <16 x float>
  %v117 = fmul <16 x float> %v116, splat (float 0xBE6FDFDFE0000000)
  %v118 = fmul <16 x float> %v116, splat (float 0x3F70102000000000)
  %v119 = fadd <16 x float> %v118, %v117
  %v120 = fsub <16 x float> %v119, %v112
  %v121 = fmul <16 x float> %v77, %v120
  %v122 = fadd <16 x float> %v112, %v121
  %v123 = getelementptr float, ptr %state1.row.81, i64 %v110
  store <16 x float> %v122, ptr %v123, align 64
  %x.95.next = add nuw nsw i64 %x.95, 32
  %x.95.more = icmp ult i64 %x.95.next, 64
  br i1 %x.95.more, label %across.129, label %across.end.130
across.end.130:
  br label %done.126
done.126:
  %v131 = getelementptr float, ptr %state1.row.81, i64 4
  %v132 = load float, ptr %v131
  %v133 = getelementptr float, ptr %state1.row.81, i64 -4
  store float %v132, ptr %v133
  %v134 = getelementptr float, ptr %state1.row.81, i64 3
  %v135 = load float, ptr %v134
  %v136 = getelementptr float, ptr %state1.row.81, i64 -3
  store float %v135, ptr %v136
  %v137 = getelementptr float, ptr %state1.row.81, i64 2
  %v138 = load float, ptr %v137
  %v139 = getelementptr float, ptr %state1.row.81, i64 -2
  store float %v138, ptr %v139
  %v140 = getelementptr float, ptr %state1.row.81, i64 1
  %v141 = load float, ptr %v140
  %v142 = getelementptr float, ptr %state1.row.81, i64 -1
  store float %v141, ptr %v142
  %v143 = getelementptr float, ptr %state1.row.81, i64 62
  %v144 = load float, ptr %v143
  %v145 = getelementptr float, ptr %state1.row.81, i64 64
  store float %v144, ptr %v145
  %v146 = getelementptr float, ptr %state1.row.81, i64 61
  %v147 = load float, ptr %v146
  %v148 = getelementptr float, ptr %state1.row.81, i64 65
  store float %v147, ptr %v148
  %v149 = getelementptr float, ptr %state1.row.81, i64 60
  %v150 = load float, ptr %v149
  %v151 = getelementptr float, ptr %state1.row.81, i64 66
  store float %v150, ptr %v151
  %v152 = getelementptr float, ptr %state1.row.81, i64 59
  %v153 = load float, ptr %v152
  %v154 = getelementptr float, ptr %state1.row.81, i64 67
  store float %v153, ptr %v154
  br label %group0.end.58
group0.end.58:
  ; group 1: plane ring2; 5 rows ahead; 5 more above, 5 below
  %r.155 = add nsw i64 %s.50, 5
  %v156 = icmp sge i64 %r.155, %low1
  %v157 = icmp slt i64 %r.155, %high1
  %v158 = and i1 %v156, %v157
  ; group 2: plane ring3; 1 rows ahead; 1 more above, 1 below
  %r.159 = add nsw i64 %s.50, 1
  %v160 = icmp sge i64 %r.159, %low2
  %v161 = icmp slt i64 %r.159, %high2
  %v162 = and i1 %v160, %v161
  %v163 = icmp sge i64 %r.159, 4
  %v164 = and i1 %v158, %v162
  %v165 = and i1 %v163, %v164
  br i1 %v165, label %together.166, label %apart.167
together.166:
  %v169 = icmp sge i64 %r.155, %first_row
  %v170 = icmp slt i64 %r.155, %last_row
  %v171 = and i1 %v169, %v170
  %v176 = mul nsw i64 %r.155, 160
  %state1.row.177 = getelementptr float, ptr %state1, i64 %v176
  %v186 = load <16 x i32>, ptr %state1.row.177, align 64
  %v187 = bitcast <16 x i32> %v186 to <16 x float>
  %v188 = shufflevector <16 x float> %v187, <16 x float> poison, <16 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 4, i32 3, i32 2, i32 1>
  %v189 = bitcast <16 x float> %v188 to <16 x i32>
  %v190 = load <16 x i32>, ptr %state1.row.177, align 64
  %v300 = urem i64 %r.155, 8
  %v301 = mul nsw i64 %v300, 112
  %ring2.row.302 = getelementptr float, ptr %ring2, i64 %v301
  %v172 = icmp sge i64 %r.159, %first_row
  %v173 = icmp slt i64 %r.159, %last_row
  %v174 = and i1 %v172, %v173
  %v219 = urem i64 %r.159, 8
  %v220 = mul nsw i64 %v219, 112
  %ring2.row.221 = getelementptr float, ptr %ring2, i64 %v220
  %v225 = add i64 %r.159, 1
  %v226 = call i64 @llvm.abs.i64(i64 %v225, i1 false)
  %v227 = sub i64 94, %v226
  %v228 = call i64 @llvm.smin.i64(i64 %v226, i64 %v227)
  %v229 = urem i64 %v228, 8
  %v230 = mul nsw i64 %v229, 112
  %ring2.row.231 = getelementptr float, ptr %ring2, i64 %v230
  %v234 = add i64 %r.159, -1
  %v235 = call i64 @llvm.abs.i64(i64 %v234, i1 false)
  %v236 = sub i64 94, %v235
  %v237 = call i64 @llvm.smin.i64(i64 %v235, i64 %v236)
  %v238 = urem i64 %v237, 8
  %v239 = mul nsw i64 %v238, 112
  %ring2.row.240 = getelementptr float, ptr %ring2, i64 %v239
  %v245 = add i64 %r.159, 2
  %v246 = call i64 @llvm.abs.i64(i64 %v245, i1 false)
  %v247 = sub i64 94, %v246
  %v248 = call i64 @llvm.smin.i64(i64 %v246, i64 %v247)
  %v249 = urem i64 %v248, 8
  %v250 = mul nsw i64 %v249, 112
  %ring2.row.251 = getelementptr float, ptr %ring2, i64 %v250
  %v254 = add i64 %r.159, -2
  %v255 = call i64 @llvm.abs.i64(i64 %v254, i1 false)
  %v256 = sub i64 94, %v255
  %v257 = call i64 @llvm.smin.i64(i64 %v255, i64 %v256)
  %v258 = urem i64 %v257, 8
  %v259 = mul nsw i64 %v258, 112
  %ring2.row.260 = getelementptr float, ptr %ring2, i64 %v259
  %v266 = add i64 %r.159, 3
  %v267 = call i64 @llvm.abs.i64(i64 %v266, i1 false)
  %v268 = sub i64 94, %v267
  %v269 = call i64 @llvm.smin.i64(i64 %v267, i64 %v268)
  %v270 = urem i64 %v269, 8
  %v271 = mul nsw i64 %v270, 112
  %ring2.row.272 = getelementptr float, ptr %ring2, i64 %v271
  %v275 = add i64 %r.159, -3
  %v276 = call i64 @llvm.abs.i64(i64 %v275, i1 false)
  %v277 = sub i64 94, %v276
  %v278 = call i64 @llvm.smin.i64(i64 %v276, i64 %v277)
  %v279 = urem i64 %v278, 8
  %v280 = mul nsw i64 %v279, 112
  %ring2.row.281 = getelementptr float, ptr %ring2, i64 %v280
  %v286 = add i64 %r.159, -4
  %v287 = call i64 @llvm.abs.i64(i64 %v286, i1 false)
  %v288 = sub i64 94, %v287
  %v289 = call i64 @llvm.smin.i64(i64 %v287, i64 %v288)
  %v290 = urem i64 %v289, 8
  %v291 = mul nsw i64 %v290, 112
  %ring2.row.292 = getelementptr float, ptr %ring2, i64 %v291
  br label %across.371
across.371:
  %x.175 = phi i64 [ 0, %together.166 ], [ %x.175.next, %across.371 ]
  %before.181 = phi <16 x i32> [ %v189, %together.166 ], [ %v185, %across.371 ]
  %here.182 = phi <16 x i32> [ %v190, %together.166 ], [ %v311, %across.371 ]
  %v178 = getelementptr float, ptr %state1.row.177, i64 %x.175
  %v179 = load <16 x float>, ptr %v178, align 64
  %v180 = fmul <16 x float> %v179, splat (float 0x3FD9884A40000000)
  %v183 = getelementptr float, ptr %state1.row.177, i64 %x.175
  %v184 = getelementptr float, ptr %v183, i64 16
  %v185 = load <16 x i32>, ptr %v184, align 64
  %v191 = shufflevector <16 x i32> %here.182, <16 x i32> %v185, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16>
  %v192 = bitcast <16 x i32> %v191 to <16 x float>
  %v193 = shufflevector <16 x i32> %before.181, <16 x i32> %here.182, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v194 = bitcast <16 x i32> %v193 to <16 x float>
  %v195 = fadd <16 x float> %v194, %v192
  %v196 = fmul <16 x float> %v195, splat (float 0x3FCEF8EBA0000000)
  %v197 = shufflevector <16 x i32> %here.182, <16 x i32> %v185, <16 x i32> <i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17>
  %v198 = bitcast <16 x i32> %v197 to <16 x float>
  %v199 = shufflevector <16 x i32> %before.181, <16 x i32> %here.182, <16 x i32> <i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29>
  %v200 = bitcast <16 x i32> %v199 to <16 x float>
  %v201 = fadd <16 x float> %v200, %v198
  %v202 = fmul <16 x float> %v201, splat (float 0x3FABA4B9A0000000)
  %v203 = fadd <16 x float> %v202, %v196
  %v204 = shufflevector <16 x i32> %here.182, <16 x i32> %v185, <16 x i32> <i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18>
  %v205 = bitcast <16 x i32> %v204 to <16 x float>
  %v206 = shufflevector <16 x i32> %before.181, <16 x i32> %here.182, <16 x i32> <i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28>
  %v207 = bitcast <16 x i32> %v206 to <16 x float>
  %v208 = fadd <16 x float> %v207, %v205
  %v209 = fmul <16 x float> %v208, splat (float 0x3F722724C0000000)
  %v210 = shufflevector <16 x i32> %here.182, <16 x i32> %v185, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19>
  %v211 = bitcast <16 x i32> %v210 to <16 x float>
  %v212 = shufflevector <16 x i32> %before.181, <16 x i32> %here.182, <16 x i32> <i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27>
  %v213 = bitcast <16 x i32> %v212 to <16 x float>
  %v214 = fadd <16 x float> %v213, %v211
  %v215 = fmul <16 x float> %v214, splat (float 0x3F218A9C40000000)
  %v216 = fadd <16 x float> %v215, %v209
  %v217 = fadd <16 x float> %v216, %v203
  %v218 = fadd <16 x float> %v217, %v180
  %v222 = getelementptr float, ptr %ring2.row.221, i64 %x.175
  %v223 = load <16 x float>, ptr %v222, align 64
  %v224 = fmul <16 x float> %v223, splat (float 0x3FD9884A40000000)
  %v232 = getelementptr float, ptr %ring2.row.231, i64 %x.175
  %v233 = load <16 x float>, ptr %v232, align 64
  %v241 = getelementptr float, ptr %ring2.row.240, i64 %x.175
  %v242 = load <16 x float>, ptr %v241, align 64
  %v243 = fadd <16 x float> %v242, %v233
  %v244 = fmul <16 x float> %v243, splat (float 0x3FCEF8EBA0000000)
  %v252 = getelementptr float, ptr %ring2.row.251, i64 %x.175
  %v253 = load <16 x float>, ptr %v252, align 64
  %v261 = getelementptr float, ptr %ring2.row.260, i64 %x.175
  %v262 = load <16 x float>, ptr %v261, align 64
  %v263 = fadd <16 x float> %v262, %v253
  %v264 = fmul <16 x float> %v263, splat (float 0x3FABA4B9A0000000)
  %v265 = fadd <16 x float> %v264, %v244
  %v273 = getelementptr float, ptr %ring2.row.272, i64 %x.175
  %v274 = load <16 x float>, ptr %v273, align 64
  %v282 = getelementptr float, ptr %ring2.row.281, i64 %x.175
  %v283 = load <16 x float>, ptr %v282, align 64
  %v284 = fadd <16 x float> %v283, %v274
  %v285 = fmul <16 x float> %v284, splat (float 0x3F722724C0000000)
  %v293 = getelementptr float, ptr %ring2.row.292, i64 %x.175
  %v294 = load <16 x float>, ptr %v293, align 64
  %v295 = fadd <16 x float> %v294, %v218
  %v296 = fmul <16 x float> %v295, splat (float 0x3F218A9C40000000)
  %v297 = fadd <16 x float> %v296, %v285
  %v298 = fadd <16 x float> %v297, %v265
  %v299 = fadd <16 x float> %v298, %v224
  %v303 = getelementptr float, ptr %ring2.row.302, i64 %x.175
  store <16 x float> %v218, ptr %v303, align 64
  %v304 = getelementptr float, ptr %ring3, i64 %x.175
  store <16 x float> %v299, ptr %v304, align 64
  %v305 = add i64 %x.175, 16
  %v306 = getelementptr float, ptr %state1.row.177, i64 %v305
  %v307 = load <16 x float>, ptr %v306, align 64
  %v308 = fmul <16 x float> %v307, splat (float 0x3FD9884A40000000)
  %v309 = getelementptr float, ptr %state1.row.177, i64 %v305
  %v310 = getelementptr float, ptr %v309, i64 16
  %v311 = load <16 x i32>, ptr %v310, align 64
  %v312 = shufflevector <16 x i32> %v185, <16 x i32> %v311, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16>
  %v313 = bitcast <16 x i32> %v312 to <16 x float>
  %v314 = shufflevector <16 x i32> %here.182, <16 x i32> %v185, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v315 = bitcast <16 x i32> %v314 to <16 x float>
  %v316 = fadd <16 x float> %v315, %v313
  %v317 = fmul <16 x float> %v316, splat (float 0x3FCEF8EBA0000000)
  %v318 = shufflevector <16 x i32> %v185, <16 x i32> %v311, <16 x i32> <i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17>
  %v319 = bitcast <16 x i32> %v318 to <16 x float>
  %v320 = shufflevector <16 x i32> %here.182, <16 x i32> %v185, <16 x i32> <i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29>
  %v321 = bitcast <16 x i32> %v320 to <16 x float>
  %v322 = fadd <16 x float> %v321, %v319
  %v323 = fmul <16 x float> %v322, splat (float 0x3FABA4B9A0000000)
  %v324 = fadd <16 x float> %v323, %v317
  %v325 = shufflevector <16 x i32> %v185, <16 x i32> %v311, <16 x i32> <i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18>
  %v326 = bitcast <16 x i32> %v325 to <16 x float>
  %v327 = shufflevector <16 x i32> %here.182, <16 x i32> %v185, <16 x i32> <i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28>
  %v328 = bitcast <16 x i32> %v327 to <16 x float>
  %v329 = fadd <16 x float> %v328, %v326
  %v330 = fmul <16 x float> %v329, splat (float 0x3F722724C0000000)
  %v331 = shufflevector <16 x i32> %v185, <16 x i32> %v311, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19>
  %v332 = bitcast <16 x i32> %v331 to <16 x float>
  %v333 = shufflevector <16 x i32> %here.182, <16 x i32> %v185, <16 x i32> <i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27>
  %v334 = bitcast <16 x i32> %v333 to <16 x float>
  %v335 = fadd <16 x float> %v334, %v332
  %v336 = fmul <16 x float> %v335, splat (float 0x3F218A9C40000000)
  %v337 = fadd <16 x float> %v336, %v330
  %v338 = fadd <16 x float> %v337, %v324
  %v339 = fadd <16 x float> %v338, %v308
  %v340 = getelementptr float, ptr %ring2.row.221, i64 %v305
  %v341 = load <16 x float>, ptr %v340, align 64
  %v342 = fmul <16 x float> %v341, splat (float 0x3FD9884A40000000)
  %v343 = getelementptr float, ptr %ring2.row.231, i64 %v305
  %v344 = load <16 x float>, ptr %v343, align 64
  %v345 = getelementptr float, ptr %ring2.row.240, i64 %v305
  %v346 = load <16 x float>, ptr %v345, align 64
  %v347 = fadd <16 x float> %v346, %v344
  %v348 = fmul <16 x float> %v347, splat (float 0x3FCEF8EBA0000000)
  %v349 = getelementptr float, ptr %ring2.row.251, i64 %v305
  %v350 = load <16 x float>, ptr %v349, align 64
  %v351 = getelementptr float, ptr %ring2.row.260, i64 %v305
  %v352 = load <16 x float>, ptr %v351, align 64
  %v353 = fadd <16 x float> %v352, %v350
  %v354 = fmul <16 x float> %v353, splat (float 0x3FABA4B9A0000000)
  %v355 = fadd <16 x float> %v354, %v348
  %v356 = getelementptr float, ptr %ring2.row.272, i64 %v305
  %v357 = load <16 x float>, ptr %v356, align 64
  %v358 = getelementptr float, ptr %ring2.row.281, i64 %v305
  %v359 = load <16 x float>, ptr %v358, align 64
  %v360 = fadd <16 x float> %v359, %v357
  %v361 = fmul <16 x float> %v360, splat (float 0x3F722724C0000000)
  %v362 = getelementptr float, ptr %ring2.row.292, i64 %v305
  %v363 = load <16 x float>, ptr %v362, align 64
  %v364 = fadd <16 x float> %v363, %v339
  %v365 = fmul <16 x float> %v364, splat (float 0x3F218A9C40000000)
  %v366 = fadd <16 x float> %v365, %v361
  %v367 = fadd <16 x float> %v366, %v355
  %v368 = fadd <16 x float> %v367, %v342
  %v369 = getelementptr float, ptr %ring2.row.302, i64 %v305
  store <16 x float> %v339, ptr %v369, align 64
  %v370 = getelementptr float, ptr %ring3, i64 %v305
  store <16 x float> %v368, ptr %v370, align 64
  %x.175.next = add nuw nsw i64 %x.175, 32
  %x.175.more = icmp ult i64 %x.175.next, 64
  br i1 %x.175.more, label %across.371, label %across.end.372
across.end.372:
  %v373 = getelementptr float, ptr %ring3, i64 1
  %v374 = load float, ptr %v373
  %v375 = getelementptr float, ptr %ring3, i64 -1
  store float %v374, ptr %v375
  %v376 = getelementptr float, ptr %ring3, i64 62
  %v377 = load float, ptr %v376
  %v378 = getelementptr float, ptr %ring3, i64 64
  store float %v377, ptr %v378
  br label %joined.168
apart.167:
  ; group 1: plane ring2; 5 rows ahead; 5 more above, 5 below
  %r.379 = add nsw i64 %s.50, 5
  %v380 = icmp sge i64 %r.379, %low1
  %v381 = icmp slt i64 %r.379, %high1
  %v382 = and i1 %v380, %v381
  br i1 %v382, label %group1.383, label %group1.end.384
group1.383:
  %v385 = icmp sge i64 %r.379, %first_row
  %v386 = icmp slt i64 %r.379, %last_row
  %v387 = and i1 %v385, %v386
  %v389 = mul nsw i64 %r.379, 160
  %state1.row.390 = getelementptr float, ptr %state1, i64 %v389
  %v399 = load <16 x i32>, ptr %state1.row.390, align 64
  %v400 = bitcast <16 x i32> %v399 to <16 x float>
  %v401 = shufflevector <16 x float> %v400, <16 x float> poison, <16 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 4, i32 3, i32 2, i32 1>
  %v402 = bitcast <16 x float> %v401 to <16 x i32>
  %v403 = load <16 x i32>, ptr %state1.row.390, align 64
  %v432 = urem i64 %r.379, 8
  %v433 = mul nsw i64 %v432, 112
  %ring2.row.434 = getelementptr float, ptr %ring2, i64 %v433
  br label %across.436
across.436:
  %x.388 = phi i64 [ 0, %group1.383 ], [ %x.388.next, %across.436 ]
  %before.394 = phi <16 x i32> [ %v402, %group1.383 ], [ %here.395, %across.436 ]
  %here.395 = phi <16 x i32> [ %v403, %group1.383 ], [ %v398, %across.436 ]
  %v391 = getelementptr float, ptr %state1.row.390, i64 %x.388
  %v392 = load <16 x float>, ptr %v391, align 64
  %v393 = fmul <16 x float> %v392, splat (float 0x3FD9884A40000000)
  %v396 = getelementptr float, ptr %state1.row.390, i64 %x.388
  %v397 = getelementptr float, ptr %v396, i64 16
  %v398 = load <16 x i32>, ptr %v397, align 64
  %v404 = shufflevector <16 x i32> %here.395, <16 x i32> %v398, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16>
  %v405 = bitcast <16 x i32> %v404 to <16 x float>
  %v406 = shufflevector <16 x i32> %before.394, <16 x i32> %here.395, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v407 = bitcast <16 x i32> %v406 to <16 x float>
  %v408 = fadd <16 x float> %v407, %v405
  %v409 = fmul <16 x float> %v408, splat (float 0x3FCEF8EBA0000000)
  %v410 = shufflevector <16 x i32> %here.395, <16 x i32> %v398, <16 x i32> <i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17>
  %v411 = bitcast <16 x i32> %v410 to <16 x float>
  %v412 = shufflevector <16 x i32> %before.394, <16 x i32> %here.395, <16 x i32> <i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29>
  %v413 = bitcast <16 x i32> %v412 to <16 x float>
  %v414 = fadd <16 x float> %v413, %v411
  %v415 = fmul <16 x float> %v414, splat (float 0x3FABA4B9A0000000)
  %v416 = fadd <16 x float> %v415, %v409
  %v417 = shufflevector <16 x i32> %here.395, <16 x i32> %v398, <16 x i32> <i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18>
  %v418 = bitcast <16 x i32> %v417 to <16 x float>
  %v419 = shufflevector <16 x i32> %before.394, <16 x i32> %here.395, <16 x i32> <i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28>
  %v420 = bitcast <16 x i32> %v419 to <16 x float>
  %v421 = fadd <16 x float> %v420, %v418
  %v422 = fmul <16 x float> %v421, splat (float 0x3F722724C0000000)
  %v423 = shufflevector <16 x i32> %here.395, <16 x i32> %v398, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19>
  %v424 = bitcast <16 x i32> %v423 to <16 x float>
  %v425 = shufflevector <16 x i32> %before.394, <16 x i32> %here.395, <16 x i32> <i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27>
  %v426 = bitcast <16 x i32> %v425 to <16 x float>
  %v427 = fadd <16 x float> %v426, %v424
  %v428 = fmul <16 x float> %v427, splat (float 0x3F218A9C40000000)
  %v429 = fadd <16 x float> %v428, %v422
  %v430 = fadd <16 x float> %v429, %v416
  %v431 = fadd <16 x float> %v430, %v393
  %v435 = getelementptr float, ptr %ring2.row.434, i64 %x.388
  store <16 x float> %v431, ptr %v435, align 64
  %x.388.next = add nuw nsw i64 %x.388, 16
  %x.388.more = icmp ult i64 %x.388.next, 64
  br i1 %x.388.more, label %across.436, label %across.end.437
across.end.437:
  br label %group1.end.384
group1.end.384:
  ; group 2: plane ring3; 1 rows ahead; 1 more above, 1 below
  %r.438 = add nsw i64 %s.50, 1
  %v439 = icmp sge i64 %r.438, %low2
  %v440 = icmp slt i64 %r.438, %high2
  %v441 = and i1 %v439, %v440
  br i1 %v441, label %group2.442, label %group2.end.443
group2.442:
  %v444 = icmp sge i64 %r.438, %first_row
  %v445 = icmp slt i64 %r.438, %last_row
  %v446 = and i1 %v444, %v445
  %v448 = urem i64 %r.438, 8
  %v449 = mul nsw i64 %v448, 112
  %ring2.row.450 = getelementptr float, ptr %ring2, i64 %v449
  %v454 = add i64 %r.438, 1
  %v455 = call i64 @llvm.abs.i64(i64 %v454, i1 false)
  %v456 = sub i64 94, %v455
  %v457 = call i64 @llvm.smin.i64(i64 %v455, i64 %v456)
  %v458 = urem i64 %v457, 8
  %v459 = mul nsw i64 %v458, 112
  %ring2.row.460 = getelementptr float, ptr %ring2, i64 %v459
  %v463 = add i64 %r.438, -1
  %v464 = call i64 @llvm.abs.i64(i64 %v463, i1 false)
  %v465 = sub i64 94, %v464
  %v466 = call i64 @llvm.smin.i64(i64 %v464, i64 %v465)
  %v467 = urem i64 %v466, 8
  %v468 = mul nsw i64 %v467, 112
  %ring2.row.469 = getelementptr float, ptr %ring2, i64 %v468
  %v474 = add i64 %r.438, 2
  %v475 = call i64 @llvm.abs.i64(i64 %v474, i1 false)
  %v476 = sub i64 94, %v475
  %v477 = call i64 @llvm.smin.i64(i64 %v475, i64 %v476)
  %v478 = urem i64 %v477, 8
  %v479 = mul nsw i64 %v478, 112
  %ring2.row.480 = getelementptr float, ptr %ring2, i64 %v479
  %v483 = add i64 %r.438, -2
  %v484 = call i64 @llvm.abs.i64(i64 %v483, i1 false)
  %v485 = sub i64 94, %v484
  %v486 = call i64 @llvm.smin.i64(i64 %v484, i64 %v485)
  %v487 = urem i64 %v486, 8
  %v488 = mul nsw i64 %v487, 112
  %ring2.row.489 = getelementptr float, ptr %ring2, i64 %v488
  %v495 = add i64 %r.438, 3
  %v496 = call i64 @llvm.abs.i64(i64 %v495, i1 false)
  %v497 = sub i64 94, %v496
  %v498 = call i64 @llvm.smin.i64(i64 %v496, i64 %v497)
  %v499 = urem i64 %v498, 8
  %v500 = mul nsw i64 %v499, 112
  %ring2.row.501 = getelementptr float, ptr %ring2, i64 %v500
  %v504 = add i64 %r.438, -3
  %v505 = call i64 @llvm.abs.i64(i64 %v504, i1 false)
  %v506 = sub i64 94, %v505
  %v507 = call i64 @llvm.smin.i64(i64 %v505, i64 %v506)
  %v508 = urem i64 %v507, 8
  %v509 = mul nsw i64 %v508, 112
  %ring2.row.510 = getelementptr float, ptr %ring2, i64 %v509
  %v515 = add i64 %r.438, 4
  %v516 = call i64 @llvm.abs.i64(i64 %v515, i1 false)
  %v517 = sub i64 94, %v516
  %v518 = call i64 @llvm.smin.i64(i64 %v516, i64 %v517)
  %v519 = urem i64 %v518, 8
  %v520 = mul nsw i64 %v519, 112
  %ring2.row.521 = getelementptr float, ptr %ring2, i64 %v520
  %v524 = add i64 %r.438, -4
  %v525 = call i64 @llvm.abs.i64(i64 %v524, i1 false)
  %v526 = sub i64 94, %v525
  %v527 = call i64 @llvm.smin.i64(i64 %v525, i64 %v526)
  %v528 = urem i64 %v527, 8
  %v529 = mul nsw i64 %v528, 112
  %ring2.row.530 = getelementptr float, ptr %ring2, i64 %v529
  br label %across.539
across.539:
  %x.447 = phi i64 [ 0, %group2.442 ], [ %x.447.next, %across.539 ]
  %v451 = getelementptr float, ptr %ring2.row.450, i64 %x.447
  %v452 = load <16 x float>, ptr %v451, align 64
  %v453 = fmul <16 x float> %v452, splat (float 0x3FD9884A40000000)
  %v461 = getelementptr float, ptr %ring2.row.460, i64 %x.447
  %v462 = load <16 x float>, ptr %v461, align 64
  %v470 = getelementptr float, ptr %ring2.row.469, i64 %x.447
  %v471 = load <16 x float>, ptr %v470, align 64
  %v472 = fadd <16 x float> %v471, %v462
  %v473 = fmul <16 x float> %v472, splat (float 0x3FCEF8EBA0000000)
  %v481 = getelementptr float, ptr %ring2.row.480, i64 %x.447
  %v482 = load <16 x float>, ptr %v481, align 64
  %v490 = getelementptr float, ptr %ring2.row.489, i64 %x.447
  %v491 = load <16 x float>, ptr %v490, align 64
  %v492 = fadd <16 x float> %v491, %v482
  %v493 = fmul <16 x float> %v492, splat (float 0x3FABA4B9A0000000)
  %v494 = fadd <16 x float> %v493, %v473
  %v502 = getelementptr float, ptr %ring2.row.501, i64 %x.447
  %v503 = load <16 x float>, ptr %v502, align 64
  %v511 = getelementptr float, ptr %ring2.row.510, i64 %x.447
  %v512 = load <16 x float>, ptr %v511, align 64
  %v513 = fadd <16 x float> %v512, %v503
  %v514 = fmul <16 x float> %v513, splat (float 0x3F722724C0000000)
  %v522 = getelementptr float, ptr %ring2.row.521, i64 %x.447
  %v523 = load <16 x float>, ptr %v522, align 64
  %v531 = getelementptr float, ptr %ring2.row.530, i64 %x.447
  %v532 = load <16 x float>, ptr %v531, align 64
  %v533 = fadd <16 x float> %v532, %v523
  %v534 = fmul <16 x float> %v533, splat (float 0x3F218A9C40000000)
  %v535 = fadd <16 x float> %v534, %v514
  %v536 = fadd <16 x float> %v535, %v494
  %v537 = fadd <16 x float> %v536, %v453
  %v538 = getelementptr float, ptr %ring3, i64 %x.447
  store <16 x float> %v537, ptr %v538, align 64
  %x.447.next = add nuw nsw i64 %x.447, 16
  %x.447.more = icmp ult i64 %x.447.next, 64
  br i1 %x.447.more, label %across.539, label %across.end.540
across.end.540:
  %v541 = getelementptr float, ptr %ring3, i64 1
  %v542 = load float, ptr %v541
  %v543 = getelementptr float, ptr %ring3, i64 -1
  store float %v542, ptr %v543
  %v544 = getelementptr float, ptr %ring3, i64 62
  %v545 = load float, ptr %v544
  %v546 = getelementptr float, ptr %ring3, i64 64
  store float %v545, ptr %v546
  br label %group2.end.443
group2.end.443:
  br label %joined.168
joined.168:
  ; group 3: plane ring4, plane ring5; 1 rows ahead; 1 more above, 1 below
  %r.547 = add nsw i64 %s.50, 1
  %v548 = icmp sge i64 %r.547, %low3
  %v549 = icmp slt i64 %r.547, %high3
  %v550 = and i1 %v548, %v549
  ; group 4: output; 0 rows ahead; 0 more above, 0 below
  %r.551 = add nsw i64 %s.50, 0
  %v552 = icmp sge i64 %r.551, %low4
  %v553 = icmp slt i64 %r.551, %high4
  %v554 = and i1 %v552, %v553
  %v555 = icmp sge i64 %r.551, 1
  %v556 = and i1 %v550, %v554
  %v557 = and i1 %v555, %v556
  br i1 %v557, label %together.558, label %apart.559
together.558:
  %v561 = icmp sge i64 %r.547, %first_row
  %v562 = icmp slt i64 %r.547, %last_row
  %v563 = and i1 %v561, %v562
  %v570 = load <16 x i32>, ptr %ring3, align 64
  %v571 = bitcast <16 x i32> %v570 to <16 x float>
  %v572 = shufflevector <16 x float> %v571, <16 x float> poison, <16 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 1>
  %v573 = bitcast <16 x float> %v572 to <16 x i32>
  %v574 = load <16 x i32>, ptr %ring3, align 64
  %v689 = urem i64 %r.547, 2
  %v690 = mul nsw i64 %v689, 112
  %ring4.row.691 = getelementptr float, ptr %ring4, i64 %v690
  %v693 = urem i64 %r.547, 2
  %v694 = mul nsw i64 %v693, 112
  %ring5.row.695 = getelementptr float, ptr %ring5, i64 %v694
  %v584 = add i64 %r.551, -1
  %v585 = call i64 @llvm.abs.i64(i64 %v584, i1 false)
  %v586 = sub i64 94, %v585
  %v587 = call i64 @llvm.smin.i64(i64 %v585, i64 %v586)
  %v588 = urem i64 %v587, 2
  %v589 = mul nsw i64 %v588, 112
  %ring5.row.590 = getelementptr float, ptr %ring5, i64 %v589
  %v595 = urem i64 %r.551, 2
  %v596 = mul nsw i64 %v595, 112
  %ring4.row.597 = getelementptr float, ptr %ring4, i64 %v596
  %v601 = add i64 %r.551, -1
  %v602 = call i64 @llvm.abs.i64(i64 %v601, i1 false)
  %v603 = sub i64 94, %v602
  %v604 = call i64 @llvm.smin.i64(i64 %v602, i64 %v603)
  %v605 = urem i64 %v604, 2
  %v606 = mul nsw i64 %v605, 112
  %ring4.row.607 = getelementptr float, ptr %ring4, i64 %v606
  %v697 = mul nsw i64 %r.551, 64
  %out.row.698 = getelementptr i8, ptr %output0, i64 %v697
  br label %across.733
across.733:
  %x.564 = phi i64 [ 0, %together.558 ], [ %x.564.next, %across.733 ]
  %before.565 = phi <16 x i32> [ %v573, %together.558 ], [ %v569, %across.733 ]
  %here.566 = phi <16 x i32> [ %v574, %together.558 ], [ %v705, %across.733 ]
  %v567 = getelementptr float, ptr %ring3, i64 %x.564
  %v568 = getelementptr float, ptr %v567, i64 16
  %v569 = load <16 x i32>, ptr %v568, align 64
  %v575 = shufflevector <16 x i32> %before.565, <16 x i32> %here.566, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v576 = bitcast <16 x i32> %v575 to <16 x float>
  %v577 = shufflevector <16 x i32> %here.566, <16 x i32> %v569, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16>
  %v578 = bitcast <16 x i32> %v577 to <16 x float>
  %v579 = fsub <16 x float> %v578, %v576
  %v580 = bitcast <16 x i32> %here.566 to <16 x float>
  %v581 = fmul <16 x float> %v580, splat (float 0x4000000000000000)
  %v582 = fadd <16 x float> %v576, %v578
  %v583 = fadd <16 x float> %v582, %v581
  %v591 = getelementptr float, ptr %ring5.row.590, i64 %x.564
  %v592 = load <16 x float>, ptr %v591, align 64
  %v593 = fsub <16 x float> %v583, %v592
  %v594 = fmul <16 x float> %v593, %v593
  %v598 = getelementptr float, ptr %ring4.row.597, i64 %x.564
  %v599 = load <16 x float>, ptr %v598, align 64
  %v600 = fmul <16 x float> %v599, splat (float 0x4000000000000000)
  %v608 = getelementptr float, ptr %ring4.row.607, i64 %x.564
  %v609 = load <16 x float>, ptr %v608, align 64
  %v610 = fadd <16 x float> %v609, %v579
  %v611 = fadd <16 x float> %v610, %v600
  %v612 = fmul <16 x float> %v611, %v611
  %v613 = fadd <16 x float> %v612, %v594
  %v688 = fcmp olt <16 x float> %v687, %v613
  %v692 = getelementptr float, ptr %ring4.row.691, i64 %x.564
  store <16 x float> %v579, ptr %v692, align 64
  %v696 = getelementptr float, ptr %ring5.row.695, i64 %x.564
  store <16 x float> %v583, ptr %v696, align 64
  %v699 = getelementptr i8, ptr %out.row.698, i64 %x.564
  %v700 = zext <16 x i1> %v688 to <16 x i8>
  %v701 = getelementptr i8, ptr %v699, i64 128
  call void @llvm.prefetch.p0(ptr %v701, i32 1, i32 3, i32 1)
  store <16 x i8> %v700, ptr %v699, align 1
  %v702 = add i64 %x.564, 16
  %v703 = getelementptr float, ptr %ring3, i64 %v702
  %v704 = getelementptr float, ptr %v703, i64 16
  %v705 = load <16 x i32>, ptr %v704, align 64
  %v706 = shufflevector <16 x i32> %here.566, <16 x i32> %v569, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v707 = bitcast <16 x i32> %v706 to <16 x float>
  %v708 = shufflevector <16 x i32> %v569, <16 x i32> %v705, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16>
  %v709 = bitcast <16 x i32> %v708 to <16 x float>
  %v710 = fsub <16 x float> %v709, %v707
  %v711 = bitcast <16 x i32> %v569 to <16 x float>
  %v712 = fmul <16 x float> %v711, splat (float 0x4000000000000000)
  %v713 = fadd <16 x float> %v707, %v709
  %v714 = fadd <16 x float> %v713, %v712
  %v715 = getelementptr float, ptr %ring5.row.590, i64 %v702
  %v716 = load <16 x float>, ptr %v715, align 64
  %v717 = fsub <16 x float> %v714, %v716
  %v718 = fmul <16 x float> %v717, %v717
  %v719 = getelementptr float, ptr %ring4.row.597, i64 %v702
  %v720 = load <16 x float>, ptr %v719, align 64
  %v721 = fmul <16 x float> %v720, splat (float 0x4000000000000000)
  %v722 = getelementptr float, ptr %ring4.row.607, i64 %v702
  %v723 = load <16 x float>, ptr %v722, align 64
  %v724 = fadd <16 x float> %v723, %v710
  %v725 = fadd <16 x float> %v724, %v721
  %v726 = fmul <16 x float> %v725, %v725
  %v727 = fadd <16 x float> %v726, %v718
  %v728 = fcmp olt <16 x float> %v687, %v727
  %v729 = getelementptr float, ptr %ring4.row.691, i64 %v702
  store <16 x float> %v710, ptr %v729, align 64
  %v730 = getelementptr float, ptr %ring5.row.695, i64 %v702
  store <16 x float> %v714, ptr %v730, align 64
  %v731 = getelementptr i8, ptr %out.row.698, i64 %v702
  %v732 = zext <16 x i1> %v728 to <16 x i8>
  store <16 x i8> %v732, ptr %v731, align 1
  %x.564.next = add nuw nsw i64 %x.564, 32
  %x.564.more = icmp ult i64 %x.564.next, 64
  br i1 %x.564.more, label %across.733, label %across.end.734
across.end.734:
  br label %joined.560
apart.559:
  ; group 3: plane ring4, plane ring5; 1 rows ahead; 1 more above, 1 below
  %r.735 = add nsw i64 %s.50, 1
  %v736 = icmp sge i64 %r.735, %low3
  %v737 = icmp slt i64 %r.735, %high3
  %v738 = and i1 %v736, %v737
  br i1 %v738, label %group3.739, label %group3.end.740
group3.739:
  %v741 = icmp sge i64 %r.735, %first_row
  %v742 = icmp slt i64 %r.735, %last_row
  %v743 = and i1 %v741, %v742
  %v750 = load <16 x i32>, ptr %ring3, align 64
  %v751 = bitcast <16 x i32> %v750 to <16 x float>
  %v752 = shufflevector <16 x float> %v751, <16 x float> poison, <16 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 1>
  %v753 = bitcast <16 x float> %v752 to <16 x i32>
  %v754 = load <16 x i32>, ptr %ring3, align 64
  %v764 = urem i64 %r.735, 2
  %v765 = mul nsw i64 %v764, 112
  %ring4.row.766 = getelementptr float, ptr %ring4, i64 %v765
  %v768 = urem i64 %r.735, 2
  %v769 = mul nsw i64 %v768, 112
  %ring5.row.770 = getelementptr float, ptr %ring5, i64 %v769
  br label %across.772
across.772:
  %x.744 = phi i64 [ 0, %group3.739 ], [ %x.744.next, %across.772 ]
  %before.745 = phi <16 x i32> [ %v753, %group3.739 ], [ %here.746, %across.772 ]
  %here.746 = phi <16 x i32> [ %v754, %group3.739 ], [ %v749, %across.772 ]
  %v747 = getelementptr float, ptr %ring3, i64 %x.744
  %v748 = getelementptr float, ptr %v747, i64 16
  %v749 = load <16 x i32>, ptr %v748, align 64
  %v755 = shufflevector <16 x i32> %before.745, <16 x i32> %here.746, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v756 = bitcast <16 x i32> %v755 to <16 x float>
  %v757 = shufflevector <16 x i32> %here.746, <16 x i32> %v749, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16>
  %v758 = bitcast <16 x i32> %v757 to <16 x float>
  %v759 = fsub <16 x float> %v758, %v756
  %v760 = bitcast <16 x i32> %here.746 to <16 x float>
  %v761 = fmul <16 x float> %v760, splat (float 0x4000000000000000)
  %v762 = fadd <16 x float> %v756, %v758
  %v763 = fadd <16 x float> %v762, %v761
  %v767 = getelementptr float, ptr %ring4.row.766, i64 %x.744
  store <16 x float> %v759, ptr %v767, align 64
  %v771 = getelementptr float, ptr %ring5.row.770, i64 %x.744
  store <16 x float> %v763, ptr %v771, align 64
  %x.744.next = add nuw nsw i64 %x.744, 16
  %x.744.more = icmp ult i64 %x.744.next, 64
  br i1 %x.744.more, label %across.772, label %across.end.773
across.end.773:
  br label %group3.end.740
group3.end.740:
  ; group 4: output; 0 rows ahead; 0 more above, 0 below
  %r.774 = add nsw i64 %s.50, 0
  %v775 = icmp sge i64 %r.774, %low4
  %v776 = icmp slt i64 %r.774, %high4
  %v777 = and i1 %v775, %v776
  br i1 %v777, label %group4.778, label %group4.end.779
group4.778:
  %v781 = add i64 %r.774, -1
  %v782 = call i64 @llvm.abs.i64(i64 %v781, i1 false)
  %v783 = sub i64 94, %v782
  %v784 = call i64 @llvm.smin.i64(i64 %v782, i64 %v783)
  %v785 = urem i64 %v784, 2
  %v786 = mul nsw i64 %v785, 112
  %ring5.row.787 = getelementptr float, ptr %ring5, i64 %v786
  %v790 = add i64 %r.774, 1
  %v791 = call i64 @llvm.abs.i64(i64 %v790, i1 false)
  %v792 = sub i64 94, %v791
  %v793 = call i64 @llvm.smin.i64(i64 %v791, i64 %v792)
  %v794 = urem i64 %v793, 2
  %v795 = mul nsw i64 %v794, 112
  %ring5.row.796 = getelementptr float, ptr %ring5, i64 %v795
  %v801 = urem i64 %r.774, 2
  %v802 = mul nsw i64 %v801, 112
  %ring4.row.803 = getelementptr float, ptr %ring4, i64 %v802
  %v807 = add i64 %r.774, 1
  %v808 = call i64 @llvm.abs.i64(i64 %v807, i1 false)
  %v809 = sub i64 94, %v808
  %v810 = call i64 @llvm.smin.i64(i64 %v808, i64 %v809)
  %v811 = urem i64 %v810, 2
  %v812 = mul nsw i64 %v811, 112
  %ring4.row.813 = getelementptr float, ptr %ring4, i64 %v812
  %v816 = add i64 %r.774, -1
  %v817 = call i64 @llvm.abs.i64(i64 %v816, i1 false)
  %v818 = sub i64 94, %v817
  %v819 = call i64 @llvm.smin.i64(i64 %v817, i64 %v818)
  %v820 = urem i64 %v819, 2
  %v821 = mul nsw i64 %v820, 112
  %ring4.row.822 = getelementptr float, ptr %ring4, i64 %v821
  %v830 = mul nsw i64 %r.774, 64
  %out.row.831 = getelementptr i8, ptr %output0, i64 %v830
  br label %across.835
across.835:
  %x.780 = phi i64 [ 0, %group4.778 ], [ %x.780.next, %across.835 ]
  %v788 = getelementptr float, ptr %ring5.row.787, i64 %x.780
  %v789 = load <16 x float>, ptr %v788, align 64
  %v797 = getelementptr float, ptr %ring5.row.796, i64 %x.780
  %v798 = load <16 x float>, ptr %v797, align 64
  %v799 = fsub <16 x float> %v798, %v789
  %v800 = fmul <16 x float> %v799, %v799
  %v804 = getelementptr float, ptr %ring4.row.803, i64 %x.780
  %v805 = load <16 x float>, ptr %v804, align 64
  %v806 = fmul <16 x float> %v805, splat (float 0x4000000000000000)
  %v814 = getelementptr float, ptr %ring4.row.813, i64 %x.780
  %v815 = load <16 x float>, ptr %v814, align 64
  %v823 = getelementptr float, ptr %ring4.row.822, i64 %x.780
  %v824 = load <16 x float>, ptr %v823, align 64
  %v825 = fadd <16 x float> %v824, %v815
  %v826 = fadd <16 x float> %v825, %v806
  %v827 = fmul <16 x float> %v826, %v826
  %v828 = fadd <16 x float> %v827, %v800
  %v829 = fcmp olt <16 x float> %v687, %v828
  %v832 = getelementptr i8, ptr %out.row.831, i64 %x.780
  %v833 = zext <16 x i1> %v829 to <16 x i8>
  %v834 = getelementptr i8, ptr %v832, i64 128
  call void @llvm.prefetch.p0(ptr %v834, i32 1, i32 3, i32 1)
  store <16 x i8> %v833, ptr %v832, align 1
  %x.780.next = add nuw nsw i64 %x.780, 16
  %x.780.more = icmp ult i64 %x.780.next, 64
  br i1 %x.780.more, label %across.835, label %across.end.836
across.end.836:
  br label %group4.end.779
group4.end.779:
  br label %joined.560
joined.560:
  br label %step.next.51
step.next.51:
  %s.50.next = add nsw i64 %s.50, 1
  br label %step.47
step.end.49:
  br label %t.next.42
t.next.42:
  %t.41.next = add nsw i64 %t.41, 1
  br label %t.38
t.end.40:
  ret void
}

declare <16 x float> @llvm.sqrt.v16f32(<16 x float>)
declare i64 @llvm.abs.i64(i64, i1)
declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.smin.i64(i64, i64)
declare void @llvm.prefetch.p0(ptr, i32, i32, i32)

; whole: a host function, nothing is generated

; markers: a host function, nothing is generated
