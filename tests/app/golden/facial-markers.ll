; gray+sound+scale+even+steady+smooth+edges+rim
;
; in0: 64x48 u8
; even.out: 64x48 f32, leaves
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
;     even.out = (t1 * 0.003921627998352051) + (t1 * -5.9370901084321304e-08)
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
  %v12 = sub i64 %first_row, 0
  %v13 = add i64 %last_row, 0
  %low1 = call i64 @llvm.smax.i64(i64 %v12, i64 0)
  %high1 = call i64 @llvm.smin.i64(i64 %v13, i64 48)
  %v14 = sub i64 %first_row, 5
  %v15 = add i64 %last_row, 5
  %low2 = call i64 @llvm.smax.i64(i64 %v14, i64 0)
  %high2 = call i64 @llvm.smin.i64(i64 %v15, i64 48)
  %v16 = sub i64 %first_row, 1
  %v17 = add i64 %last_row, 1
  %low3 = call i64 @llvm.smax.i64(i64 %v16, i64 0)
  %high3 = call i64 @llvm.smin.i64(i64 %v17, i64 48)
  %v18 = sub i64 %first_row, 1
  %v19 = add i64 %last_row, 1
  %low4 = call i64 @llvm.smax.i64(i64 %v18, i64 0)
  %high4 = call i64 @llvm.smin.i64(i64 %v19, i64 48)
  %v20 = sub i64 %first_row, 0
  %v21 = add i64 %last_row, 0
  %low5 = call i64 @llvm.smax.i64(i64 %v20, i64 0)
  %high5 = call i64 @llvm.smin.i64(i64 %v21, i64 48)
  %v22 = sub i64 %low0, 5
  %v23 = sub i64 %low1, 0
  %v24 = sub i64 %low2, 5
  %v25 = sub i64 %low3, 1
  %v26 = sub i64 %low4, 1
  %v27 = sub i64 %low5, 0
  %v28 = sub i64 %high0, 5
  %v29 = sub i64 %high1, 0
  %v30 = sub i64 %high2, 5
  %v31 = sub i64 %high3, 1
  %v32 = sub i64 %high4, 1
  %v33 = sub i64 %high5, 0
  %v34 = call i64 @llvm.smin.i64(i64 %v22, i64 %v23)
  %v35 = call i64 @llvm.smin.i64(i64 %v34, i64 %v24)
  %v36 = call i64 @llvm.smin.i64(i64 %v35, i64 %v25)
  %v37 = call i64 @llvm.smin.i64(i64 %v36, i64 %v26)
  %v38 = call i64 @llvm.smin.i64(i64 %v37, i64 %v27)
  %v39 = call i64 @llvm.smax.i64(i64 %v28, i64 %v29)
  %v40 = call i64 @llvm.smax.i64(i64 %v39, i64 %v30)
  %v41 = call i64 @llvm.smax.i64(i64 %v40, i64 %v31)
  %v42 = call i64 @llvm.smax.i64(i64 %v41, i64 %v32)
  %v43 = call i64 @llvm.smax.i64(i64 %v42, i64 %v33)
  %ring2 = getelementptr i8, ptr %scratch, i64 0
  %ring3 = getelementptr i8, ptr %scratch, i64 3712
  %ring4 = getelementptr i8, ptr %scratch, i64 4224
  %ring5 = getelementptr i8, ptr %scratch, i64 5120
  %v80 = getelementptr i8, ptr %args, i64 72
  %param.81 = load float, ptr %v80, align 8
  %v82 = insertelement <16 x float> poison, float %param.81, i64 0
  %v83 = shufflevector <16 x float> %v82, <16 x float> poison, <16 x i32> zeroinitializer
  %v653 = getelementptr i8, ptr %args, i64 80
  %param.654 = load float, ptr %v653, align 8
  %v655 = insertelement <16 x float> poison, float %param.654, i64 0
  %v656 = shufflevector <16 x float> %v655, <16 x float> poison, <16 x i32> zeroinitializer
  %v657 = fmul <16 x float> %v656, %v656
  %v658 = fcmp uno <16 x float> %v657, %v657
  %v659 = bitcast <16 x float> %v657 to <16 x i32>
  %v660 = select <16 x i1> %v658, <16 x i32> splat (i32 2143289344), <16 x i32> %v659
  %v661 = add <16 x i32> %v660, splat (i32 -3)
  %v662 = icmp sgt <16 x i32> %v661, splat (i32 0)
  %v663 = select <16 x i1> %v662, <16 x i32> %v661, <16 x i32> splat (i32 0)
  %v664 = icmp slt <16 x i32> %v663, splat (i32 2139095039)
  %v665 = select <16 x i1> %v664, <16 x i32> %v663, <16 x i32> splat (i32 2139095039)
  %v666 = bitcast <16 x i32> %v665 to <16 x float>
  %v667 = call <16 x float> @llvm.sqrt.v16f32(<16 x float> %v666)
  %v668 = fcmp ole <16 x float> %v667, %v656
  %v669 = select <16 x i1> %v668, <16 x float> %v666, <16 x float> splat (float 0x0000000000000000)
  %v670 = add <16 x i32> %v660, splat (i32 -2)
  %v671 = icmp sgt <16 x i32> %v670, splat (i32 0)
  %v672 = select <16 x i1> %v671, <16 x i32> %v670, <16 x i32> splat (i32 0)
  %v673 = icmp slt <16 x i32> %v672, splat (i32 2139095039)
  %v674 = select <16 x i1> %v673, <16 x i32> %v672, <16 x i32> splat (i32 2139095039)
  %v675 = bitcast <16 x i32> %v674 to <16 x float>
  %v676 = call <16 x float> @llvm.sqrt.v16f32(<16 x float> %v675)
  %v677 = fcmp ole <16 x float> %v676, %v656
  %v678 = select <16 x i1> %v677, <16 x float> %v675, <16 x float> %v669
  %v679 = add <16 x i32> %v660, splat (i32 -1)
  %v680 = icmp sgt <16 x i32> %v679, splat (i32 0)
  %v681 = select <16 x i1> %v680, <16 x i32> %v679, <16 x i32> splat (i32 0)
  %v682 = icmp slt <16 x i32> %v681, splat (i32 2139095039)
  %v683 = select <16 x i1> %v682, <16 x i32> %v681, <16 x i32> splat (i32 2139095039)
  %v684 = bitcast <16 x i32> %v683 to <16 x float>
  %v685 = call <16 x float> @llvm.sqrt.v16f32(<16 x float> %v684)
  %v686 = fcmp ole <16 x float> %v685, %v656
  %v687 = select <16 x i1> %v686, <16 x float> %v684, <16 x float> %v678
  %v688 = icmp sgt <16 x i32> %v660, splat (i32 0)
  %v689 = select <16 x i1> %v688, <16 x i32> %v660, <16 x i32> splat (i32 0)
  %v690 = icmp slt <16 x i32> %v689, splat (i32 2139095039)
  %v691 = select <16 x i1> %v690, <16 x i32> %v689, <16 x i32> splat (i32 2139095039)
  %v692 = bitcast <16 x i32> %v691 to <16 x float>
  %v693 = call <16 x float> @llvm.sqrt.v16f32(<16 x float> %v692)
  %v694 = fcmp ole <16 x float> %v693, %v656
  %v695 = select <16 x i1> %v694, <16 x float> %v692, <16 x float> %v687
  %v696 = add <16 x i32> %v660, splat (i32 1)
  %v697 = icmp sgt <16 x i32> %v696, splat (i32 0)
  %v698 = select <16 x i1> %v697, <16 x i32> %v696, <16 x i32> splat (i32 0)
  %v699 = icmp slt <16 x i32> %v698, splat (i32 2139095039)
  %v700 = select <16 x i1> %v699, <16 x i32> %v698, <16 x i32> splat (i32 2139095039)
  %v701 = bitcast <16 x i32> %v700 to <16 x float>
  %v702 = call <16 x float> @llvm.sqrt.v16f32(<16 x float> %v701)
  %v703 = fcmp ole <16 x float> %v702, %v656
  %v704 = select <16 x i1> %v703, <16 x float> %v701, <16 x float> %v695
  %v705 = add <16 x i32> %v660, splat (i32 2)
  %v706 = icmp sgt <16 x i32> %v705, splat (i32 0)
  %v707 = select <16 x i1> %v706, <16 x i32> %v705, <16 x i32> splat (i32 0)
  %v708 = icmp slt <16 x i32> %v707, splat (i32 2139095039)
  %v709 = select <16 x i1> %v708, <16 x i32> %v707, <16 x i32> splat (i32 2139095039)
  %v710 = bitcast <16 x i32> %v709 to <16 x float>
  %v711 = call <16 x float> @llvm.sqrt.v16f32(<16 x float> %v710)
  %v712 = fcmp ole <16 x float> %v711, %v656
  %v713 = select <16 x i1> %v712, <16 x float> %v710, <16 x float> %v704
  %v714 = add <16 x i32> %v660, splat (i32 3)
  %v715 = icmp sgt <16 x i32> %v714, splat (i32 0)
  %v716 = select <16 x i1> %v715, <16 x i32> %v714, <16 x i32> splat (i32 0)
  %v717 = icmp slt <16 x i32> %v716, splat (i32 2139095039)
  %v718 = select <16 x i1> %v717, <16 x i32> %v716, <16 x i32> splat (i32 2139095039)
  %v719 = bitcast <16 x i32> %v718 to <16 x float>
  %v720 = call <16 x float> @llvm.sqrt.v16f32(<16 x float> %v719)
  %v721 = fcmp ole <16 x float> %v720, %v656
  %v722 = select <16 x i1> %v721, <16 x float> %v719, <16 x float> %v713
  %v723 = fcmp olt <16 x float> %v656, splat (float 0x0000000000000000)
  %v724 = select <16 x i1> %v723, <16 x float> splat (float 0xB6A0000000000000), <16 x float> %v722
  %v725 = fcmp olt <16 x float> %v656, splat (float 0x7FF0000000000000)
  %v726 = select <16 x i1> %v725, <16 x float> %v724, <16 x float> %v656
  br label %t.44
