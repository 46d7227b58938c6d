; gray+scale+steady+smooth+edges+rim
;
; in0: 64x48 u8
; scale.out: 64x48 f32, leaves
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
;   row y, 16 pixels a vector:
;     t1 = f32(in0[y, x])
;     scale.out = (t1 * 0.003921627998352051) + (t1 * -5.9370901084321304e-08)
;   row y+5, from 5 above the strip to 5 below, 16 pixels a vector:
;     t1 = ((state1[y, x-4] * 0.0001338306174147874) + (state1[y, x-3] * 0.004431861452758312)) + (state1[y, x-2] * 0.053991127759218216)
;     t2 = ((t1 + (state1[y, x-1] * 0.2419714480638504)) + (state1[y, x] * 0.3989434838294983)) + (state1[y, x+1] * 0.2419714480638504)
;     ring2 = ((t2 + (state1[y, x+2] * 0.053991127759218216)) + (state1[y, x+3] * 0.004431861452758312)) + (state1[y, x+4] * 0.0001338306174147874)
;   row y+1, from 1 above the strip to 1 below, 16 pixels a vector:
;     t1 = (ring2[y-4, x]{reflect101} * 0.0001338306174147874) + (ring2[y-3, x]{reflect101} * 0.004431861452758312)
;     t2 = (t1 + (ring2[y-2, x]{reflect101} * 0.053991127759218216)) + (ring2[y-1, x]{reflect101} * 0.2419714480638504)
;     t3 = (t2 + (ring2[y, x] * 0.3989434838294983)) + (ring2[y+1, x]{reflect101} * 0.2419714480638504)
;     t4 = (t3 + (ring2[y+2, x]{reflect101} * 0.053991127759218216)) + (ring2[y+3, x]{reflect101} * 0.004431861452758312)
;     ring3 = t4 + (ring2[y+4, x]{reflect101} * 0.0001338306174147874)
;   row y+1, from 1 above the strip to 1 below, 16 pixels a vector:
;     ring4 = (-ring3[y, x-1]) + ring3[y, x+1]
;     ring5 = (ring3[y, x-1] + (ring3[y, x] * 2.0)) + ring3[y, x+1]
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
;     t12 = (ring4[y-1, x]{reflect101} + (ring4[y, x] * 2.0)) + ring4[y+1, x]{reflect101}
;     t13 = (-ring5[y-1, x]{reflect101}) + ring5[y+1, x]{reflect101}
;     rim.out = t11 < ((t12 * t12) + (t13 * t13))

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
  %v7 = getelementptr i8, ptr %args, i64 48
  %state1 = load ptr, ptr %v7, align 8
  %v8 = sub i64 %first_row, 5
  %v9 = add i64 %last_row, 5
  %low0 = call i64 @llvm.smax.i64(i64 %v8, i64 0)
  %high0 = call i64 @llvm.smin.i64(i64 %v9, i64 48)
  %v10 = sub i64 %first_row, 0
  %v11 = add i64 %last_row, 0
  %low1 = call i64 @llvm.smax.i64(i64 %v10, i64 0)
  %high1 = call i64 @llvm.smin.i64(i64 %v11, i64 48)
  %v12 = sub i64 %first_row, 5
  %v13 = add i64 %last_row, 5
  %low2 = call i64 @llvm.smax.i64(i64 %v12, i64 0)
  %high2 = call i64 @llvm.smin.i64(i64 %v13, i64 48)
  %v14 = sub i64 %first_row, 1
  %v15 = add i64 %last_row, 1
  %low3 = call i64 @llvm.smax.i64(i64 %v14, i64 0)
  %high3 = call i64 @llvm.smin.i64(i64 %v15, i64 48)
  %v16 = sub i64 %first_row, 1
  %v17 = add i64 %last_row, 1
  %low4 = call i64 @llvm.smax.i64(i64 %v16, i64 0)
  %high4 = call i64 @llvm.smin.i64(i64 %v17, i64 48)
  %v18 = sub i64 %first_row, 0
  %v19 = add i64 %last_row, 0
  %low5 = call i64 @llvm.smax.i64(i64 %v18, i64 0)
  %high5 = call i64 @llvm.smin.i64(i64 %v19, i64 48)
  %v20 = sub i64 %low0, 5
  %v21 = sub i64 %low1, 0
  %v22 = sub i64 %low2, 5
  %v23 = sub i64 %low3, 1
  %v24 = sub i64 %low4, 1
  %v25 = sub i64 %low5, 0
  %v26 = sub i64 %high0, 5
  %v27 = sub i64 %high1, 0
  %v28 = sub i64 %high2, 5
  %v29 = sub i64 %high3, 1
  %v30 = sub i64 %high4, 1
  %v31 = sub i64 %high5, 0
  %v32 = call i64 @llvm.smin.i64(i64 %v20, i64 %v21)
  %v33 = call i64 @llvm.smin.i64(i64 %v32, i64 %v22)
  %v34 = call i64 @llvm.smin.i64(i64 %v33, i64 %v23)
  %v35 = call i64 @llvm.smin.i64(i64 %v34, i64 %v24)
  %v36 = call i64 @llvm.smin.i64(i64 %v35, i64 %v25)
  %v37 = call i64 @llvm.smax.i64(i64 %v26, i64 %v27)
  %v38 = call i64 @llvm.smax.i64(i64 %v37, i64 %v28)
  %v39 = call i64 @llvm.smax.i64(i64 %v38, i64 %v29)
  %v40 = call i64 @llvm.smax.i64(i64 %v39, i64 %v30)
  %v41 = call i64 @llvm.smax.i64(i64 %v40, i64 %v31)
  %ring2 = getelementptr i8, ptr %scratch, i64 0
  %ring3 = getelementptr i8, ptr %scratch, i64 3712
  %ring4 = getelementptr i8, ptr %scratch, i64 4224
  %ring5 = getelementptr i8, ptr %scratch, i64 5120
  %v78 = getelementptr i8, ptr %args, i64 56
  %param.79 = load float, ptr %v78, align 8
  %v80 = insertelement <16 x float> poison, float %param.79, i64 0
  %v81 = shufflevector <16 x float> %v80, <16 x float> poison, <16 x i32> zeroinitializer
  %v601 = getelementptr i8, ptr %args, i64 64
  %param.602 = load float, ptr %v601, align 8
  %v603 = insertelement <16 x float> poison, float %param.602, i64 0
  %v604 = shufflevector <16 x float> %v603, <16 x float> poison, <16 x i32> zeroinitializer
  %v605 = fmul <16 x float> %v604, %v604
  %v606 = fcmp uno <16 x float> %v605, %v605
  %v607 = bitcast <16 x float> %v605 to <16 x i32>
  %v608 = select <16 x i1> %v606, <16 x i32> splat (i32 2143289344), <16 x i32> %v607
  %v609 = add <16 x i32> %v608, splat (i32 -3)
  %v610 = icmp sgt <16 x i32> %v609, splat (i32 0)
  %v611 = select <16 x i1> %v610, <16 x i32> %v609, <16 x i32> splat (i32 0)
  %v612 = icmp slt <16 x i32> %v611, splat (i32 2139095039)
  %v613 = select <16 x i1> %v612, <16 x i32> %v611, <16 x i32> splat (i32 2139095039)
  %v614 = bitcast <16 x i32> %v613 to <16 x float>
  %v615 = call <16 x float> @llvm.sqrt.v16f32(<16 x float> %v614)
  %v616 = fcmp ole <16 x float> %v615, %v604
  %v617 = select <16 x i1> %v616, <16 x float> %v614, <16 x float> splat (float 0x0000000000000000)
  %v618 = add <16 x i32> %v608, splat (i32 -2)
  %v619 = icmp sgt <16 x i32> %v618, splat (i32 0)
  %v620 = select <16 x i1> %v619, <16 x i32> %v618, <16 x i32> splat (i32 0)
  %v621 = icmp slt <16 x i32> %v620, splat (i32 2139095039)
  %v622 = select <16 x i1> %v621, <16 x i32> %v620, <16 x i32> splat (i32 2139095039)
  %v623 = bitcast <16 x i32> %v622 to <16 x float>
  %v624 = call <16 x float> @llvm.sqrt.v16f32(<16 x float> %v623)
  %v625 = fcmp ole <16 x float> %v624, %v604
  %v626 = select <16 x i1> %v625, <16 x float> %v623, <16 x float> %v617
  %v627 = add <16 x i32> %v608, splat (i32 -1)
  %v628 = icmp sgt <16 x i32> %v627, splat (i32 0)
  %v629 = select <16 x i1> %v628, <16 x i32> %v627, <16 x i32> splat (i32 0)
  %v630 = icmp slt <16 x i32> %v629, splat (i32 2139095039)
  %v631 = select <16 x i1> %v630, <16 x i32> %v629, <16 x i32> splat (i32 2139095039)
  %v632 = bitcast <16 x i32> %v631 to <16 x float>
  %v633 = call <16 x float> @llvm.sqrt.v16f32(<16 x float> %v632)
  %v634 = fcmp ole <16 x float> %v633, %v604
  %v635 = select <16 x i1> %v634, <16 x float> %v632, <16 x float> %v626
  %v636 = icmp sgt <16 x i32> %v608, splat (i32 0)
  %v637 = select <16 x i1> %v636, <16 x i32> %v608, <16 x i32> splat (i32 0)
  %v638 = icmp slt <16 x i32> %v637, splat (i32 2139095039)
  %v639 = select <16 x i1> %v638, <16 x i32> %v637, <16 x i32> splat (i32 2139095039)
  %v640 = bitcast <16 x i32> %v639 to <16 x float>
  %v641 = call <16 x float> @llvm.sqrt.v16f32(<16 x float> %v640)
  %v642 = fcmp ole <16 x float> %v641, %v604
  %v643 = select <16 x i1> %v642, <16 x float> %v640, <16 x float> %v635
  %v644 = add <16 x i32> %v608, splat (i32 1)
  %v645 = icmp sgt <16 x i32> %v644, splat (i32 0)
  %v646 = select <16 x i1> %v645, <16 x i32> %v644, <16 x i32> splat (i32 0)
  %v647 = icmp slt <16 x i32> %v646, splat (i32 2139095039)
  %v648 = select <16 x i1> %v647, <16 x i32> %v646, <16 x i32> splat (i32 2139095039)
  %v649 = bitcast <16 x i32> %v648 to <16 x float>
  %v650 = call <16 x float> @llvm.sqrt.v16f32(<16 x float> %v649)
  %v651 = fcmp ole <16 x float> %v650, %v604
  %v652 = select <16 x i1> %v651, <16 x float> %v649, <16 x float> %v643
  %v653 = add <16 x i32> %v608, splat (i32 2)
  %v654 = icmp sgt <16 x i32> %v653, splat (i32 0)
  %v655 = select <16 x i1> %v654, <16 x i32> %v653, <16 x i32> splat (i32 0)
  %v656 = icmp slt <16 x i32> %v655, splat (i32 2139095039)
  %v657 = select <16 x i1> %v656, <16 x i32> %v655, <16 x i32> splat (i32 2139095039)
  %v658 = bitcast <16 x i32> %v657 to <16 x float>
  %v659 = call <16 x float> @llvm.sqrt.v16f32(<16 x float> %v658)
  %v660 = fcmp ole <16 x float> %v659, %v604
  %v661 = select <16 x i1> %v660, <16 x float> %v658, <16 x float> %v652
  %v662 = add <16 x i32> %v608, splat (i32 3)
  %v663 = icmp sgt <16 x i32> %v662, splat (i32 0)
  %v664 = select <16 x i1> %v663, <16 x i32> %v662, <16 x i32> splat (i32 0)
  %v665 = icmp slt <16 x i32> %v664, splat (i32 2139095039)
  %v666 = select <16 x i1> %v665, <16 x i32> %v664, <16 x i32> splat (i32 2139095039)
  %v667 = bitcast <16 x i32> %v666 to <16 x float>
  %v668 = call <16 x float> @llvm.sqrt.v16f32(<16 x float> %v667)
  %v669 = fcmp ole <16 x float> %v668, %v604
  %v670 = select <16 x i1> %v669, <16 x float> %v667, <16 x float> %v661
  %v671 = fcmp olt <16 x float> %v604, splat (float 0x0000000000000000)
  %v672 = select <16 x i1> %v671, <16 x float> splat (float 0xB6A0000000000000), <16 x float> %v670
  %v673 = fcmp olt <16 x float> %v604, splat (float 0x7FF0000000000000)
  %v674 = select <16 x i1> %v673, <16 x float> %v672, <16 x float> %v604
  br label %t.42
