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
  %v651 = getelementptr i8, ptr %args, i64 64
  %param.652 = load float, ptr %v651, align 8
  %v653 = insertelement <16 x float> poison, float %param.652, i64 0
  %v654 = shufflevector <16 x float> %v653, <16 x float> poison, <16 x i32> zeroinitializer
  %v655 = fmul <16 x float> %v654, %v654
  %v656 = fcmp uno <16 x float> %v655, %v655
  %v657 = bitcast <16 x float> %v655 to <16 x i32>
  %v658 = select <16 x i1> %v656, <16 x i32> splat (i32 2143289344), <16 x i32> %v657
  %v659 = add <16 x i32> %v658, splat (i32 -3)
  %v660 = icmp sgt <16 x i32> %v659, splat (i32 0)
  %v661 = select <16 x i1> %v660, <16 x i32> %v659, <16 x i32> splat (i32 0)
  %v662 = icmp slt <16 x i32> %v661, splat (i32 2139095039)
  %v663 = select <16 x i1> %v662, <16 x i32> %v661, <16 x i32> splat (i32 2139095039)
  %v664 = bitcast <16 x i32> %v663 to <16 x float>
  %v665 = call <16 x float> @llvm.sqrt.v16f32(<16 x float> %v664)
  %v666 = fcmp ole <16 x float> %v665, %v654
  %v667 = select <16 x i1> %v666, <16 x float> %v664, <16 x float> splat (float 0x0000000000000000)
  %v668 = add <16 x i32> %v658, splat (i32 -2)
  %v669 = icmp sgt <16 x i32> %v668, splat (i32 0)
  %v670 = select <16 x i1> %v669, <16 x i32> %v668, <16 x i32> splat (i32 0)
  %v671 = icmp slt <16 x i32> %v670, splat (i32 2139095039)
  %v672 = select <16 x i1> %v671, <16 x i32> %v670, <16 x i32> splat (i32 2139095039)
  %v673 = bitcast <16 x i32> %v672 to <16 x float>
  %v674 = call <16 x float> @llvm.sqrt.v16f32(<16 x float> %v673)
  %v675 = fcmp ole <16 x float> %v674, %v654
  %v676 = select <16 x i1> %v675, <16 x float> %v673, <16 x float> %v667
  %v677 = add <16 x i32> %v658, splat (i32 -1)
  %v678 = icmp sgt <16 x i32> %v677, splat (i32 0)
  %v679 = select <16 x i1> %v678, <16 x i32> %v677, <16 x i32> splat (i32 0)
  %v680 = icmp slt <16 x i32> %v679, splat (i32 2139095039)
  %v681 = select <16 x i1> %v680, <16 x i32> %v679, <16 x i32> splat (i32 2139095039)
  %v682 = bitcast <16 x i32> %v681 to <16 x float>
  %v683 = call <16 x float> @llvm.sqrt.v16f32(<16 x float> %v682)
  %v684 = fcmp ole <16 x float> %v683, %v654
  %v685 = select <16 x i1> %v684, <16 x float> %v682, <16 x float> %v676
  %v686 = icmp sgt <16 x i32> %v658, splat (i32 0)
  %v687 = select <16 x i1> %v686, <16 x i32> %v658, <16 x i32> splat (i32 0)
  %v688 = icmp slt <16 x i32> %v687, splat (i32 2139095039)
  %v689 = select <16 x i1> %v688, <16 x i32> %v687, <16 x i32> splat (i32 2139095039)
  %v690 = bitcast <16 x i32> %v689 to <16 x float>
  %v691 = call <16 x float> @llvm.sqrt.v16f32(<16 x float> %v690)
  %v692 = fcmp ole <16 x float> %v691, %v654
  %v693 = select <16 x i1> %v692, <16 x float> %v690, <16 x float> %v685
  %v694 = add <16 x i32> %v658, splat (i32 1)
  %v695 = icmp sgt <16 x i32> %v694, splat (i32 0)
  %v696 = select <16 x i1> %v695, <16 x i32> %v694, <16 x i32> splat (i32 0)
  %v697 = icmp slt <16 x i32> %v696, splat (i32 2139095039)
  %v698 = select <16 x i1> %v697, <16 x i32> %v696, <16 x i32> splat (i32 2139095039)
  %v699 = bitcast <16 x i32> %v698 to <16 x float>
  %v700 = call <16 x float> @llvm.sqrt.v16f32(<16 x float> %v699)
  %v701 = fcmp ole <16 x float> %v700, %v654
  %v702 = select <16 x i1> %v701, <16 x float> %v699, <16 x float> %v693
  %v703 = add <16 x i32> %v658, splat (i32 2)
  %v704 = icmp sgt <16 x i32> %v703, splat (i32 0)
  %v705 = select <16 x i1> %v704, <16 x i32> %v703, <16 x i32> splat (i32 0)
  %v706 = icmp slt <16 x i32> %v705, splat (i32 2139095039)
  %v707 = select <16 x i1> %v706, <16 x i32> %v705, <16 x i32> splat (i32 2139095039)
  %v708 = bitcast <16 x i32> %v707 to <16 x float>
  %v709 = call <16 x float> @llvm.sqrt.v16f32(<16 x float> %v708)
  %v710 = fcmp ole <16 x float> %v709, %v654
  %v711 = select <16 x i1> %v710, <16 x float> %v708, <16 x float> %v702
  %v712 = add <16 x i32> %v658, splat (i32 3)
  %v713 = icmp sgt <16 x i32> %v712, splat (i32 0)
  %v714 = select <16 x i1> %v713, <16 x i32> %v712, <16 x i32> splat (i32 0)
  %v715 = icmp slt <16 x i32> %v714, splat (i32 2139095039)
  %v716 = select <16 x i1> %v715, <16 x i32> %v714, <16 x i32> splat (i32 2139095039)
  %v717 = bitcast <16 x i32> %v716 to <16 x float>
  %v718 = call <16 x float> @llvm.sqrt.v16f32(<16 x float> %v717)
  %v719 = fcmp ole <16 x float> %v718, %v654
  %v720 = select <16 x i1> %v719, <16 x float> %v717, <16 x float> %v711
  %v721 = fcmp olt <16 x float> %v654, splat (float 0x0000000000000000)
  %v722 = select <16 x i1> %v721, <16 x float> splat (float 0xB6A0000000000000), <16 x float> %v720
  %v723 = fcmp olt <16 x float> %v654, splat (float 0x7FF0000000000000)
  %v724 = select <16 x i1> %v723, <16 x float> %v722, <16 x float> %v654
  br label %t.42