t.44:
  %t.47 = phi i64 [ %first_frame, %entry ], [ %t.47.next, %t.next.48 ]
  %v49 = icmp slt i64 %t.47, %last_frame
  br i1 %v49, label %t.do.45, label %t.end.46
t.do.45:
  %v876 = mul i64 %frames, 0
  %v877 = add i64 %v876, %t.47
  %v878 = getelementptr ptr, ptr %images, i64 %v877
  %input0 = load ptr, ptr %v878, align 8
  %v879 = mul i64 %frames, 1
  %v880 = add i64 %v879, %t.47
  %v881 = getelementptr ptr, ptr %images, i64 %v880
  %output0 = load ptr, ptr %v881, align 8
  %v882 = mul i64 %frames, 2
  %v883 = add i64 %v882, %t.47
  %v884 = getelementptr ptr, ptr %images, i64 %v883
  %output1 = load ptr, ptr %v884, align 8
  %v50 = icmp eq i64 %t.47, 0
  %v51 = icmp ne i64 %is_first, 0
  %v52 = and i1 %v50, %v51
  br label %step.53
step.53:
  %s.56 = phi i64 [ %v38, %t.do.45 ], [ %s.56.next, %step.next.57 ]
  %v58 = icmp slt i64 %s.56, %v43
  br i1 %v58, label %step.do.54, label %step.end.55
step.do.54:
  ; group 0: plane state1; 5 rows ahead; 5 more above, 5 below
  %r.59 = add nsw i64 %s.56, 5
  %v60 = icmp sge i64 %r.59, %low0
  %v61 = icmp slt i64 %r.59, %high0
  %v62 = and i1 %v60, %v61
  br i1 %v62, label %group0.63, label %group0.end.64
group0.63:
  %v65 = icmp sge i64 %r.59, %first_row
  %v66 = icmp slt i64 %r.59, %last_row
  %v67 = and i1 %v65, %v66
  %v69 = mul nsw i64 %r.59, 64
  %in.row.70 = getelementptr i8, ptr %input0, i64 %v69
  %v86 = mul nsw i64 %r.59, 160
  %state1.row.87 = getelementptr float, ptr %state1, i64 %v86
  br i1 %v52, label %first.130, label %then.131
first.130:
  br label %across.133
across.133:
  %x.68 = phi i64 [ 0, %first.130 ], [ %x.68.next, %across.133 ]
  %v71 = getelementptr i8, ptr %in.row.70, i64 %x.68
  %v72 = getelementptr i8, ptr %v71, i64 128
  call void @llvm.prefetch.p0(ptr %v72, i32 0, i32 3, i32 1)
  %v73 = load <16 x i8>, ptr %v71, align 1
  %v74 = zext <16 x i8> %v73 to <16 x i32>
  %v75 = sitofp <16 x i32> %v74 to <16 x float>
  %v76 = fmul <16 x float> %v75, splat (float 0xBE6FDFDFE0000000)
  %v77 = fmul <16 x float> %v75, splat (float 0x3F70102000000000)
  %v78 = fadd <16 x float> %v77, %v76
  %v79 = fsub <16 x float> %v78, %v78
  %v84 = fmul <16 x float> %v83, %v79
  %v85 = fadd <16 x float> %v78, %v84
  %v88 = getelementptr float, ptr %state1.row.87, i64 %x.68
  store <16 x float> %v85, ptr %v88, align 64
  %v89 = add i64 %x.68, 16
  %v90 = getelementptr i8, ptr %in.row.70, i64 %v89
  %v91 = load <16 x i8>, ptr %v90, align 1
  %v92 = zext <16 x i8> %v91 to <16 x i32>
  %v93 = sitofp <16 x i32> %v92 to <16 x float>
  %v94 = fmul <16 x float> %v93, splat (float 0xBE6FDFDFE0000000)
  %v95 = fmul <16 x float> %v93, splat (float 0x3F70102000000000)
  %v96 = fadd <16 x float> %v95, %v94
  %v97 = fsub <16 x float> %v96, %v96
  %v98 = fmul <16 x float> %v83, %v97
  %v99 = fadd <16 x float> %v96, %v98
  %v100 = getelementptr float, ptr %state1.row.87, i64 %v89
  store <16 x float> %v99, ptr %v100, align 64
  %x.68.next = add nuw nsw i64 %x.68, 32
  %x.68.more = icmp ult i64 %x.68.next, 64
  br i1 %x.68.more, label %across.133, label %across.end.134
across.end.134:
  br label %done.132
then.131:
  br label %across.135
across.135:
  %x.101 = phi i64 [ 0, %then.131 ], [ %x.101.next, %across.135 ]
  %v102 = getelementptr float, ptr %state1.row.87, i64 %x.101
  %v103 = load <16 x float>, ptr %v102, align 64
  %v104 = getelementptr i8, ptr %in.row.70, i64 %x.101
  %v105 = getelementptr i8, ptr %v104, i64 128
  call void @llvm.prefetch.p0(ptr %v105, i32 0, i32 3, i32 1)
  %v106 = load <16 x i8>, ptr %v104, align 1
  %v107 = zext <16 x i8> %v106 to <16 x i32>
  %v108 = sitofp <16 x i32> %v107 to <16 x float>
  %v109 = fmul <16 x float> %v108, splat (float 0xBE6FDFDFE0000000)
  %v110 = fmul <16 x float> %v108, splat (float 0x3F70102000000000)
  %v111 = fadd <16 x float> %v110, %v109
  %v112 = fsub <16 x float> %v111, %v103
  %v113 = fmul <16 x float> %v83, %v112
  %v114 = fadd <16 x float> %v103, %v113
  %v115 = getelementptr float, ptr %state1.row.87, i64 %x.101
  store <16 x float> %v114, ptr %v115, align 64
  %v116 = add i64 %x.101, 16
  %v117 = getelementptr float, ptr %state1.row.87, i64 %v116
  %v118 = load <16 x float>, ptr %v117, align 64
  %v119 = getelementptr i8, ptr %in.row.70, i64 %v116
  %v120 = load <16 x i8>, ptr %v119, align 1
  %v121 = zext <16 x i8> %v120 to <16 x i32>
  %v122 = sitofp <16 x i32> %v121 to <16 x float>
  %v123 = fmul <16 x float> %v122, splat (float 0xBE6FDFDFE0000000)
  %v124 = fmul <16 x float> %v122, splat (float 0x3F70102000000000)
  %v125 = fadd <16 x float> %v124, %v123
  %v126 = fsub <16 x float> %v125, %v118
  %v127 = fmul <16 x float> %v83, %v126
  %v128 = fadd <16 x float> %v118, %v127
  %v129 = getelementptr float, ptr %state1.row.87, i64 %v116
  store <16 x float> %v128, ptr %v129, align 64
  %x.101.next = add nuw nsw i64 %x.101, 32
  %x.101.more = icmp ult i64 %x.101.next, 64
  br i1 %x.101.more, label %across.135, label %across.end.136