t.42:
  %t.45 = phi i64 [ 0, %entry ], [ %t.45.next, %t.next.46 ]
  %v47 = icmp slt i64 %t.45, %frames
  br i1 %v47, label %t.do.43, label %t.end.44
t.do.43:
  %v828 = mul i64 %frames, 0
  %v829 = add i64 %v828, %t.45
  %v830 = getelementptr ptr, ptr %images, i64 %v829
  %input0 = load ptr, ptr %v830, align 8
  %v831 = mul i64 %frames, 1
  %v832 = add i64 %v831, %t.45
  %v833 = getelementptr ptr, ptr %images, i64 %v832
  %output0 = load ptr, ptr %v833, align 8
  %v834 = mul i64 %frames, 2
  %v835 = add i64 %v834, %t.45
  %v836 = getelementptr ptr, ptr %images, i64 %v835
  %output1 = load ptr, ptr %v836, align 8
  %v48 = icmp eq i64 %t.45, 0
  %v49 = icmp ne i64 %is_first, 0
  %v50 = and i1 %v48, %v49
  br label %step.51
step.51:
  %s.54 = phi i64 [ %v36, %t.do.43 ], [ %s.54.next, %step.next.55 ]
  %v56 = icmp slt i64 %s.54, %v41
  br i1 %v56, label %step.do.52, label %step.end.53
step.do.52:
  ; group 0: plane state1; 5 rows ahead; 5 more above, 5 below
  %r.57 = add nsw i64 %s.54, 5
  %v58 = icmp sge i64 %r.57, %low0
  %v59 = icmp slt i64 %r.57, %high0
  %v60 = and i1 %v58, %v59
  br i1 %v60, label %group0.61, label %group0.end.62
group0.61:
  %v63 = icmp sge i64 %r.57, %first_row
  %v64 = icmp slt i64 %r.57, %last_row
  %v65 = and i1 %v63, %v64
  %v67 = mul nsw i64 %r.57, 64
  %in.row.68 = getelementptr i8, ptr %input0, i64 %v67
  %v84 = mul nsw i64 %r.57, 160
  %state1.row.85 = getelementptr float, ptr %state1, i64 %v84
  br i1 %v50, label %first.128, label %then.129
first.128:
  br label %across.131
across.131:
  %x.66 = phi i64 [ 0, %first.128 ], [ %x.66.next, %across.131 ]
  %v69 = getelementptr i8, ptr %in.row.68, i64 %x.66
  %v70 = getelementptr i8, ptr %v69, i64 128
  call void @llvm.prefetch.p0(ptr %v70, i32 0, i32 3, i32 1)
  %v71 = load <16 x i8>, ptr %v69, align 1
  %v72 = zext <16 x i8> %v71 to <16 x i32>
  %v73 = sitofp <16 x i32> %v72 to <16 x float>
  %v74 = fmul <16 x float> %v73, splat (float 0xBE6FDFDFE0000000)
  %v75 = fmul <16 x float> %v73, splat (float 0x3F70102000000000)
  %v76 = fadd <16 x float> %v75, %v74
  %v77 = fsub <16 x float> %v76, %v76
  %v82 = fmul <16 x float> %v81, %v77
  %v83 = fadd <16 x float> %v76, %v82
  %v86 = getelementptr float, ptr %state1.row.85, i64 %x.66
  store <16 x float> %v83, ptr %v86, align 64
  %v87 = add i64 %x.66, 16
  %v88 = getelementptr i8, ptr %in.row.68, i64 %v87
  %v89 = load <16 x i8>, ptr %v88, align 1
  %v90 = zext <16 x i8> %v89 to <16 x i32>
  %v91 = sitofp <16 x i32> %v90 to <16 x float>
  %v92 = fmul <16 x float> %v91, splat (float 0xBE6FDFDFE0000000)
  %v93 = fmul <16 x float> %v91, splat (float 0x3F70102000000000)
  %v94 = fadd <16 x float> %v93, %v92
  %v95 = fsub <16 x float> %v94, %v94
  %v96 = fmul <16 x float> %v81, %v95
  %v97 = fadd <16 x float> %v94, %v96
  %v98 = getelementptr float, ptr %state1.row.85, i64 %v87
  store <16 x float> %v97, ptr %v98, align 64
  %x.66.next = add nuw nsw i64 %x.66, 32
  %x.66.more = icmp ult i64 %x.66.next, 64
  br i1 %x.66.more, label %across.131, label %across.end.132