t.42:
  %t.45 = phi i64 [ 0, %entry ], [ %t.45.next, %t.next.46 ]
  %v47 = icmp slt i64 %t.45, %frames
  br i1 %v47, label %t.do.43, label %t.end.44
t.do.43:
  %v874 = mul i64 %frames, 0
  %v875 = add i64 %v874, %t.45
  %v876 = getelementptr ptr, ptr %images, i64 %v875
  %input0 = load ptr, ptr %v876, align 8
  %v877 = mul i64 %frames, 1
  %v878 = add i64 %v877, %t.45
  %v879 = getelementptr ptr, ptr %images, i64 %v878
  %output0 = load ptr, ptr %v879, align 8
  %v880 = mul i64 %frames, 2
  %v881 = add i64 %v880, %t.45
  %v882 = getelementptr ptr, ptr %images, i64 %v881
  %output1 = load ptr, ptr %v882, align 8
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
  %v223 = load <16 x i32>, ptr %state1.row.214, align 64
  %v224 = bitcast <16 x i32> %v223 to <16 x float>
  %v225 = shufflevector <16 x float> %v224, <16 x float> poison, <16 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 4, i32 3, i32 2, i32 1>
  %v226 = bitcast <16 x float> %v225 to <16 x i32>
  %v227 = load <16 x i32>, ptr %state1.row.214, align 64
  %v337 = urem i64 %r.192, 8
  %v338 = mul nsw i64 %v337, 112
  %ring2.row.339 = getelementptr float, ptr %ring2, i64 %v338
  %v209 = icmp sge i64 %r.196, %first_row
  %v210 = icmp slt i64 %r.196, %last_row
  %v211 = and i1 %v209, %v210
  %v256 = urem i64 %r.196, 8
  %v257 = mul nsw i64 %v256, 112
  %ring2.row.258 = getelementptr float, ptr %ring2, i64 %v257
  %v262 = add i64 %r.196, 1
  %v263 = call i64 @llvm.abs.i64(i64 %v262, i1 false)
  %v264 = sub i64 94, %v263
  %v265 = call i64 @llvm.smin.i64(i64 %v263, i64 %v264)
  %v266 = urem i64 %v265, 8
  %v267 = mul nsw i64 %v266, 112
  %ring2.row.268 = getelementptr float, ptr %ring2, i64 %v267
  %v271 = add i64 %r.196, -1
  %v272 = call i64 @llvm.abs.i64(i64 %v271, i1 false)
  %v273 = sub i64 94, %v272
  %v274 = call i64 @llvm.smin.i64(i64 %v272, i64 %v273)
  %v275 = urem i64 %v274, 8
  %v276 = mul nsw i64 %v275, 112
  %ring2.row.277 = getelementptr float, ptr %ring2, i64 %v276
  %v282 = add i64 %r.196, 2
  %v283 = call i64 @llvm.abs.i64(i64 %v282, i1 false)
  %v284 = sub i64 94, %v283
  %v285 = call i64 @llvm.smin.i64(i64 %v283, i64 %v284)
  %v286 = urem i64 %v285, 8
  %v287 = mul nsw i64 %v286, 112
  %ring2.row.288 = getelementptr float, ptr %ring2, i64 %v287
  %v291 = add i64 %r.196, -2
  %v292 = call i64 @llvm.abs.i64(i64 %v291, i1 false)
  %v293 = sub i64 94, %v292
  %v294 = call i64 @llvm.smin.i64(i64 %v292, i64 %v293)
  %v295 = urem i64 %v294, 8
  %v296 = mul nsw i64 %v295, 112
  %ring2.row.297 = getelementptr float, ptr %ring2, i64 %v296
  %v303 = add i64 %r.196, 3
  %v304 = call i64 @llvm.abs.i64(i64 %v303, i1 false)
  %v305 = sub i64 94, %v304
  %v306 = call i64 @llvm.smin.i64(i64 %v304, i64 %v305)
  %v307 = urem i64 %v306, 8
  %v308 = mul nsw i64 %v307, 112
  %ring2.row.309 = getelementptr float, ptr %ring2, i64 %v308
  %v312 = add i64 %r.196, -3
  %v313 = call i64 @llvm.abs.i64(i64 %v312, i1 false)
  %v314 = sub i64 94, %v313
  %v315 = call i64 @llvm.smin.i64(i64 %v313, i64 %v314)
  %v316 = urem i64 %v315, 8
  %v317 = mul nsw i64 %v316, 112
  %ring2.row.318 = getelementptr float, ptr %ring2, i64 %v317
  %v323 = add i64 %r.196, -4
  %v324 = call i64 @llvm.abs.i64(i64 %v323, i1 false)
  %v325 = sub i64 94, %v324
  %v326 = call i64 @llvm.smin.i64(i64 %v324, i64 %v325)
  %v327 = urem i64 %v326, 8
  %v328 = mul nsw i64 %v327, 112
  %ring2.row.329 = getelementptr float, ptr %ring2, i64 %v328
  br label %across.408