across.end.136:
  br label %done.132
done.132:
  %v137 = getelementptr float, ptr %state1.row.87, i64 4
  %v138 = load float, ptr %v137
  %v139 = getelementptr float, ptr %state1.row.87, i64 -4
  store float %v138, ptr %v139
  %v140 = getelementptr float, ptr %state1.row.87, i64 3
  %v141 = load float, ptr %v140
  %v142 = getelementptr float, ptr %state1.row.87, i64 -3
  store float %v141, ptr %v142
  %v143 = getelementptr float, ptr %state1.row.87, i64 2
  %v144 = load float, ptr %v143
  %v145 = getelementptr float, ptr %state1.row.87, i64 -2
  store float %v144, ptr %v145
  %v146 = getelementptr float, ptr %state1.row.87, i64 1
  %v147 = load float, ptr %v146
  %v148 = getelementptr float, ptr %state1.row.87, i64 -1
  store float %v147, ptr %v148
  %v149 = getelementptr float, ptr %state1.row.87, i64 62
  %v150 = load float, ptr %v149
  %v151 = getelementptr float, ptr %state1.row.87, i64 64
  store float %v150, ptr %v151
  %v152 = getelementptr float, ptr %state1.row.87, i64 61
  %v153 = load float, ptr %v152
  %v154 = getelementptr float, ptr %state1.row.87, i64 65
  store float %v153, ptr %v154
  %v155 = getelementptr float, ptr %state1.row.87, i64 60
  %v156 = load float, ptr %v155
  %v157 = getelementptr float, ptr %state1.row.87, i64 66
  store float %v156, ptr %v157
  %v158 = getelementptr float, ptr %state1.row.87, i64 59
  %v159 = load float, ptr %v158
  %v160 = getelementptr float, ptr %state1.row.87, i64 67
  store float %v159, ptr %v160
  br label %group0.end.64
group0.end.64:
  ; group 1: output; 0 rows ahead; 0 more above, 0 below
  %r.161 = add nsw i64 %s.56, 0
  %v162 = icmp sge i64 %r.161, %low1
  %v163 = icmp slt i64 %r.161, %high1
  %v164 = and i1 %v162, %v163
  br i1 %v164, label %group1.165, label %group1.end.166
group1.165:
  %v168 = mul nsw i64 %r.161, 64
  %in.row.169 = getelementptr i8, ptr %input0, i64 %v168
  %v178 = mul nsw i64 %r.161, 64
  %out.row.179 = getelementptr float, ptr %output0, i64 %v178
  br label %across.192
across.192:
  %x.167 = phi i64 [ 0, %group1.165 ], [ %x.167.next, %across.192 ]
  %v170 = getelementptr i8, ptr %in.row.169, i64 %x.167
  %v171 = getelementptr i8, ptr %v170, i64 128
  call void @llvm.prefetch.p0(ptr %v171, i32 0, i32 3, i32 1)
  %v172 = load <16 x i8>, ptr %v170, align 1
  %v173 = zext <16 x i8> %v172 to <16 x i32>
  %v174 = sitofp <16 x i32> %v173 to <16 x float>
  %v175 = fmul <16 x float> %v174, splat (float 0xBE6FDFDFE0000000)
  %v176 = fmul <16 x float> %v174, splat (float 0x3F70102000000000)
  %v177 = fadd <16 x float> %v176, %v175
  %v180 = getelementptr float, ptr %out.row.179, i64 %x.167
  %v181 = getelementptr i8, ptr %v180, i64 512
  call void @llvm.prefetch.p0(ptr %v181, i32 1, i32 3, i32 1)
  store <16 x float> %v177, ptr %v180, align 4
  %v182 = add i64 %x.167, 16
  %v183 = getelementptr i8, ptr %in.row.169, i64 %v182
  %v184 = load <16 x i8>, ptr %v183, align 1
  %v185 = zext <16 x i8> %v184 to <16 x i32>
  %v186 = sitofp <16 x i32> %v185 to <16 x float>
  %v187 = fmul <16 x float> %v186, splat (float 0xBE6FDFDFE0000000)
  %v188 = fmul <16 x float> %v186, splat (float 0x3F70102000000000)
  %v189 = fadd <16 x float> %v188, %v187
  %v190 = getelementptr float, ptr %out.row.179, i64 %v182
  %v191 = getelementptr i8, ptr %v190, i64 512
  call void @llvm.prefetch.p0(ptr %v191, i32 1, i32 3, i32 1)
  store <16 x float> %v189, ptr %v190, align 4
  %x.167.next = add nuw nsw i64 %x.167, 32
  %x.167.more = icmp ult i64 %x.167.next, 64
  br i1 %x.167.more, label %across.192, label %across.end.193
across.end.193:
  br label %group1.end.166
group1.end.166:
  ; group 2: plane ring2; 5 rows ahead; 5 more above, 5 below
  %r.194 = add nsw i64 %s.56, 5
  %v195 = icmp sge i64 %r.194, %low2
  %v196 = icmp slt i64 %r.194, %high2
  %v197 = and i1 %v195, %v196
  ; group 3: plane ring3; 1 rows ahead; 1 more above, 1 below
  %r.198 = add nsw i64 %s.56, 1
  %v199 = icmp sge i64 %r.198, %low3
  %v200 = icmp slt i64 %r.198, %high3
  %v201 = and i1 %v199, %v200
  %v202 = icmp sge i64 %r.198, 4
  %v203 = and i1 %v197, %v201
  %v204 = and i1 %v202, %v203
  br i1 %v204, label %together.205, label %apart.206
together.205:
  %v208 = icmp sge i64 %r.194, %first_row
  %v209 = icmp slt i64 %r.194, %last_row
  %v210 = and i1 %v208, %v209
  %v215 = mul nsw i64 %r.194, 160
  %state1.row.216 = getelementptr float, ptr %state1, i64 %v215
  %v225 = load <16 x i32>, ptr %state1.row.216, align 64
  %v226 = bitcast <16 x i32> %v225 to <16 x float>
  %v227 = shufflevector <16 x float> %v226, <16 x float> poison, <16 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 4, i32 3, i32 2, i32 1>
  %v228 = bitcast <16 x float> %v227 to <16 x i32>
  %v229 = load <16 x i32>, ptr %state1.row.216, align 64
  %v339 = urem i64 %r.194, 8
  %v340 = mul nsw i64 %v339, 112
  %ring2.row.341 = getelementptr float, ptr %ring2, i64 %v340
  %v211 = icmp sge i64 %r.198, %first_row
  %v212 = icmp slt i64 %r.198, %last_row
  %v213 = and i1 %v211, %v212
  %v258 = urem i64 %r.198, 8
  %v259 = mul nsw i64 %v258, 112
  %ring2.row.260 = getelementptr float, ptr %ring2, i64 %v259
  %v264 = add i64 %r.198, 1
  %v265 = call i64 @llvm.abs.i64(i64 %v264, i1 false)
  %v266 = sub i64 94, %v265
  %v267 = call i64 @llvm.smin.i64(i64 %v265, i64 %v266)
  %v268 = urem i64 %v267, 8
  %v269 = mul nsw i64 %v268, 112
  %ring2.row.270 = getelementptr float, ptr %ring2, i64 %v269
  %v273 = add i64 %r.198, -1
  %v274 = call i64 @llvm.abs.i64(i64 %v273, i1 false)
  %v275 = sub i64 94, %v274
  %v276 = call i64 @llvm.smin.i64(i64 %v274, i64 %v275)
  %v277 = urem i64 %v276, 8
  %v278 = mul nsw i64 %v277, 112
  %ring2.row.279 = getelementptr float, ptr %ring2, i64 %v278
  %v284 = add i64 %r.198, 2
  %v285 = call i64 @llvm.abs.i64(i64 %v284, i1 false)
  %v286 = sub i64 94, %v285
  %v287 = call i64 @llvm.smin.i64(i64 %v285, i64 %v286)
  %v288 = urem i64 %v287, 8
  %v289 = mul nsw i64 %v288, 112
  %ring2.row.290 = getelementptr float, ptr %ring2, i64 %v289
  %v293 = add i64 %r.198, -2
  %v294 = call i64 @llvm.abs.i64(i64 %v293, i1 false)
  %v295 = sub i64 94, %v294
  %v296 = call i64 @llvm.smin.i64(i64 %v294, i64 %v295)
  %v297 = urem i64 %v296, 8
  %v298 = mul nsw i64 %v297, 112
  %ring2.row.299 = getelementptr float, ptr %ring2, i64 %v298
  %v305 = add i64 %r.198, 3
  %v306 = call i64 @llvm.abs.i64(i64 %v305, i1 false)
  %v307 = sub i64 94, %v306
  %v308 = call i64 @llvm.smin.i64(i64 %v306, i64 %v307)
  %v309 = urem i64 %v308, 8
  %v310 = mul nsw i64 %v309, 112
  %ring2.row.311 = getelementptr float, ptr %ring2, i64 %v310
  %v314 = add i64 %r.198, -3
  %v315 = call i64 @llvm.abs.i64(i64 %v314, i1 false)
  %v316 = sub i64 94, %v315
  %v317 = call i64 @llvm.smin.i64(i64 %v315, i64 %v316)
  %v318 = urem i64 %v317, 8
  %v319 = mul nsw i64 %v318, 112
  %ring2.row.320 = getelementptr float, ptr %ring2, i64 %v319
  %v325 = add i64 %r.198, -4
  %v326 = call i64 @llvm.abs.i64(i64 %v325, i1 false)
  %v327 = sub i64 94, %v326
  %v328 = call i64 @llvm.smin.i64(i64 %v326, i64 %v327)
  %v329 = urem i64 %v328, 8
  %v330 = mul nsw i64 %v329, 112
  %ring2.row.331 = getelementptr float, ptr %ring2, i64 %v330
  br label %across.410