across.end.132:
  br label %done.130
then.129:
  br label %across.133
across.133:
  %x.99 = phi i64 [ 0, %then.129 ], [ %x.99.next, %across.133 ]
  %v100 = getelementptr float, ptr %state1.row.85, i64 %x.99
  %v101 = load <16 x float>, ptr %v100, align 64
  %v102 = getelementptr i8, ptr %in.row.68, i64 %x.99
  %v103 = getelementptr i8, ptr %v102, i64 128
  call void @llvm.prefetch.p0(ptr %v103, i32 0, i32 3, i32 1)
  %v104 = load <16 x i8>, ptr %v102, align 1
  %v105 = zext <16 x i8> %v104 to <16 x i32>
  %v106 = sitofp <16 x i32> %v105 to <16 x float>
  %v107 = fmul <16 x float> %v106, splat (float 0xBE6FDFDFE0000000)
  %v108 = fmul <16 x float> %v106, splat (float 0x3F70102000000000)
  %v109 = fadd <16 x float> %v108, %v107
  %v110 = fsub <16 x float> %v109, %v101
  %v111 = fmul <16 x float> %v81, %v110
  %v112 = fadd <16 x float> %v101, %v111
  %v113 = getelementptr float, ptr %state1.row.85, i64 %x.99
  store <16 x float> %v112, ptr %v113, align 64
  %v114 = add i64 %x.99, 16
  %v115 = getelementptr float, ptr %state1.row.85, i64 %v114
  %v116 = load <16 x float>, ptr %v115, align 64
  %v117 = getelementptr i8, ptr %in.row.68, i64 %v114
  %v118 = load <16 x i8>, ptr %v117, align 1
  %v119 = zext <16 x i8> %v118 to <16 x i32>
  %v120 = sitofp <16 x i32> %v119 to <16 x float>
  %v121 = fmul <16 x float> %v120, splat (float 0xBE6FDFDFE0000000)
  %v122 = fmul <16 x float> %v120, splat (float 0x3F70102000000000)
  %v123 = fadd <16 x float> %v122, %v121
  %v124 = fsub <16 x float> %v123, %v116
  %v125 = fmul <16 x float> %v81, %v124
  %v126 = fadd <16 x float> %v116, %v125
  %v127 = getelementptr float, ptr %state1.row.85, i64 %v114
  store <16 x float> %v126, ptr %v127, align 64
  %x.99.next = add nuw nsw i64 %x.99, 32
  %x.99.more = icmp ult i64 %x.99.next, 64
  br i1 %x.99.more, label %across.133, label %across.end.134
across.end.134:
  br label %done.130
done.130:
  %v135 = getelementptr float, ptr %state1.row.85, i64 4
  %v136 = load float, ptr %v135
  %v137 = getelementptr float, ptr %state1.row.85, i64 -4
  store float %v136, ptr %v137
  %v138 = getelementptr float, ptr %state1.row.85, i64 3
  %v139 = load float, ptr %v138
  %v140 = getelementptr float, ptr %state1.row.85, i64 -3
  store float %v139, ptr %v140
  %v141 = getelementptr float, ptr %state1.row.85, i64 2
  %v142 = load float, ptr %v141
  %v143 = getelementptr float, ptr %state1.row.85, i64 -2
  store float %v142, ptr %v143
  %v144 = getelementptr float, ptr %state1.row.85, i64 1
  %v145 = load float, ptr %v144
  %v146 = getelementptr float, ptr %state1.row.85, i64 -1
  store float %v145, ptr %v146
  %v147 = getelementptr float, ptr %state1.row.85, i64 62
  %v148 = load float, ptr %v147
  %v149 = getelementptr float, ptr %state1.row.85, i64 64
  store float %v148, ptr %v149
  %v150 = getelementptr float, ptr %state1.row.85, i64 61
  %v151 = load float, ptr %v150
  %v152 = getelementptr float, ptr %state1.row.85, i64 65
  store float %v151, ptr %v152
  %v153 = getelementptr float, ptr %state1.row.85, i64 60
  %v154 = load float, ptr %v153
  %v155 = getelementptr float, ptr %state1.row.85, i64 66
  store float %v154, ptr %v155
  %v156 = getelementptr float, ptr %state1.row.85, i64 59
  %v157 = load float, ptr %v156
  %v158 = getelementptr float, ptr %state1.row.85, i64 67
  store float %v157, ptr %v158
  br label %group0.end.62
group0.end.62:
  ; group 1: output; 0 rows ahead; 0 more above, 0 below
  %r.159 = add nsw i64 %s.54, 0
  %v160 = icmp sge i64 %r.159, %low1
  %v161 = icmp slt i64 %r.159, %high1
  %v162 = and i1 %v160, %v161
  br i1 %v162, label %group1.163, label %group1.end.164
group1.163:
  %v166 = mul nsw i64 %r.159, 64
  %in.row.167 = getelementptr i8, ptr %input0, i64 %v166
  %v176 = mul nsw i64 %r.159, 64
  %out.row.177 = getelementptr float, ptr %output0, i64 %v176
  br label %across.190
across.190:
  %x.165 = phi i64 [ 0, %group1.163 ], [ %x.165.next, %across.190 ]
  %v168 = getelementptr i8, ptr %in.row.167, i64 %x.165
  %v169 = getelementptr i8, ptr %v168, i64 128
  call void @llvm.prefetch.p0(ptr %v169, i32 0, i32 3, i32 1)
  %v170 = load <16 x i8>, ptr %v168, align 1
  %v171 = zext <16 x i8> %v170 to <16 x i32>
  %v172 = sitofp <16 x i32> %v171 to <16 x float>
  %v173 = fmul <16 x float> %v172, splat (float 0xBE6FDFDFE0000000)
  %v174 = fmul <16 x float> %v172, splat (float 0x3F70102000000000)
  %v175 = fadd <16 x float> %v174, %v173
  %v178 = getelementptr float, ptr %out.row.177, i64 %x.165
  %v179 = getelementptr i8, ptr %v178, i64 512
  call void @llvm.prefetch.p0(ptr %v179, i32 1, i32 3, i32 1)
  store <16 x float> %v175, ptr %v178, align 4
  %v180 = add i64 %x.165, 16
  %v181 = getelementptr i8, ptr %in.row.167, i64 %v180
  %v182 = load <16 x i8>, ptr %v181, align 1
  %v183 = zext <16 x i8> %v182 to <16 x i32>
  %v184 = sitofp <16 x i32> %v183 to <16 x float>
  %v185 = fmul <16 x float> %v184, splat (float 0xBE6FDFDFE0000000)
  %v186 = fmul <16 x float> %v184, splat (float 0x3F70102000000000)
  %v187 = fadd <16 x float> %v186, %v185
  %v188 = getelementptr float, ptr %out.row.177, i64 %v180
  %v189 = getelementptr i8, ptr %v188, i64 512
  call void @llvm.prefetch.p0(ptr %v189, i32 1, i32 3, i32 1)
  store <16 x float> %v187, ptr %v188, align 4
  %x.165.next = add nuw nsw i64 %x.165, 32
  %x.165.more = icmp ult i64 %x.165.next, 64
  br i1 %x.165.more, label %across.190, label %across.end.191
across.end.191:
  br label %group1.end.164