across.408:
  %x.212 = phi i64 [ 0, %together.203 ], [ %x.212.next, %across.408 ]
  %before.218 = phi <16 x i32> [ %v226, %together.203 ], [ %v222, %across.408 ]
  %here.219 = phi <16 x i32> [ %v227, %together.203 ], [ %v348, %across.408 ]
  %v215 = getelementptr float, ptr %state1.row.214, i64 %x.212
  %v216 = load <16 x float>, ptr %v215, align 64
  %v217 = fmul <16 x float> %v216, splat (float 0x3FD9884A40000000)
  %v220 = getelementptr float, ptr %state1.row.214, i64 %x.212
  %v221 = getelementptr float, ptr %v220, i64 16
  %v222 = load <16 x i32>, ptr %v221, align 64
  %v228 = shufflevector <16 x i32> %here.219, <16 x i32> %v222, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16>
  %v229 = bitcast <16 x i32> %v228 to <16 x float>
  %v230 = shufflevector <16 x i32> %before.218, <16 x i32> %here.219, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v231 = bitcast <16 x i32> %v230 to <16 x float>
  %v232 = fadd <16 x float> %v231, %v229
  %v233 = fmul <16 x float> %v232, splat (float 0x3FCEF8EBA0000000)
  %v234 = shufflevector <16 x i32> %here.219, <16 x i32> %v222, <16 x i32> <i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17>
  %v235 = bitcast <16 x i32> %v234 to <16 x float>
  %v236 = shufflevector <16 x i32> %before.218, <16 x i32> %here.219, <16 x i32> <i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29>
  %v237 = bitcast <16 x i32> %v236 to <16 x float>
  %v238 = fadd <16 x float> %v237, %v235
  %v239 = fmul <16 x float> %v238, splat (float 0x3FABA4B9A0000000)
  %v240 = fadd <16 x float> %v239, %v233
  %v241 = shufflevector <16 x i32> %here.219, <16 x i32> %v222, <16 x i32> <i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18>
  %v242 = bitcast <16 x i32> %v241 to <16 x float>
  %v243 = shufflevector <16 x i32> %before.218, <16 x i32> %here.219, <16 x i32> <i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28>
  %v244 = bitcast <16 x i32> %v243 to <16 x float>
  %v245 = fadd <16 x float> %v244, %v242
  %v246 = fmul <16 x float> %v245, splat (float 0x3F722724C0000000)
  %v247 = shufflevector <16 x i32> %here.219, <16 x i32> %v222, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19>
  %v248 = bitcast <16 x i32> %v247 to <16 x float>
  %v249 = shufflevector <16 x i32> %before.218, <16 x i32> %here.219, <16 x i32> <i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27>
  %v250 = bitcast <16 x i32> %v249 to <16 x float>
  %v251 = fadd <16 x float> %v250, %v248
  %v252 = fmul <16 x float> %v251, splat (float 0x3F218A9C40000000)
  %v253 = fadd <16 x float> %v252, %v246
  %v254 = fadd <16 x float> %v253, %v240
  %v255 = fadd <16 x float> %v254, %v217
  %v259 = getelementptr float, ptr %ring2.row.258, i64 %x.212
  %v260 = load <16 x float>, ptr %v259, align 64
  %v261 = fmul <16 x float> %v260, splat (float 0x3FD9884A40000000)
  %v269 = getelementptr float, ptr %ring2.row.268, i64 %x.212
  %v270 = load <16 x float>, ptr %v269, align 64
  %v278 = getelementptr float, ptr %ring2.row.277, i64 %x.212
  %v279 = load <16 x float>, ptr %v278, align 64
  %v280 = fadd <16 x float> %v279, %v270
  %v281 = fmul <16 x float> %v280, splat (float 0x3FCEF8EBA0000000)
  %v289 = getelementptr float, ptr %ring2.row.288, i64 %x.212
  %v290 = load <16 x float>, ptr %v289, align 64
  %v298 = getelementptr float, ptr %ring2.row.297, i64 %x.212
  %v299 = load <16 x float>, ptr %v298, align 64
  %v300 = fadd <16 x float> %v299, %v290
  %v301 = fmul <16 x float> %v300, splat (float 0x3FABA4B9A0000000)
  %v302 = fadd <16 x float> %v301, %v281
  %v310 = getelementptr float, ptr %ring2.row.309, i64 %x.212
  %v311 = load <16 x float>, ptr %v310, align 64
  %v319 = getelementptr float, ptr %ring2.row.318, i64 %x.212
  %v320 = load <16 x float>, ptr %v319, align 64
  %v321 = fadd <16 x float> %v320, %v311
  %v322 = fmul <16 x float> %v321, splat (float 0x3F722724C0000000)
  %v330 = getelementptr float, ptr %ring2.row.329, i64 %x.212
  %v331 = load <16 x float>, ptr %v330, align 64
  %v332 = fadd <16 x float> %v331, %v255
  %v333 = fmul <16 x float> %v332, splat (float 0x3F218A9C40000000)
  %v334 = fadd <16 x float> %v333, %v322
  %v335 = fadd <16 x float> %v334, %v302
  %v336 = fadd <16 x float> %v335, %v261
  %v340 = getelementptr float, ptr %ring2.row.339, i64 %x.212
  store <16 x float> %v255, ptr %v340, align 64
  %v341 = getelementptr float, ptr %ring3, i64 %x.212
  store <16 x float> %v336, ptr %v341, align 64
  %v342 = add i64 %x.212, 16
  %v343 = getelementptr float, ptr %state1.row.214, i64 %v342
  %v344 = load <16 x float>, ptr %v343, align 64
  %v345 = fmul <16 x float> %v344, splat (float 0x3FD9884A40000000)
  %v346 = getelementptr float, ptr %state1.row.214, i64 %v342
  %v347 = getelementptr float, ptr %v346, i64 16
  %v348 = load <16 x i32>, ptr %v347, align 64
  %v349 = shufflevector <16 x i32> %v222, <16 x i32> %v348, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16>
  %v350 = bitcast <16 x i32> %v349 to <16 x float>
  %v351 = shufflevector <16 x i32> %here.219, <16 x i32> %v222, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v352 = bitcast <16 x i32> %v351 to <16 x float>
  %v353 = fadd <16 x float> %v352, %v350
  %v354 = fmul <16 x float> %v353, splat (float 0x3FCEF8EBA0000000)
  %v355 = shufflevector <16 x i32> %v222, <16 x i32> %v348, <16 x i32> <i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17>
  %v356 = bitcast <16 x i32> %v355 to <16 x float>
  %v357 = shufflevector <16 x i32> %here.219, <16 x i32> %v222, <16 x i32> <i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29>
  %v358 = bitcast <16 x i32> %v357 to <16 x float>
  %v359 = fadd <16 x float> %v358, %v356
  %v360 = fmul <16 x float> %v359, splat (float 0x3FABA4B9A0000000)
  %v361 = fadd <16 x float> %v360, %v354
  %v362 = shufflevector <16 x i32> %v222, <16 x i32> %v348, <16 x i32> <i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18>
  %v363 = bitcast <16 x i32> %v362 to <16 x float>
  %v364 = shufflevector <16 x i32> %here.219, <16 x i32> %v222, <16 x i32> <i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28>
  %v365 = bitcast <16 x i32> %v364 to <16 x float>
  %v366 = fadd <16 x float> %v365, %v363
  %v367 = fmul <16 x float> %v366, splat (float 0x3F722724C0000000)
  %v368 = shufflevector <16 x i32> %v222, <16 x i32> %v348, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19>
  %v369 = bitcast <16 x i32> %v368 to <16 x float>
  %v370 = shufflevector <16 x i32> %here.219, <16 x i32> %v222, <16 x i32> <i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27>
  %v371 = bitcast <16 x i32> %v370 to <16 x float>
  %v372 = fadd <16 x float> %v371, %v369
  %v373 = fmul <16 x float> %v372, splat (float 0x3F218A9C40000000)
  %v374 = fadd <16 x float> %v373, %v367
  %v375 = fadd <16 x float> %v374, %v361
  %v376 = fadd <16 x float> %v375, %v345
  %v377 = getelementptr float, ptr %ring2.row.258, i64 %v342
  %v378 = load <16 x float>, ptr %v377, align 64
  %v379 = fmul <16 x float> %v378, splat (float 0x3FD9884A40000000)
  %v380 = getelementptr float, ptr %ring2.row.268, i64 %v342
  %v381 = load <16 x float>, ptr %v380, align 64
  %v382 = getelementptr float, ptr %ring2.row.277, i64 %v342
  %v383 = load <16 x float>, ptr %v382, align 64
  %v384 = fadd <16 x float> %v383, %v381
  %v385 = fmul <16 x float> %v384, splat (float 0x3FCEF8EBA0000000)
  %v386 = getelementptr float, ptr %ring2.row.288, i64 %v342
  %v387 = load <16 x float>, ptr %v386, align 64
  %v388 = getelementptr float, ptr %ring2.row.297, i64 %v342
  %v389 = load <16 x float>, ptr %v388, align 64
  %v390 = fadd <16 x float> %v389, %v387
  %v391 = fmul <16 x float> %v390, splat (float 0x3FABA4B9A0000000)
  %v392 = fadd <16 x float> %v391, %v385
  %v393 = getelementptr float, ptr %ring2.row.309, i64 %v342
  %v394 = load <16 x float>, ptr %v393, align 64
  %v395 = getelementptr float, ptr %ring2.row.318, i64 %v342
  %v396 = load <16 x float>, ptr %v395, align 64
  %v397 = fadd <16 x float> %v396, %v394
  %v398 = fmul <16 x float> %v397, splat (float 0x3F722724C0000000)
  %v399 = getelementptr float, ptr %ring2.row.329, i64 %v342
  %v400 = load <16 x float>, ptr %v399, align 64
  %v401 = fadd <16 x float> %v400, %v376
  %v402 = fmul <16 x float> %v401, splat (float 0x3F218A9C40000000)
  %v403 = fadd <16 x float> %v402, %v398
  %v404 = fadd <16 x float> %v403, %v392
  %v405 = fadd <16 x float> %v404, %v379
  %v406 = getelementptr float, ptr %ring2.row.339, i64 %v342
  store <16 x float> %v376, ptr %v406, align 64
  %v407 = getelementptr float, ptr %ring3, i64 %v342
  store <16 x float> %v405, ptr %v407, align 64
  %x.212.next = add nuw nsw i64 %x.212, 32
  %x.212.more = icmp ult i64 %x.212.next, 64
  br i1 %x.212.more, label %across.408, label %across.end.409