across.410:
  %x.214 = phi i64 [ 0, %together.205 ], [ %x.214.next, %across.410 ]
  %before.220 = phi <16 x i32> [ %v228, %together.205 ], [ %v224, %across.410 ]
  %here.221 = phi <16 x i32> [ %v229, %together.205 ], [ %v350, %across.410 ]
  %v217 = getelementptr float, ptr %state1.row.216, i64 %x.214
  %v218 = load <16 x float>, ptr %v217, align 64
  %v219 = fmul <16 x float> %v218, splat (float 0x3FD9884A40000000)
  %v222 = getelementptr float, ptr %state1.row.216, i64 %x.214
  %v223 = getelementptr float, ptr %v222, i64 16
  %v224 = load <16 x i32>, ptr %v223, align 64
  %v230 = shufflevector <16 x i32> %here.221, <16 x i32> %v224, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16>
  %v231 = bitcast <16 x i32> %v230 to <16 x float>
  %v232 = shufflevector <16 x i32> %before.220, <16 x i32> %here.221, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v233 = bitcast <16 x i32> %v232 to <16 x float>
  %v234 = fadd <16 x float> %v233, %v231
  %v235 = fmul <16 x float> %v234, splat (float 0x3FCEF8EBA0000000)
  %v236 = shufflevector <16 x i32> %here.221, <16 x i32> %v224, <16 x i32> <i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17>
  %v237 = bitcast <16 x i32> %v236 to <16 x float>
  %v238 = shufflevector <16 x i32> %before.220, <16 x i32> %here.221, <16 x i32> <i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29>
  %v239 = bitcast <16 x i32> %v238 to <16 x float>
  %v240 = fadd <16 x float> %v239, %v237
  %v241 = fmul <16 x float> %v240, splat (float 0x3FABA4B9A0000000)
  %v242 = fadd <16 x float> %v241, %v235
  %v243 = shufflevector <16 x i32> %here.221, <16 x i32> %v224, <16 x i32> <i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18>
  %v244 = bitcast <16 x i32> %v243 to <16 x float>
  %v245 = shufflevector <16 x i32> %before.220, <16 x i32> %here.221, <16 x i32> <i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28>
  %v246 = bitcast <16 x i32> %v245 to <16 x float>
  %v247 = fadd <16 x float> %v246, %v244
  %v248 = fmul <16 x float> %v247, splat (float 0x3F722724C0000000)
  %v249 = shufflevector <16 x i32> %here.221, <16 x i32> %v224, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19>
  %v250 = bitcast <16 x i32> %v249 to <16 x float>
  %v251 = shufflevector <16 x i32> %before.220, <16 x i32> %here.221, <16 x i32> <i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27>
  %v252 = bitcast <16 x i32> %v251 to <16 x float>
  %v253 = fadd <16 x float> %v252, %v250
  %v254 = fmul <16 x float> %v253, splat (float 0x3F218A9C40000000)
  %v255 = fadd <16 x float> %v254, %v248
  %v256 = fadd <16 x float> %v255, %v242
  %v257 = fadd <16 x float> %v256, %v219
  %v261 = getelementptr float, ptr %ring2.row.260, i64 %x.214
  %v262 = load <16 x float>, ptr %v261, align 64
  %v263 = fmul <16 x float> %v262, splat (float 0x3FD9884A40000000)
  %v271 = getelementptr float, ptr %ring2.row.270, i64 %x.214
  %v272 = load <16 x float>, ptr %v271, align 64
  %v280 = getelementptr float, ptr %ring2.row.279, i64 %x.214
  %v281 = load <16 x float>, ptr %v280, align 64
  %v282 = fadd <16 x float> %v281, %v272
  %v283 = fmul <16 x float> %v282, splat (float 0x3FCEF8EBA0000000)
  %v291 = getelementptr float, ptr %ring2.row.290, i64 %x.214
  %v292 = load <16 x float>, ptr %v291, align 64
  %v300 = getelementptr float, ptr %ring2.row.299, i64 %x.214
  %v301 = load <16 x float>, ptr %v300, align 64
  %v302 = fadd <16 x float> %v301, %v292
  %v303 = fmul <16 x float> %v302, splat (float 0x3FABA4B9A0000000)
  %v304 = fadd <16 x float> %v303, %v283
  %v312 = getelementptr float, ptr %ring2.row.311, i64 %x.214
  %v313 = load <16 x float>, ptr %v312, align 64
  %v321 = getelementptr float, ptr %ring2.row.320, i64 %x.214
  %v322 = load <16 x float>, ptr %v321, align 64
  %v323 = fadd <16 x float> %v322, %v313
  %v324 = fmul <16 x float> %v323, splat (float 0x3F722724C0000000)
  %v332 = getelementptr float, ptr %ring2.row.331, i64 %x.214
  %v333 = load <16 x float>, ptr %v332, align 64
  %v334 = fadd <16 x float> %v333, %v257
  %v335 = fmul <16 x float> %v334, splat (float 0x3F218A9C40000000)
  %v336 = fadd <16 x float> %v335, %v324
  %v337 = fadd <16 x float> %v336, %v304
  %v338 = fadd <16 x float> %v337, %v263
  %v342 = getelementptr float, ptr %ring2.row.341, i64 %x.214
  store <16 x float> %v257, ptr %v342, align 64
  %v343 = getelementptr float, ptr %ring3, i64 %x.214
  store <16 x float> %v338, ptr %v343, align 64
  %v344 = add i64 %x.214, 16
  %v345 = getelementptr float, ptr %state1.row.216, i64 %v344
  %v346 = load <16 x float>, ptr %v345, align 64
  %v347 = fmul <16 x float> %v346, splat (float 0x3FD9884A40000000)
  %v348 = getelementptr float, ptr %state1.row.216, i64 %v344
  %v349 = getelementptr float, ptr %v348, i64 16
  %v350 = load <16 x i32>, ptr %v349, align 64
  %v351 = shufflevector <16 x i32> %v224, <16 x i32> %v350, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16>
  %v352 = bitcast <16 x i32> %v351 to <16 x float>
  %v353 = shufflevector <16 x i32> %here.221, <16 x i32> %v224, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v354 = bitcast <16 x i32> %v353 to <16 x float>
  %v355 = fadd <16 x float> %v354, %v352
  %v356 = fmul <16 x float> %v355, splat (float 0x3FCEF8EBA0000000)
  %v357 = shufflevector <16 x i32> %v224, <16 x i32> %v350, <16 x i32> <i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17>
  %v358 = bitcast <16 x i32> %v357 to <16 x float>
  %v359 = shufflevector <16 x i32> %here.221, <16 x i32> %v224, <16 x i32> <i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29>
  %v360 = bitcast <16 x i32> %v359 to <16 x float>
  %v361 = fadd <16 x float> %v360, %v358
  %v362 = fmul <16 x float> %v361, splat (float 0x3FABA4B9A0000000)
  %v363 = fadd <16 x float> %v362, %v356
  %v364 = shufflevector <16 x i32> %v224, <16 x i32> %v350, <16 x i32> <i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18>
  %v365 = bitcast <16 x i32> %v364 to <16 x float>
  %v366 = shufflevector <16 x i32> %here.221, <16 x i32> %v224, <16 x i32> <i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28>
  %v367 = bitcast <16 x i32> %v366 to <16 x float>
  %v368 = fadd <16 x float> %v367, %v365
  %v369 = fmul <16 x float> %v368, splat (float 0x3F722724C0000000)
  %v370 = shufflevector <16 x i32> %v224, <16 x i32> %v350, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19>
  %v371 = bitcast <16 x i32> %v370 to <16 x float>
  %v372 = shufflevector <16 x i32> %here.221, <16 x i32> %v224, <16 x i32> <i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27>
  %v373 = bitcast <16 x i32> %v372 to <16 x float>
  %v374 = fadd <16 x float> %v373, %v371
  %v375 = fmul <16 x float> %v374, splat (float 0x3F218A9C40000000)
  %v376 = fadd <16 x float> %v375, %v369
  %v377 = fadd <16 x float> %v376, %v363
  %v378 = fadd <16 x float> %v377, %v347
  %v379 = getelementptr float, ptr %ring2.row.260, i64 %v344
  %v380 = load <16 x float>, ptr %v379, align 64
  %v381 = fmul <16 x float> %v380, splat (float 0x3FD9884A40000000)
  %v382 = getelementptr float, ptr %ring2.row.270, i64 %v344
  %v383 = load <16 x float>, ptr %v382, align 64
  %v384 = getelementptr float, ptr %ring2.row.279, i64 %v344
  %v385 = load <16 x float>, ptr %v384, align 64
  %v386 = fadd <16 x float> %v385, %v383
  %v387 = fmul <16 x float> %v386, splat (float 0x3FCEF8EBA0000000)
  %v388 = getelementptr float, ptr %ring2.row.290, i64 %v344
  %v389 = load <16 x float>, ptr %v388, align 64
  %v390 = getelementptr float, ptr %ring2.row.299, i64 %v344
  %v391 = load <16 x float>, ptr %v390, align 64
  %v392 = fadd <16 x float> %v391, %v389
  %v393 = fmul <16 x float> %v392, splat (float 0x3FABA4B9A0000000)
  %v394 = fadd <16 x float> %v393, %v387
  %v395 = getelementptr float, ptr %ring2.row.311, i64 %v344
  %v396 = load <16 x float>, ptr %v395, align 64
  %v397 = getelementptr float, ptr %ring2.row.320, i64 %v344
  %v398 = load <16 x float>, ptr %v397, align 64
  %v399 = fadd <16 x float> %v398, %v396
  %v400 = fmul <16 x float> %v399, splat (float 0x3F722724C0000000)
  %v401 = getelementptr float, ptr %ring2.row.331, i64 %v344
  %v402 = load <16 x float>, ptr %v401, align 64
  %v403 = fadd <16 x float> %v402, %v378
  %v404 = fmul <16 x float> %v403, splat (float 0x3F218A9C40000000)
  %v405 = fadd <16 x float> %v404, %v400
  %v406 = fadd <16 x float> %v405, %v394
  %v407 = fadd <16 x float> %v406, %v381
  %v408 = getelementptr float, ptr %ring2.row.341, i64 %v344
  store <16 x float> %v378, ptr %v408, align 64
  %v409 = getelementptr float, ptr %ring3, i64 %v344
  store <16 x float> %v407, ptr %v409, align 64
  %x.214.next = add nuw nsw i64 %x.214, 32
  %x.214.more = icmp ult i64 %x.214.next, 64
  br i1 %x.214.more, label %across.410, label %across.end.411