group1.end.164:
  ; group 2: plane ring2; 5 rows ahead; 5 more above, 5 below
  %r.192 = add nsw i64 %s.54, 5
  %v193 = icmp sge i64 %r.192, %low2
  %v194 = icmp slt i64 %r.192, %high2
  %v195 = and i1 %v193, %v194
  ; group 3: plane ring3; 1 rows ahead; 1 more above, 1 below
  %r.196 = add nsw i64 %s.54, 1
  %v197 = icmp sge i64 %r.196, %low3
  %v198 = icmp slt i64 %r.196, %high3
  %v199 = and i1 %v197, %v198
  %v200 = icmp sge i64 %r.196, 4
  %v201 = and i1 %v195, %v199
  %v202 = and i1 %v200, %v201
  br i1 %v202, label %together.203, label %apart.204
together.203:
  %v206 = icmp sge i64 %r.192, %first_row
  %v207 = icmp slt i64 %r.192, %last_row
  %v208 = and i1 %v206, %v207
  %v213 = mul nsw i64 %r.192, 160
  %state1.row.214 = getelementptr float, ptr %state1, i64 %v213
  %v220 = load <16 x i32>, ptr %state1.row.214, align 64
  %v221 = bitcast <16 x i32> %v220 to <16 x float>
  %v222 = shufflevector <16 x float> %v221, <16 x float> poison, <16 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 4, i32 3, i32 2, i32 1>
  %v223 = bitcast <16 x float> %v222 to <16 x i32>
  %v224 = load <16 x i32>, ptr %state1.row.214, align 64
  %v344 = urem i64 %r.192, 8
  %v345 = mul nsw i64 %v344, 112
  %ring2.row.346 = getelementptr float, ptr %ring2, i64 %v345
  %v209 = icmp sge i64 %r.196, %first_row
  %v210 = icmp slt i64 %r.196, %last_row
  %v211 = and i1 %v209, %v210
  %v260 = add i64 %r.196, 3
  %v261 = call i64 @llvm.abs.i64(i64 %v260, i1 false)
  %v262 = sub i64 94, %v261
  %v263 = call i64 @llvm.smin.i64(i64 %v261, i64 %v262)
  %v264 = urem i64 %v263, 8
  %v265 = mul nsw i64 %v264, 112
  %ring2.row.266 = getelementptr float, ptr %ring2, i64 %v265
  %v270 = add i64 %r.196, 2
  %v271 = call i64 @llvm.abs.i64(i64 %v270, i1 false)
  %v272 = sub i64 94, %v271
  %v273 = call i64 @llvm.smin.i64(i64 %v271, i64 %v272)
  %v274 = urem i64 %v273, 8
  %v275 = mul nsw i64 %v274, 112
  %ring2.row.276 = getelementptr float, ptr %ring2, i64 %v275
  %v280 = add i64 %r.196, 1
  %v281 = call i64 @llvm.abs.i64(i64 %v280, i1 false)
  %v282 = sub i64 94, %v281
  %v283 = call i64 @llvm.smin.i64(i64 %v281, i64 %v282)
  %v284 = urem i64 %v283, 8
  %v285 = mul nsw i64 %v284, 112
  %ring2.row.286 = getelementptr float, ptr %ring2, i64 %v285
  %v290 = urem i64 %r.196, 8
  %v291 = mul nsw i64 %v290, 112
  %ring2.row.292 = getelementptr float, ptr %ring2, i64 %v291
  %v296 = add i64 %r.196, -1
  %v297 = call i64 @llvm.abs.i64(i64 %v296, i1 false)
  %v298 = sub i64 94, %v297
  %v299 = call i64 @llvm.smin.i64(i64 %v297, i64 %v298)
  %v300 = urem i64 %v299, 8
  %v301 = mul nsw i64 %v300, 112
  %ring2.row.302 = getelementptr float, ptr %ring2, i64 %v301
  %v306 = add i64 %r.196, -2
  %v307 = call i64 @llvm.abs.i64(i64 %v306, i1 false)
  %v308 = sub i64 94, %v307
  %v309 = call i64 @llvm.smin.i64(i64 %v307, i64 %v308)
  %v310 = urem i64 %v309, 8
  %v311 = mul nsw i64 %v310, 112
  %ring2.row.312 = getelementptr float, ptr %ring2, i64 %v311
  %v316 = add i64 %r.196, -3
  %v317 = call i64 @llvm.abs.i64(i64 %v316, i1 false)
  %v318 = sub i64 94, %v317
  %v319 = call i64 @llvm.smin.i64(i64 %v317, i64 %v318)
  %v320 = urem i64 %v319, 8
  %v321 = mul nsw i64 %v320, 112
  %ring2.row.322 = getelementptr float, ptr %ring2, i64 %v321
  %v326 = add i64 %r.196, -4
  %v327 = call i64 @llvm.abs.i64(i64 %v326, i1 false)
  %v328 = sub i64 94, %v327
  %v329 = call i64 @llvm.smin.i64(i64 %v327, i64 %v328)
  %v330 = urem i64 %v329, 8
  %v331 = mul nsw i64 %v330, 112
  %ring2.row.332 = getelementptr float, ptr %ring2, i64 %v331
  br label %across.349
across.349:
  %x.212 = phi i64 [ 0, %together.203 ], [ %x.212.next, %across.349 ]
  %before.215 = phi <16 x i32> [ %v223, %together.203 ], [ %here.216, %across.349 ]
  %here.216 = phi <16 x i32> [ %v224, %together.203 ], [ %v219, %across.349 ]
  %v217 = getelementptr float, ptr %state1.row.214, i64 %x.212
  %v218 = getelementptr float, ptr %v217, i64 16
  %v219 = load <16 x i32>, ptr %v218, align 64
  %v225 = shufflevector <16 x i32> %here.216, <16 x i32> %v219, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19>
  %v226 = bitcast <16 x i32> %v225 to <16 x float>
  %v227 = fmul <16 x float> %v226, splat (float 0x3F218A9C40000000)
  %v228 = shufflevector <16 x i32> %here.216, <16 x i32> %v219, <16 x i32> <i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18>
  %v229 = bitcast <16 x i32> %v228 to <16 x float>
  %v230 = fmul <16 x float> %v229, splat (float 0x3F722724C0000000)
  %v231 = shufflevector <16 x i32> %here.216, <16 x i32> %v219, <16 x i32> <i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17>
  %v232 = bitcast <16 x i32> %v231 to <16 x float>
  %v233 = fmul <16 x float> %v232, splat (float 0x3FABA4B9A0000000)
  %v234 = shufflevector <16 x i32> %here.216, <16 x i32> %v219, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16>
  %v235 = bitcast <16 x i32> %v234 to <16 x float>
  %v236 = fmul <16 x float> %v235, splat (float 0x3FCEF8EBA0000000)
  %v237 = bitcast <16 x i32> %here.216 to <16 x float>
  %v238 = fmul <16 x float> %v237, splat (float 0x3FD9884A40000000)
  %v239 = shufflevector <16 x i32> %before.215, <16 x i32> %here.216, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v240 = bitcast <16 x i32> %v239 to <16 x float>
  %v241 = fmul <16 x float> %v240, splat (float 0x3FCEF8EBA0000000)
  %v242 = shufflevector <16 x i32> %before.215, <16 x i32> %here.216, <16 x i32> <i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29>
  %v243 = bitcast <16 x i32> %v242 to <16 x float>
  %v244 = fmul <16 x float> %v243, splat (float 0x3FABA4B9A0000000)
  %v245 = shufflevector <16 x i32> %before.215, <16 x i32> %here.216, <16 x i32> <i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28>
  %v246 = bitcast <16 x i32> %v245 to <16 x float>
  %v247 = fmul <16 x float> %v246, splat (float 0x3F722724C0000000)
  %v248 = shufflevector <16 x i32> %before.215, <16 x i32> %here.216, <16 x i32> <i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27>
  %v249 = bitcast <16 x i32> %v248 to <16 x float>
  %v250 = fmul <16 x float> %v249, splat (float 0x3F218A9C40000000)
  %v251 = fadd <16 x float> %v250, %v247
  %v252 = fadd <16 x float> %v251, %v244
  %v253 = fadd <16 x float> %v252, %v241
  %v254 = fadd <16 x float> %v253, %v238
  %v255 = fadd <16 x float> %v254, %v236
  %v256 = fadd <16 x float> %v255, %v233
  %v257 = fadd <16 x float> %v256, %v230
  %v258 = fadd <16 x float> %v257, %v227
  %v259 = fmul <16 x float> %v258, splat (float 0x3F218A9C40000000)
  %v267 = getelementptr float, ptr %ring2.row.266, i64 %x.212
  %v268 = load <16 x float>, ptr %v267, align 64
  %v269 = fmul <16 x float> %v268, splat (float 0x3F722724C0000000)
  %v277 = getelementptr float, ptr %ring2.row.276, i64 %x.212
  %v278 = load <16 x float>, ptr %v277, align 64
  %v279 = fmul <16 x float> %v278, splat (float 0x3FABA4B9A0000000)
  %v287 = getelementptr float, ptr %ring2.row.286, i64 %x.212
  %v288 = load <16 x float>, ptr %v287, align 64
  %v289 = fmul <16 x float> %v288, splat (float 0x3FCEF8EBA0000000)
  %v293 = getelementptr float, ptr %ring2.row.292, i64 %x.212
  %v294 = load <16 x float>, ptr %v293, align 64
  %v295 = fmul <16 x float> %v294, splat (float 0x3FD9884A40000000)
  %v303 = getelementptr float, ptr %ring2.row.302, i64 %x.212
  %v304 = load <16 x float>, ptr %v303, align 64
  %v305 = fmul <16 x float> %v304, splat (float 0x3FCEF8EBA0000000)
  %v313 = getelementptr float, ptr %ring2.row.312, i64 %x.212
  %v314 = load <16 x float>, ptr %v313, align 64
  %v315 = fmul <16 x float> %v314, splat (float 0x3FABA4B9A0000000)
  %v323 = getelementptr float, ptr %ring2.row.322, i64 %x.212
  %v324 = load <16 x float>, ptr %v323, align 64
  %v325 = fmul <16 x float> %v324, splat (float 0x3F722724C0000000)
  %v333 = getelementptr float, ptr %ring2.row.332, i64 %x.212
  %v334 = load <16 x float>, ptr %v333, align 64
  %v335 = fmul <16 x float> %v334, splat (float 0x3F218A9C40000000)
  %v336 = fadd <16 x float> %v335, %v325
  %v337 = fadd <16 x float> %v336, %v315
  %v338 = fadd <16 x float> %v337, %v305
  %v339 = fadd <16 x float> %v338, %v295
  %v340 = fadd <16 x float> %v339, %v289
  %v341 = fadd <16 x float> %v340, %v279
  %v342 = fadd <16 x float> %v341, %v269
  %v343 = fadd <16 x float> %v342, %v259
  %v347 = getelementptr float, ptr %ring2.row.346, i64 %x.212
  store <16 x float> %v258, ptr %v347, align 64
  %v348 = getelementptr float, ptr %ring3, i64 %x.212
  store <16 x float> %v343, ptr %v348, align 64
  %x.212.next = add nuw nsw i64 %x.212, 16
  %x.212.more = icmp ult i64 %x.212.next, 64
  br i1 %x.212.more, label %across.349, label %across.end.350