across.end.409:
  %v410 = getelementptr float, ptr %ring3, i64 1
  %v411 = load float, ptr %v410
  %v412 = getelementptr float, ptr %ring3, i64 -1
  store float %v411, ptr %v412
  %v413 = getelementptr float, ptr %ring3, i64 62
  %v414 = load float, ptr %v413
  %v415 = getelementptr float, ptr %ring3, i64 64
  store float %v414, ptr %v415
  br label %joined.205
apart.204:
  ; group 2: plane ring2; 5 rows ahead; 5 more above, 5 below
  %r.416 = add nsw i64 %s.54, 5
  %v417 = icmp sge i64 %r.416, %low2
  %v418 = icmp slt i64 %r.416, %high2
  %v419 = and i1 %v417, %v418
  br i1 %v419, label %group2.420, label %group2.end.421
group2.420:
  %v422 = icmp sge i64 %r.416, %first_row
  %v423 = icmp slt i64 %r.416, %last_row
  %v424 = and i1 %v422, %v423
  %v426 = mul nsw i64 %r.416, 160
  %state1.row.427 = getelementptr float, ptr %state1, i64 %v426
  %v436 = load <16 x i32>, ptr %state1.row.427, align 64
  %v437 = bitcast <16 x i32> %v436 to <16 x float>
  %v438 = shufflevector <16 x float> %v437, <16 x float> poison, <16 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 4, i32 3, i32 2, i32 1>
  %v439 = bitcast <16 x float> %v438 to <16 x i32>
  %v440 = load <16 x i32>, ptr %state1.row.427, align 64
  %v469 = urem i64 %r.416, 8
  %v470 = mul nsw i64 %v469, 112
  %ring2.row.471 = getelementptr float, ptr %ring2, i64 %v470
  br label %across.473