across.end.411:
  %v412 = getelementptr float, ptr %ring3, i64 1
  %v413 = load float, ptr %v412
  %v414 = getelementptr float, ptr %ring3, i64 -1
  store float %v413, ptr %v414
  %v415 = getelementptr float, ptr %ring3, i64 62
  %v416 = load float, ptr %v415
  %v417 = getelementptr float, ptr %ring3, i64 64
  store float %v416, ptr %v417
  br label %joined.207
apart.206:
  ; group 2: plane ring2; 5 rows ahead; 5 more above, 5 below
  %r.418 = add nsw i64 %s.56, 5
  %v419 = icmp sge i64 %r.418, %low2
  %v420 = icmp slt i64 %r.418, %high2
  %v421 = and i1 %v419, %v420
  br i1 %v421, label %group2.422, label %group2.end.423
group2.422:
  %v424 = icmp sge i64 %r.418, %first_row
  %v425 = icmp slt i64 %r.418, %last_row
  %v426 = and i1 %v424, %v425
  %v428 = mul nsw i64 %r.418, 160
  %state1.row.429 = getelementptr float, ptr %state1, i64 %v428
  %v438 = load <16 x i32>, ptr %state1.row.429, align 64
  %v439 = bitcast <16 x i32> %v438 to <16 x float>
  %v440 = shufflevector <16 x float> %v439, <16 x float> poison, <16 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 4, i32 3, i32 2, i32 1>
  %v441 = bitcast <16 x float> %v440 to <16 x i32>
  %v442 = load <16 x i32>, ptr %state1.row.429, align 64
  %v471 = urem i64 %r.418, 8
  %v472 = mul nsw i64 %v471, 112
  %ring2.row.473 = getelementptr float, ptr %ring2, i64 %v472
  br label %across.475
across.475:
  %x.427 = phi i64 [ 0, %group2.422 ], [ %x.427.next, %across.475 ]
  %before.433 = phi <16 x i32> [ %v441, %group2.422 ], [ %here.434, %across.475 ]
  %here.434 = phi <16 x i32> [ %v442, %group2.422 ], [ %v437, %across.475 ]
  %v430 = getelementptr float, ptr %state1.row.429, i64 %x.427
  %v431 = load <16 x float>, ptr %v430, align 64
  %v432 = fmul <16 x float> %v431, splat (float 0x3FD9884A40000000)
  %v435 = getelementptr float, ptr %state1.row.429, i64 %x.427
  %v436 = getelementptr float, ptr %v435, i64 16
  %v437 = load <16 x i32>, ptr %v436, align 64
  %v443 = shufflevector <16 x i32> %here.434, <16 x i32> %v437, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16>
  %v444 = bitcast <16 x i32> %v443 to <16 x float>
  %v445 = shufflevector <16 x i32> %before.433, <16 x i32> %here.434, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v446 = bitcast <16 x i32> %v445 to <16 x float>
  %v447 = fadd <16 x float> %v446, %v444
  %v448 = fmul <16 x float> %v447, splat (float 0x3FCEF8EBA0000000)
  %v449 = shufflevector <16 x i32> %here.434, <16 x i32> %v437, <16 x i32> <i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17>
  %v450 = bitcast <16 x i32> %v449 to <16 x float>
  %v451 = shufflevector <16 x i32> %before.433, <16 x i32> %here.434, <16 x i32> <i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29>
  %v452 = bitcast <16 x i32> %v451 to <16 x float>
  %v453 = fadd <16 x float> %v452, %v450
  %v454 = fmul <16 x float> %v453, splat (float 0x3FABA4B9A0000000)
  %v455 = fadd <16 x float> %v454, %v448
  %v456 = shufflevector <16 x i32> %here.434, <16 x i32> %v437, <16 x i32> <i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18>
  %v457 = bitcast <16 x i32> %v456 to <16 x float>
  %v458 = shufflevector <16 x i32> %before.433, <16 x i32> %here.434, <16 x i32> <i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28>
  %v459 = bitcast <16 x i32> %v458 to <16 x float>
  %v460 = fadd <16 x float> %v459, %v457
  %v461 = fmul <16 x float> %v460, splat (float 0x3F722724C0000000)
  %v462 = shufflevector <16 x i32> %here.434, <16 x i32> %v437, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19>
  %v463 = bitcast <16 x i32> %v462 to <16 x float>
  %v464 = shufflevector <16 x i32> %before.433, <16 x i32> %here.434, <16 x i32> <i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27>
  %v465 = bitcast <16 x i32> %v464 to <16 x float>
  %v466 = fadd <16 x float> %v465, %v463
  %v467 = fmul <16 x float> %v466, splat (float 0x3F218A9C40000000)
  %v468 = fadd <16 x float> %v467, %v461
  %v469 = fadd <16 x float> %v468, %v455
  %v470 = fadd <16 x float> %v469, %v432
  %v474 = getelementptr float, ptr %ring2.row.473, i64 %x.427
  store <16 x float> %v470, ptr %v474, align 64
  %x.427.next = add nuw nsw i64 %x.427, 16
  %x.427.more = icmp ult i64 %x.427.next, 64
  br i1 %x.427.more, label %across.475, label %across.end.476