across.end.350:
  %v351 = getelementptr float, ptr %ring3, i64 1
  %v352 = load float, ptr %v351
  %v353 = getelementptr float, ptr %ring3, i64 -1
  store float %v352, ptr %v353
  %v354 = getelementptr float, ptr %ring3, i64 62
  %v355 = load float, ptr %v354
  %v356 = getelementptr float, ptr %ring3, i64 64
  store float %v355, ptr %v356
  br label %joined.205
apart.204:
  ; group 2: plane ring2; 5 rows ahead; 5 more above, 5 below
  %r.357 = add nsw i64 %s.54, 5
  %v358 = icmp sge i64 %r.357, %low2
  %v359 = icmp slt i64 %r.357, %high2
  %v360 = and i1 %v358, %v359
  br i1 %v360, label %group2.361, label %group2.end.362
group2.361:
  %v363 = icmp sge i64 %r.357, %first_row
  %v364 = icmp slt i64 %r.357, %last_row
  %v365 = and i1 %v363, %v364
  %v367 = mul nsw i64 %r.357, 160
  %state1.row.368 = getelementptr float, ptr %state1, i64 %v367
  %v374 = load <16 x i32>, ptr %state1.row.368, align 64
  %v375 = bitcast <16 x i32> %v374 to <16 x float>
  %v376 = shufflevector <16 x float> %v375, <16 x float> poison, <16 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 4, i32 3, i32 2, i32 1>
  %v377 = bitcast <16 x float> %v376 to <16 x i32>
  %v378 = load <16 x i32>, ptr %state1.row.368, align 64
  %v413 = urem i64 %r.357, 8
  %v414 = mul nsw i64 %v413, 112
  %ring2.row.415 = getelementptr float, ptr %ring2, i64 %v414
  br label %across.417
across.417:
  %x.366 = phi i64 [ 0, %group2.361 ], [ %x.366.next, %across.417 ]
  %before.369 = phi <16 x i32> [ %v377, %group2.361 ], [ %here.370, %across.417 ]
  %here.370 = phi <16 x i32> [ %v378, %group2.361 ], [ %v373, %across.417 ]
  %v371 = getelementptr float, ptr %state1.row.368, i64 %x.366
  %v372 = getelementptr float, ptr %v371, i64 16
  %v373 = load <16 x i32>, ptr %v372, align 64
  %v379 = shufflevector <16 x i32> %here.370, <16 x i32> %v373, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19>
  %v380 = bitcast <16 x i32> %v379 to <16 x float>
  %v381 = fmul <16 x float> %v380, splat (float 0x3F218A9C40000000)
  %v382 = shufflevector <16 x i32> %here.370, <16 x i32> %v373, <16 x i32> <i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18>
  %v383 = bitcast <16 x i32> %v382 to <16 x float>
  %v384 = fmul <16 x float> %v383, splat (float 0x3F722724C0000000)
  %v385 = shufflevector <16 x i32> %here.370, <16 x i32> %v373, <16 x i32> <i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17>
  %v386 = bitcast <16 x i32> %v385 to <16 x float>
  %v387 = fmul <16 x float> %v386, splat (float 0x3FABA4B9A0000000)
  %v388 = shufflevector <16 x i32> %here.370, <16 x i32> %v373, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16>
  %v389 = bitcast <16 x i32> %v388 to <16 x float>
  %v390 = fmul <16 x float> %v389, splat (float 0x3FCEF8EBA0000000)
  %v391 = bitcast <16 x i32> %here.370 to <16 x float>
  %v392 = fmul <16 x float> %v391, splat (float 0x3FD9884A40000000)
  %v393 = shufflevector <16 x i32> %before.369, <16 x i32> %here.370, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v394 = bitcast <16 x i32> %v393 to <16 x float>
  %v395 = fmul <16 x float> %v394, splat (float 0x3FCEF8EBA0000000)
  %v396 = shufflevector <16 x i32> %before.369, <16 x i32> %here.370, <16 x i32> <i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29>
  %v397 = bitcast <16 x i32> %v396 to <16 x float>
  %v398 = fmul <16 x float> %v397, splat (float 0x3FABA4B9A0000000)
  %v399 = shufflevector <16 x i32> %before.369, <16 x i32> %here.370, <16 x i32> <i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28>
  %v400 = bitcast <16 x i32> %v399 to <16 x float>
  %v401 = fmul <16 x float> %v400, splat (float 0x3F722724C0000000)
  %v402 = shufflevector <16 x i32> %before.369, <16 x i32> %here.370, <16 x i32> <i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27>
  %v403 = bitcast <16 x i32> %v402 to <16 x float>
  %v404 = fmul <16 x float> %v403, splat (float 0x3F218A9C40000000)
  %v405 = fadd <16 x float> %v404, %v401
  %v406 = fadd <16 x float> %v405, %v398
  %v407 = fadd <16 x float> %v406, %v395
  %v408 = fadd <16 x float> %v407, %v392
  %v409 = fadd <16 x float> %v408, %v390
  %v410 = fadd <16 x float> %v409, %v387
  %v411 = fadd <16 x float> %v410, %v384
  %v412 = fadd <16 x float> %v411, %v381
  %v416 = getelementptr float, ptr %ring2.row.415, i64 %x.366
  store <16 x float> %v412, ptr %v416, align 64
  %x.366.next = add nuw nsw i64 %x.366, 16
  %x.366.more = icmp ult i64 %x.366.next, 64
  br i1 %x.366.more, label %across.417, label %across.end.418