across.473:
  %x.425 = phi i64 [ 0, %group2.420 ], [ %x.425.next, %across.473 ]
  %before.431 = phi <16 x i32> [ %v439, %group2.420 ], [ %here.432, %across.473 ]
  %here.432 = phi <16 x i32> [ %v440, %group2.420 ], [ %v435, %across.473 ]
  %v428 = getelementptr float, ptr %state1.row.427, i64 %x.425
  %v429 = load <16 x float>, ptr %v428, align 64
  %v430 = fmul <16 x float> %v429, splat (float 0x3FD9884A40000000)
  %v433 = getelementptr float, ptr %state1.row.427, i64 %x.425
  %v434 = getelementptr float, ptr %v433, i64 16
  %v435 = load <16 x i32>, ptr %v434, align 64
  %v441 = shufflevector <16 x i32> %here.432, <16 x i32> %v435, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16>
  %v442 = bitcast <16 x i32> %v441 to <16 x float>
  %v443 = shufflevector <16 x i32> %before.431, <16 x i32> %here.432, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v444 = bitcast <16 x i32> %v443 to <16 x float>
  %v445 = fadd <16 x float> %v444, %v442
  %v446 = fmul <16 x float> %v445, splat (float 0x3FCEF8EBA0000000)
  %v447 = shufflevector <16 x i32> %here.432, <16 x i32> %v435, <16 x i32> <i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17>
  %v448 = bitcast <16 x i32> %v447 to <16 x float>
  %v449 = shufflevector <16 x i32> %before.431, <16 x i32> %here.432, <16 x i32> <i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29>
  %v450 = bitcast <16 x i32> %v449 to <16 x float>
  %v451 = fadd <16 x float> %v450, %v448
  %v452 = fmul <16 x float> %v451, splat (float 0x3FABA4B9A0000000)
  %v453 = fadd <16 x float> %v452, %v446
  %v454 = shufflevector <16 x i32> %here.432, <16 x i32> %v435, <16 x i32> <i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18>
  %v455 = bitcast <16 x i32> %v454 to <16 x float>
  %v456 = shufflevector <16 x i32> %before.431, <16 x i32> %here.432, <16 x i32> <i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28>
  %v457 = bitcast <16 x i32> %v456 to <16 x float>
  %v458 = fadd <16 x float> %v457, %v455
  %v459 = fmul <16 x float> %v458, splat (float 0x3F722724C0000000)
  %v460 = shufflevector <16 x i32> %here.432, <16 x i32> %v435, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19>
  %v461 = bitcast <16 x i32> %v460 to <16 x float>
  %v462 = shufflevector <16 x i32> %before.431, <16 x i32> %here.432, <16 x i32> <i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27>
  %v463 = bitcast <16 x i32> %v462 to <16 x float>
  %v464 = fadd <16 x float> %v463, %v461
  %v465 = fmul <16 x float> %v464, splat (float 0x3F218A9C40000000)
  %v466 = fadd <16 x float> %v465, %v459
  %v467 = fadd <16 x float> %v466, %v453
  %v468 = fadd <16 x float> %v467, %v430
  %v472 = getelementptr float, ptr %ring2.row.471, i64 %x.425
  store <16 x float> %v468, ptr %v472, align 64
  %x.425.next = add nuw nsw i64 %x.425, 16
  %x.425.more = icmp ult i64 %x.425.next, 64
  br i1 %x.425.more, label %across.473, label %across.end.474
across.end.474:
  br label %group2.end.421
group2.end.421:
  ; group 3: plane ring3; 1 rows ahead; 1 more above, 1 below
  %r.475 = add nsw i64 %s.54, 1
  %v476 = icmp sge i64 %r.475, %low3
  %v477 = icmp slt i64 %r.475, %high3
  %v478 = and i1 %v476, %v477
  br i1 %v478, label %group3.479, label %group3.end.480
group3.479:
  %v481 = icmp sge i64 %r.475, %first_row
  %v482 = icmp slt i64 %r.475, %last_row
  %v483 = and i1 %v481, %v482
  %v485 = urem i64 %r.475, 8
  %v486 = mul nsw i64 %v485, 112
  %ring2.row.487 = getelementptr float, ptr %ring2, i64 %v486
  %v491 = add i64 %r.475, 1
  %v492 = call i64 @llvm.abs.i64(i64 %v491, i1 false)
  %v493 = sub i64 94, %v492
  %v494 = call i64 @llvm.smin.i64(i64 %v492, i64 %v493)
  %v495 = urem i64 %v494, 8
  %v496 = mul nsw i64 %v495, 112
  %ring2.row.497 = getelementptr float, ptr %ring2, i64 %v496
  %v500 = add i64 %r.475, -1
  %v501 = call i64 @llvm.abs.i64(i64 %v500, i1 false)
  %v502 = sub i64 94, %v501
  %v503 = call i64 @llvm.smin.i64(i64 %v501, i64 %v502)
  %v504 = urem i64 %v503, 8
  %v505 = mul nsw i64 %v504, 112
  %ring2.row.506 = getelementptr float, ptr %ring2, i64 %v505
  %v511 = add i64 %r.475, 2
  %v512 = call i64 @llvm.abs.i64(i64 %v511, i1 false)
  %v513 = sub i64 94, %v512
  %v514 = call i64 @llvm.smin.i64(i64 %v512, i64 %v513)
  %v515 = urem i64 %v514, 8
  %v516 = mul nsw i64 %v515, 112
  %ring2.row.517 = getelementptr float, ptr %ring2, i64 %v516
  %v520 = add i64 %r.475, -2
  %v521 = call i64 @llvm.abs.i64(i64 %v520, i1 false)
  %v522 = sub i64 94, %v521
  %v523 = call i64 @llvm.smin.i64(i64 %v521, i64 %v522)
  %v524 = urem i64 %v523, 8
  %v525 = mul nsw i64 %v524, 112
  %ring2.row.526 = getelementptr float, ptr %ring2, i64 %v525
  %v532 = add i64 %r.475, 3
  %v533 = call i64 @llvm.abs.i64(i64 %v532, i1 false)
  %v534 = sub i64 94, %v533
  %v535 = call i64 @llvm.smin.i64(i64 %v533, i64 %v534)
  %v536 = urem i64 %v535, 8
  %v537 = mul nsw i64 %v536, 112
  %ring2.row.538 = getelementptr float, ptr %ring2, i64 %v537
  %v541 = add i64 %r.475, -3
  %v542 = call i64 @llvm.abs.i64(i64 %v541, i1 false)
  %v543 = sub i64 94, %v542
  %v544 = call i64 @llvm.smin.i64(i64 %v542, i64 %v543)
  %v545 = urem i64 %v544, 8
  %v546 = mul nsw i64 %v545, 112
  %ring2.row.547 = getelementptr float, ptr %ring2, i64 %v546
  %v552 = add i64 %r.475, 4
  %v553 = call i64 @llvm.abs.i64(i64 %v552, i1 false)
  %v554 = sub i64 94, %v553
  %v555 = call i64 @llvm.smin.i64(i64 %v553, i64 %v554)
  %v556 = urem i64 %v555, 8
  %v557 = mul nsw i64 %v556, 112
  %ring2.row.558 = getelementptr float, ptr %ring2, i64 %v557
  %v561 = add i64 %r.475, -4
  %v562 = call i64 @llvm.abs.i64(i64 %v561, i1 false)
  %v563 = sub i64 94, %v562
  %v564 = call i64 @llvm.smin.i64(i64 %v562, i64 %v563)
  %v565 = urem i64 %v564, 8
  %v566 = mul nsw i64 %v565, 112
  %ring2.row.567 = getelementptr float, ptr %ring2, i64 %v566
  br label %across.576