across.end.476:
  br label %group2.end.423
group2.end.423:
  ; group 3: plane ring3; 1 rows ahead; 1 more above, 1 below
  %r.477 = add nsw i64 %s.56, 1
  %v478 = icmp sge i64 %r.477, %low3
  %v479 = icmp slt i64 %r.477, %high3
  %v480 = and i1 %v478, %v479
  br i1 %v480, label %group3.481, label %group3.end.482
group3.481:
  %v483 = icmp sge i64 %r.477, %first_row
  %v484 = icmp slt i64 %r.477, %last_row
  %v485 = and i1 %v483, %v484
  %v487 = urem i64 %r.477, 8
  %v488 = mul nsw i64 %v487, 112
  %ring2.row.489 = getelementptr float, ptr %ring2, i64 %v488
  %v493 = add i64 %r.477, 1
  %v494 = call i64 @llvm.abs.i64(i64 %v493, i1 false)
  %v495 = sub i64 94, %v494
  %v496 = call i64 @llvm.smin.i64(i64 %v494, i64 %v495)
  %v497 = urem i64 %v496, 8
  %v498 = mul nsw i64 %v497, 112
  %ring2.row.499 = getelementptr float, ptr %ring2, i64 %v498
  %v502 = add i64 %r.477, -1
  %v503 = call i64 @llvm.abs.i64(i64 %v502, i1 false)
  %v504 = sub i64 94, %v503
  %v505 = call i64 @llvm.smin.i64(i64 %v503, i64 %v504)
  %v506 = urem i64 %v505, 8
  %v507 = mul nsw i64 %v506, 112
  %ring2.row.508 = getelementptr float, ptr %ring2, i64 %v507
  %v513 = add i64 %r.477, 2
  %v514 = call i64 @llvm.abs.i64(i64 %v513, i1 false)
  %v515 = sub i64 94, %v514
  %v516 = call i64 @llvm.smin.i64(i64 %v514, i64 %v515)
  %v517 = urem i64 %v516, 8
  %v518 = mul nsw i64 %v517, 112
  %ring2.row.519 = getelementptr float, ptr %ring2, i64 %v518
  %v522 = add i64 %r.477, -2
  %v523 = call i64 @llvm.abs.i64(i64 %v522, i1 false)
  %v524 = sub i64 94, %v523
  %v525 = call i64 @llvm.smin.i64(i64 %v523, i64 %v524)
  %v526 = urem i64 %v525, 8
  %v527 = mul nsw i64 %v526, 112
  %ring2.row.528 = getelementptr float, ptr %ring2, i64 %v527
  %v534 = add i64 %r.477, 3
  %v535 = call i64 @llvm.abs.i64(i64 %v534, i1 false)
  %v536 = sub i64 94, %v535
  %v537 = call i64 @llvm.smin.i64(i64 %v535, i64 %v536)
  %v538 = urem i64 %v537, 8
  %v539 = mul nsw i64 %v538, 112
  %ring2.row.540 = getelementptr float, ptr %ring2, i64 %v539
  %v543 = add i64 %r.477, -3
  %v544 = call i64 @llvm.abs.i64(i64 %v543, i1 false)
  %v545 = sub i64 94, %v544
  %v546 = call i64 @llvm.smin.i64(i64 %v544, i64 %v545)
  %v547 = urem i64 %v546, 8
  %v548 = mul nsw i64 %v547, 112
  %ring2.row.549 = getelementptr float, ptr %ring2, i64 %v548
  %v554 = add i64 %r.477, 4
  %v555 = call i64 @llvm.abs.i64(i64 %v554, i1 false)
  %v556 = sub i64 94, %v555
  %v557 = call i64 @llvm.smin.i64(i64 %v555, i64 %v556)
  %v558 = urem i64 %v557, 8
  %v559 = mul nsw i64 %v558, 112
  %ring2.row.560 = getelementptr float, ptr %ring2, i64 %v559
  %v563 = add i64 %r.477, -4
  %v564 = call i64 @llvm.abs.i64(i64 %v563, i1 false)
  %v565 = sub i64 94, %v564
  %v566 = call i64 @llvm.smin.i64(i64 %v564, i64 %v565)
  %v567 = urem i64 %v566, 8
  %v568 = mul nsw i64 %v567, 112
  %ring2.row.569 = getelementptr float, ptr %ring2, i64 %v568
  br label %across.578
across.578:
  %x.486 = phi i64 [ 0, %group3.481 ], [ %x.486.next, %across.578 ]
  %v490 = getelementptr float, ptr %ring2.row.489, i64 %x.486
  %v491 = load <16 x float>, ptr %v490, align 64
  %v492 = fmul <16 x float> %v491, splat (float 0x3FD9884A40000000)
  %v500 = getelementptr float, ptr %ring2.row.499, i64 %x.486
  %v501 = load <16 x float>, ptr %v500, align 64
  %v509 = getelementptr float, ptr %ring2.row.508, i64 %x.486
  %v510 = load <16 x float>, ptr %v509, align 64
  %v511 = fadd <16 x float> %v510, %v501
  %v512 = fmul <16 x float> %v511, splat (float 0x3FCEF8EBA0000000)
  %v520 = getelementptr float, ptr %ring2.row.519, i64 %x.486
  %v521 = load <16 x float>, ptr %v520, align 64
  %v529 = getelementptr float, ptr %ring2.row.528, i64 %x.486
  %v530 = load <16 x float>, ptr %v529, align 64
  %v531 = fadd <16 x float> %v530, %v521
  %v532 = fmul <16 x float> %v531, splat (float 0x3FABA4B9A0000000)
  %v533 = fadd <16 x float> %v532, %v512
  %v541 = getelementptr float, ptr %ring2.row.540, i64 %x.486
  %v542 = load <16 x float>, ptr %v541, align 64
  %v550 = getelementptr float, ptr %ring2.row.549, i64 %x.486
  %v551 = load <16 x float>, ptr %v550, align 64
  %v552 = fadd <16 x float> %v551, %v542
  %v553 = fmul <16 x float> %v552, splat (float 0x3F722724C0000000)
  %v561 = getelementptr float, ptr %ring2.row.560, i64 %x.486
  %v562 = load <16 x float>, ptr %v561, align 64
  %v570 = getelementptr float, ptr %ring2.row.569, i64 %x.486
  %v571 = load <16 x float>, ptr %v570, align 64
  %v572 = fadd <16 x float> %v571, %v562
  %v573 = fmul <16 x float> %v572, splat (float 0x3F218A9C40000000)
  %v574 = fadd <16 x float> %v573, %v553
  %v575 = fadd <16 x float> %v574, %v533
  %v576 = fadd <16 x float> %v575, %v492
  %v577 = getelementptr float, ptr %ring3, i64 %x.486
  store <16 x float> %v576, ptr %v577, align 64
  %x.486.next = add nuw nsw i64 %x.486, 16
  %x.486.more = icmp ult i64 %x.486.next, 64
  br i1 %x.486.more, label %across.578, label %across.end.579