across.end.418:
  br label %group2.end.362
group2.end.362:
  ; group 3: plane ring3; 1 rows ahead; 1 more above, 1 below
  %r.419 = add nsw i64 %s.54, 1
  %v420 = icmp sge i64 %r.419, %low3
  %v421 = icmp slt i64 %r.419, %high3
  %v422 = and i1 %v420, %v421
  br i1 %v422, label %group3.423, label %group3.end.424
group3.423:
  %v425 = icmp sge i64 %r.419, %first_row
  %v426 = icmp slt i64 %r.419, %last_row
  %v427 = and i1 %v425, %v426
  %v429 = add i64 %r.419, 4
  %v430 = call i64 @llvm.abs.i64(i64 %v429, i1 false)
  %v431 = sub i64 94, %v430
  %v432 = call i64 @llvm.smin.i64(i64 %v430, i64 %v431)
  %v433 = urem i64 %v432, 8
  %v434 = mul nsw i64 %v433, 112
  %ring2.row.435 = getelementptr float, ptr %ring2, i64 %v434
  %v439 = add i64 %r.419, 3
  %v440 = call i64 @llvm.abs.i64(i64 %v439, i1 false)
  %v441 = sub i64 94, %v440
  %v442 = call i64 @llvm.smin.i64(i64 %v440, i64 %v441)
  %v443 = urem i64 %v442, 8
  %v444 = mul nsw i64 %v443, 112
  %ring2.row.445 = getelementptr float, ptr %ring2, i64 %v444
  %v449 = add i64 %r.419, 2
  %v450 = call i64 @llvm.abs.i64(i64 %v449, i1 false)
  %v451 = sub i64 94, %v450
  %v452 = call i64 @llvm.smin.i64(i64 %v450, i64 %v451)
  %v453 = urem i64 %v452, 8
  %v454 = mul nsw i64 %v453, 112
  %ring2.row.455 = getelementptr float, ptr %ring2, i64 %v454
  %v459 = add i64 %r.419, 1
  %v460 = call i64 @llvm.abs.i64(i64 %v459, i1 false)
  %v461 = sub i64 94, %v460
  %v462 = call i64 @llvm.smin.i64(i64 %v460, i64 %v461)
  %v463 = urem i64 %v462, 8
  %v464 = mul nsw i64 %v463, 112
  %ring2.row.465 = getelementptr float, ptr %ring2, i64 %v464
  %v469 = urem i64 %r.419, 8
  %v470 = mul nsw i64 %v469, 112
  %ring2.row.471 = getelementptr float, ptr %ring2, i64 %v470
  %v475 = add i64 %r.419, -1
  %v476 = call i64 @llvm.abs.i64(i64 %v475, i1 false)
  %v477 = sub i64 94, %v476
  %v478 = call i64 @llvm.smin.i64(i64 %v476, i64 %v477)
  %v479 = urem i64 %v478, 8
  %v480 = mul nsw i64 %v479, 112
  %ring2.row.481 = getelementptr float, ptr %ring2, i64 %v480
  %v485 = add i64 %r.419, -2
  %v486 = call i64 @llvm.abs.i64(i64 %v485, i1 false)
  %v487 = sub i64 94, %v486
  %v488 = call i64 @llvm.smin.i64(i64 %v486, i64 %v487)
  %v489 = urem i64 %v488, 8
  %v490 = mul nsw i64 %v489, 112
  %ring2.row.491 = getelementptr float, ptr %ring2, i64 %v490
  %v495 = add i64 %r.419, -3
  %v496 = call i64 @llvm.abs.i64(i64 %v495, i1 false)
  %v497 = sub i64 94, %v496
  %v498 = call i64 @llvm.smin.i64(i64 %v496, i64 %v497)
  %v499 = urem i64 %v498, 8
  %v500 = mul nsw i64 %v499, 112
  %ring2.row.501 = getelementptr float, ptr %ring2, i64 %v500
  %v505 = add i64 %r.419, -4
  %v506 = call i64 @llvm.abs.i64(i64 %v505, i1 false)
  %v507 = sub i64 94, %v506
  %v508 = call i64 @llvm.smin.i64(i64 %v506, i64 %v507)
  %v509 = urem i64 %v508, 8
  %v510 = mul nsw i64 %v509, 112
  %ring2.row.511 = getelementptr float, ptr %ring2, i64 %v510
  br label %across.524
across.524:
  %x.428 = phi i64 [ 0, %group3.423 ], [ %x.428.next, %across.524 ]
  %v436 = getelementptr float, ptr %ring2.row.435, i64 %x.428
  %v437 = load <16 x float>, ptr %v436, align 64
  %v438 = fmul <16 x float> %v437, splat (float 0x3F218A9C40000000)
  %v446 = getelementptr float, ptr %ring2.row.445, i64 %x.428
  %v447 = load <16 x float>, ptr %v446, align 64
  %v448 = fmul <16 x float> %v447, splat (float 0x3F722724C0000000)
  %v456 = getelementptr float, ptr %ring2.row.455, i64 %x.428
  %v457 = load <16 x float>, ptr %v456, align 64
  %v458 = fmul <16 x float> %v457, splat (float 0x3FABA4B9A0000000)
  %v466 = getelementptr float, ptr %ring2.row.465, i64 %x.428
  %v467 = load <16 x float>, ptr %v466, align 64
  %v468 = fmul <16 x float> %v467, splat (float 0x3FCEF8EBA0000000)
  %v472 = getelementptr float, ptr %ring2.row.471, i64 %x.428
  %v473 = load <16 x float>, ptr %v472, align 64
  %v474 = fmul <16 x float> %v473, splat (float 0x3FD9884A40000000)
  %v482 = getelementptr float, ptr %ring2.row.481, i64 %x.428
  %v483 = load <16 x float>, ptr %v482, align 64
  %v484 = fmul <16 x float> %v483, splat (float 0x3FCEF8EBA0000000)
  %v492 = getelementptr float, ptr %ring2.row.491, i64 %x.428
  %v493 = load <16 x float>, ptr %v492, align 64
  %v494 = fmul <16 x float> %v493, splat (float 0x3FABA4B9A0000000)
  %v502 = getelementptr float, ptr %ring2.row.501, i64 %x.428
  %v503 = load <16 x float>, ptr %v502, align 64
  %v504 = fmul <16 x float> %v503, splat (float 0x3F722724C0000000)
  %v512 = getelementptr float, ptr %ring2.row.511, i64 %x.428
  %v513 = load <16 x float>, ptr %v512, align 64
  %v514 = fmul <16 x float> %v513, splat (float 0x3F218A9C40000000)
  %v515 = fadd <16 x float> %v514, %v504
  %v516 = fadd <16 x float> %v515, %v494
  %v517 = fadd <16 x float> %v516, %v484
  %v518 = fadd <16 x float> %v517, %v474
  %v519 = fadd <16 x float> %v518, %v468
  %v520 = fadd <16 x float> %v519, %v458
  %v521 = fadd <16 x float> %v520, %v448
  %v522 = fadd <16 x float> %v521, %v438
  %v523 = getelementptr float, ptr %ring3, i64 %x.428
  store <16 x float> %v522, ptr %v523, align 64
  %x.428.next = add nuw nsw i64 %x.428, 16
  %x.428.more = icmp ult i64 %x.428.next, 64
  br i1 %x.428.more, label %across.524, label %across.end.525
across.end.525:
  %v526 = getelementptr float, ptr %ring3, i64 1
  %v527 = load float, ptr %v526
  %v528 = getelementptr float, ptr %ring3, i64 -1
  store float %v527, ptr %v528
  %v529 = getelementptr float, ptr %ring3, i64 62
  %v530 = load float, ptr %v529
  %v531 = getelementptr float, ptr %ring3, i64 64
  store float %v530, ptr %v531
  br label %group3.end.424
group3.end.424:
  br label %joined.205