across.576:
  %x.484 = phi i64 [ 0, %group3.479 ], [ %x.484.next, %across.576 ]
  %v488 = getelementptr float, ptr %ring2.row.487, i64 %x.484
  %v489 = load <16 x float>, ptr %v488, align 64
  %v490 = fmul <16 x float> %v489, splat (float 0x3FD9884A40000000)
  %v498 = getelementptr float, ptr %ring2.row.497, i64 %x.484
  %v499 = load <16 x float>, ptr %v498, align 64
  %v507 = getelementptr float, ptr %ring2.row.506, i64 %x.484
  %v508 = load <16 x float>, ptr %v507, align 64
  %v509 = fadd <16 x float> %v508, %v499
  %v510 = fmul <16 x float> %v509, splat (float 0x3FCEF8EBA0000000)
  %v518 = getelementptr float, ptr %ring2.row.517, i64 %x.484
  %v519 = load <16 x float>, ptr %v518, align 64
  %v527 = getelementptr float, ptr %ring2.row.526, i64 %x.484
  %v528 = load <16 x float>, ptr %v527, align 64
  %v529 = fadd <16 x float> %v528, %v519
  %v530 = fmul <16 x float> %v529, splat (float 0x3FABA4B9A0000000)
  %v531 = fadd <16 x float> %v530, %v510
  %v539 = getelementptr float, ptr %ring2.row.538, i64 %x.484
  %v540 = load <16 x float>, ptr %v539, align 64
  %v548 = getelementptr float, ptr %ring2.row.547, i64 %x.484
  %v549 = load <16 x float>, ptr %v548, align 64
  %v550 = fadd <16 x float> %v549, %v540
  %v551 = fmul <16 x float> %v550, splat (float 0x3F722724C0000000)
  %v559 = getelementptr float, ptr %ring2.row.558, i64 %x.484
  %v560 = load <16 x float>, ptr %v559, align 64
  %v568 = getelementptr float, ptr %ring2.row.567, i64 %x.484
  %v569 = load <16 x float>, ptr %v568, align 64
  %v570 = fadd <16 x float> %v569, %v560
  %v571 = fmul <16 x float> %v570, splat (float 0x3F218A9C40000000)
  %v572 = fadd <16 x float> %v571, %v551
  %v573 = fadd <16 x float> %v572, %v531
  %v574 = fadd <16 x float> %v573, %v490
  %v575 = getelementptr float, ptr %ring3, i64 %x.484
  store <16 x float> %v574, ptr %v575, align 64
  %x.484.next = add nuw nsw i64 %x.484, 16
  %x.484.more = icmp ult i64 %x.484.next, 64
  br i1 %x.484.more, label %across.576, label %across.end.577
across.end.577:
  %v578 = getelementptr float, ptr %ring3, i64 1
  %v579 = load float, ptr %v578
  %v580 = getelementptr float, ptr %ring3, i64 -1
  store float %v579, ptr %v580
  %v581 = getelementptr float, ptr %ring3, i64 62
  %v582 = load float, ptr %v581
  %v583 = getelementptr float, ptr %ring3, i64 64
  store float %v582, ptr %v583
  br label %group3.end.480
group3.end.480:
  br label %joined.205
joined.205:
  ; group 4: plane ring4, plane ring5; 1 rows ahead; 1 more above, 1 below
  %r.584 = add nsw i64 %s.54, 1
  %v585 = icmp sge i64 %r.584, %low4
  %v586 = icmp slt i64 %r.584, %high4
  %v587 = and i1 %v585, %v586
  ; group 5: output; 0 rows ahead; 0 more above, 0 below
  %r.588 = add nsw i64 %s.54, 0
  %v589 = icmp sge i64 %r.588, %low5
  %v590 = icmp slt i64 %r.588, %high5
  %v591 = and i1 %v589, %v590
  %v592 = icmp sge i64 %r.588, 1
  %v593 = and i1 %v587, %v591
  %v594 = and i1 %v592, %v593
  br i1 %v594, label %together.595, label %apart.596
together.595:
  %v598 = icmp sge i64 %r.584, %first_row
  %v599 = icmp slt i64 %r.584, %last_row
  %v600 = and i1 %v598, %v599
  %v607 = load <16 x i32>, ptr %ring3, align 64
  %v608 = bitcast <16 x i32> %v607 to <16 x float>
  %v609 = shufflevector <16 x float> %v608, <16 x float> poison, <16 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 1>
  %v610 = bitcast <16 x float> %v609 to <16 x i32>
  %v611 = load <16 x i32>, ptr %ring3, align 64
  %v726 = urem i64 %r.584, 2
  %v727 = mul nsw i64 %v726, 112
  %ring4.row.728 = getelementptr float, ptr %ring4, i64 %v727
  %v730 = urem i64 %r.584, 2
  %v731 = mul nsw i64 %v730, 112
  %ring5.row.732 = getelementptr float, ptr %ring5, i64 %v731
  %v621 = add i64 %r.588, -1
  %v622 = call i64 @llvm.abs.i64(i64 %v621, i1 false)
  %v623 = sub i64 94, %v622
  %v624 = call i64 @llvm.smin.i64(i64 %v622, i64 %v623)
  %v625 = urem i64 %v624, 2
  %v626 = mul nsw i64 %v625, 112
  %ring5.row.627 = getelementptr float, ptr %ring5, i64 %v626
  %v632 = urem i64 %r.588, 2
  %v633 = mul nsw i64 %v632, 112
  %ring4.row.634 = getelementptr float, ptr %ring4, i64 %v633
  %v638 = add i64 %r.588, -1
  %v639 = call i64 @llvm.abs.i64(i64 %v638, i1 false)
  %v640 = sub i64 94, %v639
  %v641 = call i64 @llvm.smin.i64(i64 %v639, i64 %v640)
  %v642 = urem i64 %v641, 2
  %v643 = mul nsw i64 %v642, 112
  %ring4.row.644 = getelementptr float, ptr %ring4, i64 %v643
  %v734 = mul nsw i64 %r.588, 64
  %out.row.735 = getelementptr i8, ptr %output1, i64 %v734
  br label %across.770