across.end.579:
  %v580 = getelementptr float, ptr %ring3, i64 1
  %v581 = load float, ptr %v580
  %v582 = getelementptr float, ptr %ring3, i64 -1
  store float %v581, ptr %v582
  %v583 = getelementptr float, ptr %ring3, i64 62
  %v584 = load float, ptr %v583
  %v585 = getelementptr float, ptr %ring3, i64 64
  store float %v584, ptr %v585
  br label %group3.end.482
group3.end.482:
  br label %joined.207
joined.207:
  ; group 4: plane ring4, plane ring5; 1 rows ahead; 1 more above, 1 below
  %r.586 = add nsw i64 %s.56, 1
  %v587 = icmp sge i64 %r.586, %low4
  %v588 = icmp slt i64 %r.586, %high4
  %v589 = and i1 %v587, %v588
  ; group 5: output; 0 rows ahead; 0 more above, 0 below
  %r.590 = add nsw i64 %s.56, 0
  %v591 = icmp sge i64 %r.590, %low5
  %v592 = icmp slt i64 %r.590, %high5
  %v593 = and i1 %v591, %v592
  %v594 = icmp sge i64 %r.590, 1
  %v595 = and i1 %v589, %v593
  %v596 = and i1 %v594, %v595
  br i1 %v596, label %together.597, label %apart.598
together.597:
  %v600 = icmp sge i64 %r.586, %first_row
  %v601 = icmp slt i64 %r.586, %last_row
  %v602 = and i1 %v600, %v601
  %v609 = load <16 x i32>, ptr %ring3, align 64
  %v610 = bitcast <16 x i32> %v609 to <16 x float>
  %v611 = shufflevector <16 x float> %v610, <16 x float> poison, <16 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 1>
  %v612 = bitcast <16 x float> %v611 to <16 x i32>
  %v613 = load <16 x i32>, ptr %ring3, align 64
  %v728 = urem i64 %r.586, 2
  %v729 = mul nsw i64 %v728, 112
  %ring4.row.730 = getelementptr float, ptr %ring4, i64 %v729
  %v732 = urem i64 %r.586, 2
  %v733 = mul nsw i64 %v732, 112
  %ring5.row.734 = getelementptr float, ptr %ring5, i64 %v733
  %v623 = add i64 %r.590, -1
  %v624 = call i64 @llvm.abs.i64(i64 %v623, i1 false)
  %v625 = sub i64 94, %v624
  %v626 = call i64 @llvm.smin.i64(i64 %v624, i64 %v625)
  %v627 = urem i64 %v626, 2
  %v628 = mul nsw i64 %v627, 112
  %ring5.row.629 = getelementptr float, ptr %ring5, i64 %v628
  %v634 = urem i64 %r.590, 2
  %v635 = mul nsw i64 %v634, 112
  %ring4.row.636 = getelementptr float, ptr %ring4, i64 %v635
  %v640 = add i64 %r.590, -1
  %v641 = call i64 @llvm.abs.i64(i64 %v640, i1 false)
  %v642 = sub i64 94, %v641
  %v643 = call i64 @llvm.smin.i64(i64 %v641, i64 %v642)
  %v644 = urem i64 %v643, 2
  %v645 = mul nsw i64 %v644, 112
  %ring4.row.646 = getelementptr float, ptr %ring4, i64 %v645
  %v736 = mul nsw i64 %r.590, 64
  %out.row.737 = getelementptr i8, ptr %output1, i64 %v736
  br label %across.772
across.772:
  %x.603 = phi i64 [ 0, %together.597 ], [ %x.603.next, %across.772 ]
  %before.604 = phi <16 x i32> [ %v612, %together.597 ], [ %v608, %across.772 ]
  %here.605 = phi <16 x i32> [ %v613, %together.597 ], [ %v744, %across.772 ]
  %v606 = getelementptr float, ptr %ring3, i64 %x.603
  %v607 = getelementptr float, ptr %v606, i64 16
  %v608 = load <16 x i32>, ptr %v607, align 64
  %v614 = shufflevector <16 x i32> %before.604, <16 x i32> %here.605, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v615 = bitcast <16 x i32> %v614 to <16 x float>
  %v616 = shufflevector <16 x i32> %here.605, <16 x i32> %v608, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16>
  %v617 = bitcast <16 x i32> %v616 to <16 x float>
  %v618 = fsub <16 x float> %v617, %v615
  %v619 = bitcast <16 x i32> %here.605 to <16 x float>
  %v620 = fmul <16 x float> %v619, splat (float 0x4000000000000000)
  %v621 = fadd <16 x float> %v615, %v617
  %v622 = fadd <16 x float> %v621, %v620
  %v630 = getelementptr float, ptr %ring5.row.629, i64 %x.603
  %v631 = load <16 x float>, ptr %v630, align 64
  %v632 = fsub <16 x float> %v622, %v631
  %v633 = fmul <16 x float> %v632, %v632
  %v637 = getelementptr float, ptr %ring4.row.636, i64 %x.603
  %v638 = load <16 x float>, ptr %v637, align 64
  %v639 = fmul <16 x float> %v638, splat (float 0x4000000000000000)
  %v647 = getelementptr float, ptr %ring4.row.646, i64 %x.603
  %v648 = load <16 x float>, ptr %v647, align 64
  %v649 = fadd <16 x float> %v648, %v618
  %v650 = fadd <16 x float> %v649, %v639
  %v651 = fmul <16 x float> %v650, %v650
  %v652 = fadd <16 x float> %v651, %v633
  %v727 = fcmp olt <16 x float> %v726, %v652
  %v731 = getelementptr float, ptr %ring4.row.730, i64 %x.603
  store <16 x float> %v618, ptr %v731, align 64
  %v735 = getelementptr float, ptr %ring5.row.734, i64 %x.603
  store <16 x float> %v622, ptr %v735, align 64
  %v738 = getelementptr i8, ptr %out.row.737, i64 %x.603
  %v739 = zext <16 x i1> %v727 to <16 x i8>
  %v740 = getelementptr i8, ptr %v738, i64 128
  call void @llvm.prefetch.p0(ptr %v740, i32 1, i32 3, i32 1)
  store <16 x i8> %v739, ptr %v738, align 1
  %v741 = add i64 %x.603, 16
  %v742 = getelementptr float, ptr %ring3, i64 %v741
  %v743 = getelementptr float, ptr %v742, i64 16
  %v744 = load <16 x i32>, ptr %v743, align 64
  %v745 = shufflevector <16 x i32> %here.605, <16 x i32> %v608, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v746 = bitcast <16 x i32> %v745 to <16 x float>
  %v747 = shufflevector <16 x i32> %v608, <16 x i32> %v744, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16>
  %v748 = bitcast <16 x i32> %v747 to <16 x float>
  %v749 = fsub <16 x float> %v748, %v746
  %v750 = bitcast <16 x i32> %v608 to <16 x float>
  %v751 = fmul <16 x float> %v750, splat (float 0x4000000000000000)
  %v752 = fadd <16 x float> %v746, %v748
  %v753 = fadd <16 x float> %v752, %v751
  %v754 = getelementptr float, ptr %ring5.row.629, i64 %v741
  %v755 = load <16 x float>, ptr %v754, align 64
  %v756 = fsub <16 x float> %v753, %v755
  %v757 = fmul <16 x float> %v756, %v756
  %v758 = getelementptr float, ptr %ring4.row.636, i64 %v741
  %v759 = load <16 x float>, ptr %v758, align 64
  %v760 = fmul <16 x float> %v759, splat (float 0x4000000000000000)
  %v761 = getelementptr float, ptr %ring4.row.646, i64 %v741
  %v762 = load <16 x float>, ptr %v761, align 64
  %v763 = fadd <16 x float> %v762, %v749
  %v764 = fadd <16 x float> %v763, %v760
  %v765 = fmul <16 x float> %v764, %v764
  %v766 = fadd <16 x float> %v765, %v757
  %v767 = fcmp olt <16 x float> %v726, %v766
  %v768 = getelementptr float, ptr %ring4.row.730, i64 %v741
  store <16 x float> %v749, ptr %v768, align 64
  %v769 = getelementptr float, ptr %ring5.row.734, i64 %v741
  store <16 x float> %v753, ptr %v769, align 64
  %v770 = getelementptr i8, ptr %out.row.737, i64 %v741
  %v771 = zext <16 x i1> %v767 to <16 x i8>
  store <16 x i8> %v771, ptr %v770, align 1
  %x.603.next = add nuw nsw i64 %x.603, 32
  %x.603.more = icmp ult i64 %x.603.next, 64
  br i1 %x.603.more, label %across.772, label %across.end.773