joined.205:
  ; group 4: plane ring4, plane ring5; 1 rows ahead; 1 more above, 1 below
  %r.532 = add nsw i64 %s.54, 1
  %v533 = icmp sge i64 %r.532, %low4
  %v534 = icmp slt i64 %r.532, %high4
  %v535 = and i1 %v533, %v534
  ; group 5: output; 0 rows ahead; 0 more above, 0 below
  %r.536 = add nsw i64 %s.54, 0
  %v537 = icmp sge i64 %r.536, %low5
  %v538 = icmp slt i64 %r.536, %high5
  %v539 = and i1 %v537, %v538
  %v540 = icmp sge i64 %r.536, 1
  %v541 = and i1 %v535, %v539
  %v542 = and i1 %v540, %v541
  br i1 %v542, label %together.543, label %apart.544
together.543:
  %v546 = icmp sge i64 %r.532, %first_row
  %v547 = icmp slt i64 %r.532, %last_row
  %v548 = and i1 %v546, %v547
  %v555 = load <16 x i32>, ptr %ring3, align 64
  %v556 = bitcast <16 x i32> %v555 to <16 x float>
  %v557 = shufflevector <16 x float> %v556, <16 x float> poison, <16 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 1>
  %v558 = bitcast <16 x float> %v557 to <16 x i32>
  %v559 = load <16 x i32>, ptr %ring3, align 64
  %v676 = urem i64 %r.532, 2
  %v677 = mul nsw i64 %v676, 112
  %ring4.row.678 = getelementptr float, ptr %ring4, i64 %v677
  %v680 = urem i64 %r.532, 2
  %v681 = mul nsw i64 %v680, 112
  %ring5.row.682 = getelementptr float, ptr %ring5, i64 %v681
  %v570 = add i64 %r.536, -1
  %v571 = call i64 @llvm.abs.i64(i64 %v570, i1 false)
  %v572 = sub i64 94, %v571
  %v573 = call i64 @llvm.smin.i64(i64 %v571, i64 %v572)
  %v574 = urem i64 %v573, 2
  %v575 = mul nsw i64 %v574, 112
  %ring5.row.576 = getelementptr float, ptr %ring5, i64 %v575
  %v582 = urem i64 %r.536, 2
  %v583 = mul nsw i64 %v582, 112
  %ring4.row.584 = getelementptr float, ptr %ring4, i64 %v583
  %v588 = add i64 %r.536, -1
  %v589 = call i64 @llvm.abs.i64(i64 %v588, i1 false)
  %v590 = sub i64 94, %v589
  %v591 = call i64 @llvm.smin.i64(i64 %v589, i64 %v590)
  %v592 = urem i64 %v591, 2
  %v593 = mul nsw i64 %v592, 112
  %ring4.row.594 = getelementptr float, ptr %ring4, i64 %v593
  %v684 = mul nsw i64 %r.536, 64
  %out.row.685 = getelementptr i8, ptr %output1, i64 %v684
  br label %across.722
across.722:
  %x.549 = phi i64 [ 0, %together.543 ], [ %x.549.next, %across.722 ]
  %before.550 = phi <16 x i32> [ %v558, %together.543 ], [ %v554, %across.722 ]
  %here.551 = phi <16 x i32> [ %v559, %together.543 ], [ %v692, %across.722 ]
  %v552 = getelementptr float, ptr %ring3, i64 %x.549
  %v553 = getelementptr float, ptr %v552, i64 16
  %v554 = load <16 x i32>, ptr %v553, align 64
  %v560 = shufflevector <16 x i32> %here.551, <16 x i32> %v554, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16>
  %v561 = bitcast <16 x i32> %v560 to <16 x float>
  %v562 = shufflevector <16 x i32> %before.550, <16 x i32> %here.551, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v563 = bitcast <16 x i32> %v562 to <16 x float>
  %v564 = fneg <16 x float> %v563
  %v565 = fadd <16 x float> %v564, %v561
  %v566 = bitcast <16 x i32> %here.551 to <16 x float>
  %v567 = fmul <16 x float> %v566, splat (float 0x4000000000000000)
  %v568 = fadd <16 x float> %v563, %v567
  %v569 = fadd <16 x float> %v568, %v561
  %v577 = getelementptr float, ptr %ring5.row.576, i64 %x.549
  %v578 = load <16 x float>, ptr %v577, align 64
  %v579 = fneg <16 x float> %v578
  %v580 = fadd <16 x float> %v579, %v569
  %v581 = fmul <16 x float> %v580, %v580
  %v585 = getelementptr float, ptr %ring4.row.584, i64 %x.549
  %v586 = load <16 x float>, ptr %v585, align 64
  %v587 = fmul <16 x float> %v586, splat (float 0x4000000000000000)
  %v595 = getelementptr float, ptr %ring4.row.594, i64 %x.549
  %v596 = load <16 x float>, ptr %v595, align 64
  %v597 = fadd <16 x float> %v596, %v587
  %v598 = fadd <16 x float> %v597, %v565
  %v599 = fmul <16 x float> %v598, %v598
  %v600 = fadd <16 x float> %v599, %v581
  %v675 = fcmp olt <16 x float> %v674, %v600
  %v679 = getelementptr float, ptr %ring4.row.678, i64 %x.549
  store <16 x float> %v565, ptr %v679, align 64
  %v683 = getelementptr float, ptr %ring5.row.682, i64 %x.549
  store <16 x float> %v569, ptr %v683, align 64
  %v686 = getelementptr i8, ptr %out.row.685, i64 %x.549
  %v687 = zext <16 x i1> %v675 to <16 x i8>
  %v688 = getelementptr i8, ptr %v686, i64 128
  call void @llvm.prefetch.p0(ptr %v688, i32 1, i32 3, i32 1)
  store <16 x i8> %v687, ptr %v686, align 1
  %v689 = add i64 %x.549, 16
  %v690 = getelementptr float, ptr %ring3, i64 %v689
  %v691 = getelementptr float, ptr %v690, i64 16
  %v692 = load <16 x i32>, ptr %v691, align 64
  %v693 = shufflevector <16 x i32> %v554, <16 x i32> %v692, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16>
  %v694 = bitcast <16 x i32> %v693 to <16 x float>
  %v695 = shufflevector <16 x i32> %here.551, <16 x i32> %v554, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v696 = bitcast <16 x i32> %v695 to <16 x float>
  %v697 = fneg <16 x float> %v696
  %v698 = fadd <16 x float> %v697, %v694
  %v699 = bitcast <16 x i32> %v554 to <16 x float>
  %v700 = fmul <16 x float> %v699, splat (float 0x4000000000000000)
  %v701 = fadd <16 x float> %v696, %v700
  %v702 = fadd <16 x float> %v701, %v694
  %v703 = getelementptr float, ptr %ring5.row.576, i64 %v689
  %v704 = load <16 x float>, ptr %v703, align 64
  %v705 = fneg <16 x float> %v704
  %v706 = fadd <16 x float> %v705, %v702
  %v707 = fmul <16 x float> %v706, %v706
  %v708 = getelementptr float, ptr %ring4.row.584, i64 %v689
  %v709 = load <16 x float>, ptr %v708, align 64
  %v710 = fmul <16 x float> %v709, splat (float 0x4000000000000000)
  %v711 = getelementptr float, ptr %ring4.row.594, i64 %v689
  %v712 = load <16 x float>, ptr %v711, align 64
  %v713 = fadd <16 x float> %v712, %v710
  %v714 = fadd <16 x float> %v713, %v698
  %v715 = fmul <16 x float> %v714, %v714
  %v716 = fadd <16 x float> %v715, %v707
  %v717 = fcmp olt <16 x float> %v674, %v716
  %v718 = getelementptr float, ptr %ring4.row.678, i64 %v689
  store <16 x float> %v698, ptr %v718, align 64
  %v719 = getelementptr float, ptr %ring5.row.682, i64 %v689
  store <16 x float> %v702, ptr %v719, align 64
  %v720 = getelementptr i8, ptr %out.row.685, i64 %v689
  %v721 = zext <16 x i1> %v717 to <16 x i8>
  store <16 x i8> %v721, ptr %v720, align 1
  %x.549.next = add nuw nsw i64 %x.549, 32
  %x.549.more = icmp ult i64 %x.549.next, 64
  br i1 %x.549.more, label %across.722, label %across.end.723