across.770:
  %x.601 = phi i64 [ 0, %together.595 ], [ %x.601.next, %across.770 ]
  %before.602 = phi <16 x i32> [ %v610, %together.595 ], [ %v606, %across.770 ]
  %here.603 = phi <16 x i32> [ %v611, %together.595 ], [ %v742, %across.770 ]
  %v604 = getelementptr float, ptr %ring3, i64 %x.601
  %v605 = getelementptr float, ptr %v604, i64 16
  %v606 = load <16 x i32>, ptr %v605, align 64
  %v612 = shufflevector <16 x i32> %before.602, <16 x i32> %here.603, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v613 = bitcast <16 x i32> %v612 to <16 x float>
  %v614 = shufflevector <16 x i32> %here.603, <16 x i32> %v606, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16>
  %v615 = bitcast <16 x i32> %v614 to <16 x float>
  %v616 = fsub <16 x float> %v615, %v613
  %v617 = bitcast <16 x i32> %here.603 to <16 x float>
  %v618 = fmul <16 x float> %v617, splat (float 0x4000000000000000)
  %v619 = fadd <16 x float> %v613, %v615
  %v620 = fadd <16 x float> %v619, %v618
  %v628 = getelementptr float, ptr %ring5.row.627, i64 %x.601
  %v629 = load <16 x float>, ptr %v628, align 64
  %v630 = fsub <16 x float> %v620, %v629
  %v631 = fmul <16 x float> %v630, %v630
  %v635 = getelementptr float, ptr %ring4.row.634, i64 %x.601
  %v636 = load <16 x float>, ptr %v635, align 64
  %v637 = fmul <16 x float> %v636, splat (float 0x4000000000000000)
  %v645 = getelementptr float, ptr %ring4.row.644, i64 %x.601
  %v646 = load <16 x float>, ptr %v645, align 64
  %v647 = fadd <16 x float> %v646, %v616
  %v648 = fadd <16 x float> %v647, %v637
  %v649 = fmul <16 x float> %v648, %v648
  %v650 = fadd <16 x float> %v649, %v631
  %v725 = fcmp olt <16 x float> %v724, %v650
  %v729 = getelementptr float, ptr %ring4.row.728, i64 %x.601
  store <16 x float> %v616, ptr %v729, align 64
  %v733 = getelementptr float, ptr %ring5.row.732, i64 %x.601
  store <16 x float> %v620, ptr %v733, align 64
  %v736 = getelementptr i8, ptr %out.row.735, i64 %x.601
  %v737 = zext <16 x i1> %v725 to <16 x i8>
  %v738 = getelementptr i8, ptr %v736, i64 128
  call void @llvm.prefetch.p0(ptr %v738, i32 1, i32 3, i32 1)
  store <16 x i8> %v737, ptr %v736, align 1
  %v739 = add i64 %x.601, 16
  %v740 = getelementptr float, ptr %ring3, i64 %v739
  %v741 = getelementptr float, ptr %v740, i64 16
  %v742 = load <16 x i32>, ptr %v741, align 64
  %v743 = shufflevector <16 x i32> %here.603, <16 x i32> %v606, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v744 = bitcast <16 x i32> %v743 to <16 x float>
  %v745 = shufflevector <16 x i32> %v606, <16 x i32> %v742, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16>
  %v746 = bitcast <16 x i32> %v745 to <16 x float>
  %v747 = fsub <16 x float> %v746, %v744
  %v748 = bitcast <16 x i32> %v606 to <16 x float>
  %v749 = fmul <16 x float> %v748, splat (float 0x4000000000000000)
  %v750 = fadd <16 x float> %v744, %v746
  %v751 = fadd <16 x float> %v750, %v749
  %v752 = getelementptr float, ptr %ring5.row.627, i64 %v739
  %v753 = load <16 x float>, ptr %v752, align 64
  %v754 = fsub <16 x float> %v751, %v753
  %v755 = fmul <16 x float> %v754, %v754
  %v756 = getelementptr float, ptr %ring4.row.634, i64 %v739
  %v757 = load <16 x float>, ptr %v756, align 64
  %v758 = fmul <16 x float> %v757, splat (float 0x4000000000000000)
  %v759 = getelementptr float, ptr %ring4.row.644, i64 %v739
  %v760 = load <16 x float>, ptr %v759, align 64
  %v761 = fadd <16 x float> %v760, %v747
  %v762 = fadd <16 x float> %v761, %v758
  %v763 = fmul <16 x float> %v762, %v762
  %v764 = fadd <16 x float> %v763, %v755
  %v765 = fcmp olt <16 x float> %v724, %v764
  %v766 = getelementptr float, ptr %ring4.row.728, i64 %v739
  store <16 x float> %v747, ptr %v766, align 64
  %v767 = getelementptr float, ptr %ring5.row.732, i64 %v739
  store <16 x float> %v751, ptr %v767, align 64
  %v768 = getelementptr i8, ptr %out.row.735, i64 %v739
  %v769 = zext <16 x i1> %v765 to <16 x i8>
  store <16 x i8> %v769, ptr %v768, align 1
  %x.601.next = add nuw nsw i64 %x.601, 32
  %x.601.more = icmp ult i64 %x.601.next, 64
  br i1 %x.601.more, label %across.770, label %across.end.771
across.end.771:
  br label %joined.597
apart.596:
  ; group 4: plane ring4, plane ring5; 1 rows ahead; 1 more above, 1 below
  %r.772 = add nsw i64 %s.54, 1
  %v773 = icmp sge i64 %r.772, %low4
  %v774 = icmp slt i64 %r.772, %high4
  %v775 = and i1 %v773, %v774
  br i1 %v775, label %group4.776, label %group4.end.777
group4.776:
  %v778 = icmp sge i64 %r.772, %first_row
  %v779 = icmp slt i64 %r.772, %last_row
  %v780 = and i1 %v778, %v779
  %v787 = load <16 x i32>, ptr %ring3, align 64
  %v788 = bitcast <16 x i32> %v787 to <16 x float>
  %v789 = shufflevector <16 x float> %v788, <16 x float> poison, <16 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 1>
  %v790 = bitcast <16 x float> %v789 to <16 x i32>
  %v791 = load <16 x i32>, ptr %ring3, align 64
  %v801 = urem i64 %r.772, 2
  %v802 = mul nsw i64 %v801, 112
  %ring4.row.803 = getelementptr float, ptr %ring4, i64 %v802
  %v805 = urem i64 %r.772, 2
  %v806 = mul nsw i64 %v805, 112
  %ring5.row.807 = getelementptr float, ptr %ring5, i64 %v806
  br label %across.809