across.end.773:
  br label %joined.599
apart.598:
  ; group 4: plane ring4, plane ring5; 1 rows ahead; 1 more above, 1 below
  %r.774 = add nsw i64 %s.56, 1
  %v775 = icmp sge i64 %r.774, %low4
  %v776 = icmp slt i64 %r.774, %high4
  %v777 = and i1 %v775, %v776
  br i1 %v777, label %group4.778, label %group4.end.779
group4.778:
  %v780 = icmp sge i64 %r.774, %first_row
  %v781 = icmp slt i64 %r.774, %last_row
  %v782 = and i1 %v780, %v781
  %v789 = load <16 x i32>, ptr %ring3, align 64
  %v790 = bitcast <16 x i32> %v789 to <16 x float>
  %v791 = shufflevector <16 x float> %v790, <16 x float> poison, <16 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 1>
  %v792 = bitcast <16 x float> %v791 to <16 x i32>
  %v793 = load <16 x i32>, ptr %ring3, align 64
  %v803 = urem i64 %r.774, 2
  %v804 = mul nsw i64 %v803, 112
  %ring4.row.805 = getelementptr float, ptr %ring4, i64 %v804
  %v807 = urem i64 %r.774, 2
  %v808 = mul nsw i64 %v807, 112
  %ring5.row.809 = getelementptr float, ptr %ring5, i64 %v808
  br label %across.811
across.811:
  %x.783 = phi i64 [ 0, %group4.778 ], [ %x.783.next, %across.811 ]
  %before.784 = phi <16 x i32> [ %v792, %group4.778 ], [ %here.785, %across.811 ]
  %here.785 = phi <16 x i32> [ %v793, %group4.778 ], [ %v788, %across.811 ]
  %v786 = getelementptr float, ptr %ring3, i64 %x.783
  %v787 = getelementptr float, ptr %v786, i64 16
  %v788 = load <16 x i32>, ptr %v787, align 64
  %v794 = shufflevector <16 x i32> %before.784, <16 x i32> %here.785, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v795 = bitcast <16 x i32> %v794 to <16 x float>
  %v796 = shufflevector <16 x i32> %here.785, <16 x i32> %v788, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16>
  %v797 = bitcast <16 x i32> %v796 to <16 x float>
  %v798 = fsub <16 x float> %v797, %v795
  %v799 = bitcast <16 x i32> %here.785 to <16 x float>
  %v800 = fmul <16 x float> %v799, splat (float 0x4000000000000000)
  %v801 = fadd <16 x float> %v795, %v797
  %v802 = fadd <16 x float> %v801, %v800
  %v806 = getelementptr float, ptr %ring4.row.805, i64 %x.783
  store <16 x float> %v798, ptr %v806, align 64
  %v810 = getelementptr float, ptr %ring5.row.809, i64 %x.783
  store <16 x float> %v802, ptr %v810, align 64
  %x.783.next = add nuw nsw i64 %x.783, 16
  %x.783.more = icmp ult i64 %x.783.next, 64
  br i1 %x.783.more, label %across.811, label %across.end.812
across.end.812:
  br label %group4.end.779
group4.end.779:
  ; group 5: output; 0 rows ahead; 0 more above, 0 below
  %r.813 = add nsw i64 %s.56, 0
  %v814 = icmp sge i64 %r.813, %low5
  %v815 = icmp slt i64 %r.813, %high5
  %v816 = and i1 %v814, %v815
  br i1 %v816, label %group5.817, label %group5.end.818
group5.817:
  %v820 = add i64 %r.813, -1
  %v821 = call i64 @llvm.abs.i64(i64 %v820, i1 false)
  %v822 = sub i64 94, %v821
  %v823 = call i64 @llvm.smin.i64(i64 %v821, i64 %v822)
  %v824 = urem i64 %v823, 2
  %v825 = mul nsw i64 %v824, 112
  %ring5.row.826 = getelementptr float, ptr %ring5, i64 %v825
  %v829 = add i64 %r.813, 1
  %v830 = call i64 @llvm.abs.i64(i64 %v829, i1 false)
  %v831 = sub i64 94, %v830
  %v832 = call i64 @llvm.smin.i64(i64 %v830, i64 %v831)
  %v833 = urem i64 %v832, 2
  %v834 = mul nsw i64 %v833, 112
  %ring5.row.835 = getelementptr float, ptr %ring5, i64 %v834
  %v840 = urem i64 %r.813, 2
  %v841 = mul nsw i64 %v840, 112
  %ring4.row.842 = getelementptr float, ptr %ring4, i64 %v841
  %v846 = add i64 %r.813, 1
  %v847 = call i64 @llvm.abs.i64(i64 %v846, i1 false)
  %v848 = sub i64 94, %v847
  %v849 = call i64 @llvm.smin.i64(i64 %v847, i64 %v848)
  %v850 = urem i64 %v849, 2
  %v851 = mul nsw i64 %v850, 112
  %ring4.row.852 = getelementptr float, ptr %ring4, i64 %v851
  %v855 = add i64 %r.813, -1
  %v856 = call i64 @llvm.abs.i64(i64 %v855, i1 false)
  %v857 = sub i64 94, %v856
  %v858 = call i64 @llvm.smin.i64(i64 %v856, i64 %v857)
  %v859 = urem i64 %v858, 2
  %v860 = mul nsw i64 %v859, 112
  %ring4.row.861 = getelementptr float, ptr %ring4, i64 %v860
  %v869 = mul nsw i64 %r.813, 64
  %out.row.870 = getelementptr i8, ptr %output1, i64 %v869
  br label %across.874
across.874:
  %x.819 = phi i64 [ 0, %group5.817 ], [ %x.819.next, %across.874 ]
  %v827 = getelementptr float, ptr %ring5.row.826, i64 %x.819
  %v828 = load <16 x float>, ptr %v827, align 64
  %v836 = getelementptr float, ptr %ring5.row.835, i64 %x.819
  %v837 = load <16 x float>, ptr %v836, align 64
  %v838 = fsub <16 x float> %v837, %v828
  %v839 = fmul <16 x float> %v838, %v838
  %v843 = getelementptr float, ptr %ring4.row.842, i64 %x.819
  %v844 = load <16 x float>, ptr %v843, align 64
  %v845 = fmul <16 x float> %v844, splat (float 0x4000000000000000)
  %v853 = getelementptr float, ptr %ring4.row.852, i64 %x.819
  %v854 = load <16 x float>, ptr %v853, align 64
  %v862 = getelementptr float, ptr %ring4.row.861, i64 %x.819
  %v863 = load <16 x float>, ptr %v862, align 64
  %v864 = fadd <16 x float> %v863, %v854
  %v865 = fadd <16 x float> %v864, %v845
  %v866 = fmul <16 x float> %v865, %v865
  %v867 = fadd <16 x float> %v866, %v839
  %v868 = fcmp olt <16 x float> %v726, %v867
  %v871 = getelementptr i8, ptr %out.row.870, i64 %x.819
  %v872 = zext <16 x i1> %v868 to <16 x i8>
  %v873 = getelementptr i8, ptr %v871, i64 128
  call void @llvm.prefetch.p0(ptr %v873, i32 1, i32 3, i32 1)
  store <16 x i8> %v872, ptr %v871, align 1
  %x.819.next = add nuw nsw i64 %x.819, 16
  %x.819.more = icmp ult i64 %x.819.next, 64
  br i1 %x.819.more, label %across.874, label %across.end.875
across.end.875:
  br label %group5.end.818
group5.end.818:
  br label %joined.599
joined.599:
  br label %step.next.57
step.next.57:
  %s.56.next = add nsw i64 %s.56, 1
  br label %step.53
step.end.55:
  br label %t.next.48
t.next.48:
  %t.47.next = add nsw i64 %t.47, 1
  br label %t.44
t.end.46:
  ret void
}

declare <16 x float> @llvm.sqrt.v16f32(<16 x float>)
declare i64 @llvm.abs.i64(i64, i1)
declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.smin.i64(i64, i64)
declare void @llvm.prefetch.p0(ptr, i32, i32, i32)

; whole: a host function, nothing is generated

; markers: a host function, nothing is generated