across.end.723:
  br label %joined.545
apart.544:
  ; group 4: plane ring4, plane ring5; 1 rows ahead; 1 more above, 1 below
  %r.724 = add nsw i64 %s.54, 1
  %v725 = icmp sge i64 %r.724, %low4
  %v726 = icmp slt i64 %r.724, %high4
  %v727 = and i1 %v725, %v726
  br i1 %v727, label %group4.728, label %group4.end.729
group4.728:
  %v730 = icmp sge i64 %r.724, %first_row
  %v731 = icmp slt i64 %r.724, %last_row
  %v732 = and i1 %v730, %v731
  %v739 = load <16 x i32>, ptr %ring3, align 64
  %v740 = bitcast <16 x i32> %v739 to <16 x float>
  %v741 = shufflevector <16 x float> %v740, <16 x float> poison, <16 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 1>
  %v742 = bitcast <16 x float> %v741 to <16 x i32>
  %v743 = load <16 x i32>, ptr %ring3, align 64
  %v754 = urem i64 %r.724, 2
  %v755 = mul nsw i64 %v754, 112
  %ring4.row.756 = getelementptr float, ptr %ring4, i64 %v755
  %v758 = urem i64 %r.724, 2
  %v759 = mul nsw i64 %v758, 112
  %ring5.row.760 = getelementptr float, ptr %ring5, i64 %v759
  br label %across.762
across.762:
  %x.733 = phi i64 [ 0, %group4.728 ], [ %x.733.next, %across.762 ]
  %before.734 = phi <16 x i32> [ %v742, %group4.728 ], [ %here.735, %across.762 ]
  %here.735 = phi <16 x i32> [ %v743, %group4.728 ], [ %v738, %across.762 ]
  %v736 = getelementptr float, ptr %ring3, i64 %x.733
  %v737 = getelementptr float, ptr %v736, i64 16
  %v738 = load <16 x i32>, ptr %v737, align 64
  %v744 = shufflevector <16 x i32> %here.735, <16 x i32> %v738, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16>
  %v745 = bitcast <16 x i32> %v744 to <16 x float>
  %v746 = shufflevector <16 x i32> %before.734, <16 x i32> %here.735, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v747 = bitcast <16 x i32> %v746 to <16 x float>
  %v748 = fneg <16 x float> %v747
  %v749 = fadd <16 x float> %v748, %v745
  %v750 = bitcast <16 x i32> %here.735 to <16 x float>
  %v751 = fmul <16 x float> %v750, splat (float 0x4000000000000000)
  %v752 = fadd <16 x float> %v747, %v751
  %v753 = fadd <16 x float> %v752, %v745
  %v757 = getelementptr float, ptr %ring4.row.756, i64 %x.733
  store <16 x float> %v749, ptr %v757, align 64
  %v761 = getelementptr float, ptr %ring5.row.760, i64 %x.733
  store <16 x float> %v753, ptr %v761, align 64
  %x.733.next = add nuw nsw i64 %x.733, 16
  %x.733.more = icmp ult i64 %x.733.next, 64
  br i1 %x.733.more, label %across.762, label %across.end.763
across.end.763:
  br label %group4.end.729
group4.end.729:
  ; group 5: output; 0 rows ahead; 0 more above, 0 below
  %r.764 = add nsw i64 %s.54, 0
  %v765 = icmp sge i64 %r.764, %low5
  %v766 = icmp slt i64 %r.764, %high5
  %v767 = and i1 %v765, %v766
  br i1 %v767, label %group5.768, label %group5.end.769
group5.768:
  %v771 = add i64 %r.764, 1
  %v772 = call i64 @llvm.abs.i64(i64 %v771, i1 false)
  %v773 = sub i64 94, %v772
  %v774 = call i64 @llvm.smin.i64(i64 %v772, i64 %v773)
  %v775 = urem i64 %v774, 2
  %v776 = mul nsw i64 %v775, 112
  %ring5.row.777 = getelementptr float, ptr %ring5, i64 %v776
  %v780 = add i64 %r.764, -1
  %v781 = call i64 @llvm.abs.i64(i64 %v780, i1 false)
  %v782 = sub i64 94, %v781
  %v783 = call i64 @llvm.smin.i64(i64 %v781, i64 %v782)
  %v784 = urem i64 %v783, 2
  %v785 = mul nsw i64 %v784, 112
  %ring5.row.786 = getelementptr float, ptr %ring5, i64 %v785
  %v792 = add i64 %r.764, 1
  %v793 = call i64 @llvm.abs.i64(i64 %v792, i1 false)
  %v794 = sub i64 94, %v793
  %v795 = call i64 @llvm.smin.i64(i64 %v793, i64 %v794)
  %v796 = urem i64 %v795, 2
  %v797 = mul nsw i64 %v796, 112
  %ring4.row.798 = getelementptr float, ptr %ring4, i64 %v797
  %v801 = urem i64 %r.764, 2
  %v802 = mul nsw i64 %v801, 112
  %ring4.row.803 = getelementptr float, ptr %ring4, i64 %v802
  %v807 = add i64 %r.764, -1
  %v808 = call i64 @llvm.abs.i64(i64 %v807, i1 false)
  %v809 = sub i64 94, %v808
  %v810 = call i64 @llvm.smin.i64(i64 %v808, i64 %v809)
  %v811 = urem i64 %v810, 2
  %v812 = mul nsw i64 %v811, 112
  %ring4.row.813 = getelementptr float, ptr %ring4, i64 %v812
  %v821 = mul nsw i64 %r.764, 64
  %out.row.822 = getelementptr i8, ptr %output1, i64 %v821
  br label %across.826
across.826:
  %x.770 = phi i64 [ 0, %group5.768 ], [ %x.770.next, %across.826 ]
  %v778 = getelementptr float, ptr %ring5.row.777, i64 %x.770
  %v779 = load <16 x float>, ptr %v778, align 64
  %v787 = getelementptr float, ptr %ring5.row.786, i64 %x.770
  %v788 = load <16 x float>, ptr %v787, align 64
  %v789 = fneg <16 x float> %v788
  %v790 = fadd <16 x float> %v789, %v779
  %v791 = fmul <16 x float> %v790, %v790
  %v799 = getelementptr float, ptr %ring4.row.798, i64 %x.770
  %v800 = load <16 x float>, ptr %v799, align 64
  %v804 = getelementptr float, ptr %ring4.row.803, i64 %x.770
  %v805 = load <16 x float>, ptr %v804, align 64
  %v806 = fmul <16 x float> %v805, splat (float 0x4000000000000000)
  %v814 = getelementptr float, ptr %ring4.row.813, i64 %x.770
  %v815 = load <16 x float>, ptr %v814, align 64
  %v816 = fadd <16 x float> %v815, %v806
  %v817 = fadd <16 x float> %v816, %v800
  %v818 = fmul <16 x float> %v817, %v817
  %v819 = fadd <16 x float> %v818, %v791
  %v820 = fcmp olt <16 x float> %v674, %v819
  %v823 = getelementptr i8, ptr %out.row.822, i64 %x.770
  %v824 = zext <16 x i1> %v820 to <16 x i8>
  %v825 = getelementptr i8, ptr %v823, i64 128
  call void @llvm.prefetch.p0(ptr %v825, i32 1, i32 3, i32 1)
  store <16 x i8> %v824, ptr %v823, align 1
  %x.770.next = add nuw nsw i64 %x.770, 16
  %x.770.more = icmp ult i64 %x.770.next, 64
  br i1 %x.770.more, label %across.826, label %across.end.827
across.end.827:
  br label %group5.end.769
group5.end.769:
  br label %joined.545
joined.545:
  br label %step.next.55
step.next.55:
  %s.54.next = add nsw i64 %s.54, 1
  br label %step.51
step.end.53:
  br label %t.next.46
t.next.46:
  %t.45.next = add nsw i64 %t.45, 1
  br label %t.42
t.end.44:
  ret void
}

declare <16 x float> @llvm.sqrt.v16f32(<16 x float>)
declare i64 @llvm.abs.i64(i64, i1)
declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.smin.i64(i64, i64)
declare void @llvm.prefetch.p0(ptr, i32, i32, i32)

; markers: a host function, nothing is generated