across.809:
  %x.781 = phi i64 [ 0, %group4.776 ], [ %x.781.next, %across.809 ]
  %before.782 = phi <16 x i32> [ %v790, %group4.776 ], [ %here.783, %across.809 ]
  %here.783 = phi <16 x i32> [ %v791, %group4.776 ], [ %v786, %across.809 ]
  %v784 = getelementptr float, ptr %ring3, i64 %x.781
  %v785 = getelementptr float, ptr %v784, i64 16
  %v786 = load <16 x i32>, ptr %v785, align 64
  %v792 = shufflevector <16 x i32> %before.782, <16 x i32> %here.783, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
  %v793 = bitcast <16 x i32> %v792 to <16 x float>
  %v794 = shufflevector <16 x i32> %here.783, <16 x i32> %v786, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16>
  %v795 = bitcast <16 x i32> %v794 to <16 x float>
  %v796 = fsub <16 x float> %v795, %v793
  %v797 = bitcast <16 x i32> %here.783 to <16 x float>
  %v798 = fmul <16 x float> %v797, splat (float 0x4000000000000000)
  %v799 = fadd <16 x float> %v793, %v795
  %v800 = fadd <16 x float> %v799, %v798
  %v804 = getelementptr float, ptr %ring4.row.803, i64 %x.781
  store <16 x float> %v796, ptr %v804, align 64
  %v808 = getelementptr float, ptr %ring5.row.807, i64 %x.781
  store <16 x float> %v800, ptr %v808, align 64
  %x.781.next = add nuw nsw i64 %x.781, 16
  %x.781.more = icmp ult i64 %x.781.next, 64
  br i1 %x.781.more, label %across.809, label %across.end.810
across.end.810:
  br label %group4.end.777
group4.end.777:
  ; group 5: output; 0 rows ahead; 0 more above, 0 below
  %r.811 = add nsw i64 %s.54, 0
  %v812 = icmp sge i64 %r.811, %low5
  %v813 = icmp slt i64 %r.811, %high5
  %v814 = and i1 %v812, %v813
  br i1 %v814, label %group5.815, label %group5.end.816
group5.815:
  %v818 = add i64 %r.811, -1
  %v819 = call i64 @llvm.abs.i64(i64 %v818, i1 false)
  %v820 = sub i64 94, %v819
  %v821 = call i64 @llvm.smin.i64(i64 %v819, i64 %v820)
  %v822 = urem i64 %v821, 2
  %v823 = mul nsw i64 %v822, 112
  %ring5.row.824 = getelementptr float, ptr %ring5, i64 %v823
  %v827 = add i64 %r.811, 1
  %v828 = call i64 @llvm.abs.i64(i64 %v827, i1 false)
  %v829 = sub i64 94, %v828
  %v830 = call i64 @llvm.smin.i64(i64 %v828, i64 %v829)
  %v831 = urem i64 %v830, 2
  %v832 = mul nsw i64 %v831, 112
  %ring5.row.833 = getelementptr float, ptr %ring5, i64 %v832
  %v838 = urem i64 %r.811, 2
  %v839 = mul nsw i64 %v838, 112
  %ring4.row.840 = getelementptr float, ptr %ring4, i64 %v839
  %v844 = add i64 %r.811, 1
  %v845 = call i64 @llvm.abs.i64(i64 %v844, i1 false)
  %v846 = sub i64 94, %v845
  %v847 = call i64 @llvm.smin.i64(i64 %v845, i64 %v846)
  %v848 = urem i64 %v847, 2
  %v849 = mul nsw i64 %v848, 112
  %ring4.row.850 = getelementptr float, ptr %ring4, i64 %v849
  %v853 = add i64 %r.811, -1
  %v854 = call i64 @llvm.abs.i64(i64 %v853, i1 false)
  %v855 = sub i64 94, %v854
  %v856 = call i64 @llvm.smin.i64(i64 %v854, i64 %v855)
  %v857 = urem i64 %v856, 2
  %v858 = mul nsw i64 %v857, 112
  %ring4.row.859 = getelementptr float, ptr %ring4, i64 %v858
  %v867 = mul nsw i64 %r.811, 64
  %out.row.868 = getelementptr i8, ptr %output1, i64 %v867
  br label %across.872
across.872:
  %x.817 = phi i64 [ 0, %group5.815 ], [ %x.817.next, %across.872 ]
  %v825 = getelementptr float, ptr %ring5.row.824, i64 %x.817
  %v826 = load <16 x float>, ptr %v825, align 64
  %v834 = getelementptr float, ptr %ring5.row.833, i64 %x.817
  %v835 = load <16 x float>, ptr %v834, align 64
  %v836 = fsub <16 x float> %v835, %v826
  %v837 = fmul <16 x float> %v836, %v836
  %v841 = getelementptr float, ptr %ring4.row.840, i64 %x.817
  %v842 = load <16 x float>, ptr %v841, align 64
  %v843 = fmul <16 x float> %v842, splat (float 0x4000000000000000)
  %v851 = getelementptr float, ptr %ring4.row.850, i64 %x.817
  %v852 = load <16 x float>, ptr %v851, align 64
  %v860 = getelementptr float, ptr %ring4.row.859, i64 %x.817
  %v861 = load <16 x float>, ptr %v860, align 64
  %v862 = fadd <16 x float> %v861, %v852
  %v863 = fadd <16 x float> %v862, %v843
  %v864 = fmul <16 x float> %v863, %v863
  %v865 = fadd <16 x float> %v864, %v837
  %v866 = fcmp olt <16 x float> %v724, %v865
  %v869 = getelementptr i8, ptr %out.row.868, i64 %x.817
  %v870 = zext <16 x i1> %v866 to <16 x i8>
  %v871 = getelementptr i8, ptr %v869, i64 128
  call void @llvm.prefetch.p0(ptr %v871, i32 1, i32 3, i32 1)
  store <16 x i8> %v870, ptr %v869, align 1
  %x.817.next = add nuw nsw i64 %x.817, 16
  %x.817.more = icmp ult i64 %x.817.next, 64
  br i1 %x.817.more, label %across.872, label %across.end.873
across.end.873:
  br label %group5.end.816
group5.end.816:
  br label %joined.597
joined.597:
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

; whole: a host function, nothing is generated

; markers: a host function, nothing is generated
