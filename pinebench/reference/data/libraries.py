"""The exports of known published libraries, and the exports that depend on history.

Written by scripts/data/update_reference.py.
"""

from __future__ import annotations

EXPORTS: dict[str, str] = {
    "algotraderdev/contrast/1": "contrast",
    "andre_007/MomentumIndicators/6": (
        "arsi cci fisher iftCCI iftCMF iftFisher iftMACD iftMFI iftROC iftRSI iftStoch iftTSI iftUO iftVO "
        "iftVROC iftWPR inverseFisher kst macd momentum premierStoch roc rsi rsiMA rsiVolume smi smiCCI "
        "smiCMF smiFT smiMACD smiMFI smiMom smiNVI smiOBV smiPVI smiPVT smiROC smiRSI smiUO smiVO smiVROC "
        "smiVol smiWPR smie stoch stochCCI stochFT stochMACD stochMFI stochNVI stochOBV stochPVI stochPVT "
        "stochRoc stochRsi stochTSI stochUO stochVO stochVROC stochVolume stochWPR tsi ultimateOscillator wpr"
    ),
    "Bjorgum/BjCandlePatterns/2": (
        "abandonedBear abandonedBull abbLab abwLab barRange bcLab bearEngulf bearNeck bebLab bewLab body "
        "bodyPct bodydwnGap bodyupGap bottomWick bullEngulf bullNeck crows dLab darkCloudCover dccLab ddLab "
        "doji dojiBody dragonflyDoji dtgLab esLab eveningStar fallingThree fallingWindow ftmLab fwLab gapDwn "
        "gapUp gdLab gravestoneDoji hLab hammer haramiBear haramiBearCross haramiBull haramiBullCross hbLab "
        "hcbLab hcwLab highestBody hwLab kbLab kickingBear kickingBull kwLab lls llsLab lowestBody lus lusLab "
        "marubearzu marubullzu mbLab midBody morningStar msLab mwLab nbLab nwLab pLab piercing risingThree "
        "risingWindow rtmLab rwLab soldiers spinningTop spinningTopBear spinningTopBull ssLab stLab star "
        "stbLab stwLab tasukiBear tasukiBull tbLab topWick triStarBear triStarBull tsbLab tswLab ttLab "
        "tweezerBottom tweezerTop utgLab wrap wsLab"
    ),
    "boitoki/AwesomeColor/9": (
        "frankenthaler_flood frankenthaler_thebay gogh_cafeterrace gogh_crows gogh_tarascon gruvbox guardians "
        "monokai monokaipro okeeffe_lake okeeffe_music okeeffe_reflection okeeffe_sun package panda "
        "spacemacs_dark spacemacs_light st3 st4 tradingview tradingview_flag"
    ),
    "boitoki/Utilities/11": (
        "QQE auto_htf clear_boxes clear_labels clear_lines countdown get_day price_range qqe_func "
        "remove_boxes remove_labels remove_linefills remove_lines round rounded_price source toPips toPrice "
        "to_pips to_price"
    ),
    "DevLucem/ZigLib/1": "zigzag",
    "HeWhoMustNotBeNamed/_matrix/5": "clear delete pop push rclear remove rpop rshift shift unshift",
    "HeWhoMustNotBeNamed/arraymethods/1": "delete flush popr push shiftr unshift",
    "HeWhoMustNotBeNamed/arrays/1": "clear delete pop push shift unshift",
    "HeWhoMustNotBeNamed/arrayutils/10": (
        "check_overflow clear delete ema getLabel get_sort_order get_trend_series getrange hma ma pop push "
        "rma shift sma unshift wma"
    ),
    "HeWhoMustNotBeNamed/arrayutils/21": (
        "check_overflow clear delete ema getFibSeries get_trend_series hma ma pop push rma shift sma unshift wma"
    ),
    "HeWhoMustNotBeNamed/customcandles/2": "bcandles hacandles macandles ocandles",
    "HeWhoMustNotBeNamed/drawingutils/8": (
        "draw_label draw_labelled_box draw_labelled_line draw_line draw_linefill runTimer watermark"
    ),
    "HeWhoMustNotBeNamed/enhanced_ta/14": (
        "atr atrpercent bb bbw bpercentb dc dcw dpercentd kc kcw kpercentk ma mbandoscillator multibands "
        "oscillator oscillatorRange timer"
    ),
    "HeWhoMustNotBeNamed/mZigzag/12": "calculate calculateplain draw",
    "HeWhoMustNotBeNamed/rzigzag/10": "draw drawfresh iZigzag nextlevel zigzag",
    "HeWhoMustNotBeNamed/ta/1": (
        "atr atrpercent bb bbw bpercentb dc dcw dpercentd kc kcw kpercentk ma mbandoscillator multibands "
        "oscillator oscillatorRange"
    ),
    "HeWhoMustNotBeNamed/utils/1": "check_overflow getColors getConsolidatedLabel get_trend_series timer",
    "HeWhoMustNotBeNamed/zigzag/14": "czigzag drawczigzag drawczigzag2 drawzigzag zigzag",
    "HeWhoMustNotBeNamed/zigzag/5": "czigzag drawzigzag zigzag",
    "HoanGhetti/SimpleTrendlines/4": "drawLine drawTrendline new",
    "HoanGhetti/SimpleTrendlines/5": "drawLine drawTrendline new",
    "HPotter/RouterOrdersIron/1": (
        "DoLongLR DoLongMKT DoShortLR DoShortMKT GetQty MsgDoLongLR MsgDoLongMKT MsgDoShortLR MsgDoShortMKT"
    ),
    "jason5480/analytics_tables/3": "getTablePos init update",
    "jason5480/biased_price_target/9": (
        "higher_long_biased_price higher_short_biased_price lower_long_biased_price lower_short_biased_price"
    ),
    "jason5480/chrono_utils/7": (
        "barInMilliseconds draw exTimezone from_sess_string get_ms_in_day get_sec_in_day get_size_in_bars "
        "get_size_in_secs init is_bar_included is_day_included monthInDays monthInMilliseconds nameOfDay "
        "nextDayAfter next_day normalize normalizeHour normalizeMinute nthDayAfter nthDayBefore nth_day_after "
        "nth_day_before prevDayBefore previous_day to_sess_string to_sess_strings to_string today tomorrow"
    ),
    "jason5480/chrono_utils/8": (
        "barInMilliseconds draw draw_bars draw_boxes draw_candles from_sess_string get_ms_in_day "
        "get_sec_in_day get_size_in_bars get_size_in_secs init is_bar_included is_day_included monthInDays "
        "monthInMilliseconds nameOfDay nextDayAfter next_day normalize normalizeHour normalizeMinute "
        "nthDayAfter nthDayBefore nth_day_after nth_day_before prevDayBefore previous_day to_sess_string "
        "to_sess_strings to_string today tomorrow"
    ),
    "jason5480/distance_ratio/16": ("price ratio restrict_price restrict_ratio restrict_ticks ticks unit_price"),
    "jason5480/external_input_utils/11": "enumToSrc evalCond",
    "jason5480/external_input_utils/6": "eval_cond str_to_src",
    "jason5480/math_utils/11": (
        "ceil ceil_to_mintick clamp clamp_down clamp_up floor floor_to_mintick num_of_decimal_digits "
        "num_of_non_decimal_digits"
    ),
    "jason5480/series_collection/4": (
        "alma alma_back alma_front cust_series cust_series_back cust_series_front dema dema_back dema_front "
        "ema ema_back ema_front get_curVal get_shrinked_data hma hma_back hma_front index_after index_before "
        "init linreg linreg_back linreg_front newClockBuffer newRingBuffer next_index prev_index "
        "push_back_shift push_front_pop push_newVal push_newVal_pop_oldVal rma rma_back rma_front rotate "
        "rotate_ccw rotate_cw rotate_left rotate_right set_curVal size_inc sma swma swma_back swma_front vwma "
        "vwma_back vwma_front wma wma_back wma_front"
    ),
    "jason5480/string_utils/6": "announce desteganographize fill indent legend replace replace_all",
    "jason5480/tts_convention/7": "getDealConditions getSignal",
    "jason5480/two_ma_logic/11": "getDealConditions",
    "jdehorty/KernelFunctions/2": "gaussian locallyPeriodic periodic rationalQuadratic",
    "jdehorty/MLExtensions/2": (
        "backtest color_green color_red dualPoleFilter filter_adx filter_volatility init_table n_adx n_cci "
        "n_rsi n_wt normalize normalizeDeriv regime_filter rescale tanh tanhTransform update_table"
    ),
    "jmosullivan/Table/1": (
        "debug floatArrayToCellArray floatMatrixToCellMatrix fromArray fromMatrix stringArrayToCellArray "
        "stringMatrixToCellMatrix"
    ),
    "kaigouthro/hsvColor/15": (
        "bright degree easeBoth easeIn easeOut hsl hslInvert hsl_gradient hslimit hsv hsvInvert hsv_gradient "
        "hue relativeluminance rgbhsl rgbhsv stepGradient stepHue tripswitch"
    ),
    "LonesomeTheBlue/CreateAndShowZigzag/1": "getZigzag showZigzag",
    "LonesomeTheBlue/DrawIndicatorOnTheChart/6": "drawIndicator",
    "loxx/loxxexpandedsourcetypes/4": (
        "haavemedbody haaverage habavemedbody habaverage habclose habhigh hablow habmedian habopen habtrendb "
        "habtrendbext habtypical habweighted haclose hahigh halow hamedian haopen hatrendb hatrendbext "
        "hatypical haweighted ravemedbody raverage rclose rhigh rlow rmedian ropen rtrendb rtrendbext "
        "rtypical rweighted"
    ),
    "loxx/loxxmas/1": (
        "adxvma ahrma alxma ama decycler dema dsema ema fema frama hma ie2 ilrs instant kama laguerre leader "
        "lsma lwma mcNicholl mcginley nonlagma pwma rmta slwma sma smma smoother super swma t3 tema "
        "threepolebuttfilt threepolesss tma twopolebutter twopoless vwema vwma zlagdema zlagma zlagtema"
    ),
    "LucF/ta/3": (
        "addTextIf buoyancy divergenceChannel efficientWork gradientAdvDecPro ma sott sourceStrToFloat "
        "upDnIntrabarVolumesByPolarity zeroOne"
    ),
    "LudoGH68/Drawings_public/1": (
        "delete_box delete_line extend_line update_box_coordinates update_label_coordinates update_line_coordinates"
    ),
    "PineCoders/ConditionalAverages/2": "avgSince avgWhen avgWhenInLast avgWhenLast totalForTimeWhen",
    "PineCoders/getSeries/1": "rollOnTimeWhen whenSince",
    "PineCoders/lower_tf/4": "ltf ltfStats",
    "PineCoders/Time/2": (
        "formattedDate formattedDay formattedNoOfPeriods formattedTime secondsSince secondsToTfString timeFrom"
    ),
    "PineCoders/Time/4": (
        "formattedDate formattedDay formattedNoOfPeriods formattedTime secondsSince secondsToTfString timeFrom"
    ),
    "PineCoders/VisibleChart/4": (
        "avg barIsVisible bars chartXIndexPct chartXTimePct chartYPct close high highBarIndex highBarTime "
        "isFirstVisibleBar isLastVisibleBar leftBarIndex low lowBarIndex lowBarTime median ohlcv open "
        "rightBarIndex vVwap volume whenVisible"
    ),
    "reees/Algebra/3": "line_fromXy line_getPrice line_getRtSides line_length",
    "reees/Draw/27": (
        "eHitLbl incTtTxt label_style level line_style pat_colors sHitLbl size tHitLbl xabcd xabcd_inProgress "
        "xabcd_inProgress2 xabcd_incInProgress"
    ),
    "reees/Obj_XABCD_Harmonic/10": (
        "draw_label draw_pattern erase_label erase_pattern get_name get_pid get_symbol init init_params set_target"
    ),
    "reees/Pattern/1": ("draw draw_label erase erase_label leg_getLineTerms leg_getPrice leg_init pattern_init"),
    "reees/TA/11": "div_bear div_bull",
    "reees/TA/85": (
        "div_bear div_bull harmonic_xabcd_eAvg harmonic_xabcd_eD harmonic_xabcd_entry "
        "harmonic_xabcd_fibDispTxt harmonic_xabcd_prz harmonic_xabcd_przClosest harmonic_xabcd_przRange "
        "harmonic_xabcd_przScore harmonic_xabcd_rAndE harmonic_xabcd_score harmonic_xabcd_scoreTot "
        "harmonic_xabcd_stop harmonic_xabcd_symbol harmonic_xabcd_targets harmonic_xabcd_validate "
        "harmonic_xabcd_validateIncomplete pat_xabcd pat_xabcdIncomplete pat_xabcd_asym pat_xabcd_avgDev "
        "pat_xabcd_prz pat_xabcd_testSym pat_xabcd_validate pat_xabcd_validateIncomplete success test_cd "
        "tradeClosed xabcd_entryHit"
    ),
    "reees/Utilities/5": "boolToIntArr intToBoolArr print print_series",
    "RicardoSantos/ColorExtension/4": (
        "analog color_to_hsl complement darken desaturate hsl invert is_cool is_high_key lighten mix "
        "rgb_to_hsl saturate shift_hue square temperature tetradic triadic"
    ),
    "RicardoSantos/FunctionZigZagMultipleMethods/1": "function method",
    "RicardoSantos/HarmonicPattern/3": (
        "extract is2Tap is3Driver is3Tap is4Tap is5o isABCD isBat isButterfly isConTria isCrab isExpTria "
        "isGartley isHarmonicTriangle isHnS isShark isWolfe is_inrange line_price_rate line_time_rate"
    ),
    "RicardoSantos/MathOperator/2": (
        "add and_ divide equal multiply not_equal or_ over over_equal remainder subtract under under_equal"
    ),
    "robbatt/lib_math/2": "in_range mean range_overlap trend variance vwap",
    "robbatt/lib_no_delay/18": (
        "atr bb dev dmi dvi ehma ema get_ma get_signal_once_per_bar hma linreg linreg_values macd macd_custom "
        "rma rsi sma stc stc_fast stdev stdev_fast stoch thma vwma wma"
    ),
    "robbatt/lib_plot_objects/56": (
        "apply_style body_bottom body_size body_top body_total_ratio calculate_center create_box "
        "create_candle create_center create_center_label create_fill create_label create_line create_point "
        "deep_copy delete direction draw duration enqueue extend_to hide is_bearish is_bullish is_green "
        "is_red nz or_default total_size update wick_size_bottom wick_size_top"
    ),
    "robbatt/lib_profile/44": (
        "apply_style calculate create_profile deep_copy deepcopy delete draw get_ltf hide history init reset update"
    ),
    "TFlab/AlertSenderLibrary_TradingFinder/1": "AlertSender",
    "TFlab/Dark_Light_Theme_TradingFinder_Switching_Colors_Library/1": "SwitchingColorMode",
    "TFlab/FVGDetectorLibrary/1": "FVGDetector",
    "TFlab/FVGDetectorLibrary/3": "FVGDetector",
    "TFlab/LiquidityFinderLibrary/1": "LLF",
    "TFlab/OrderBlockDrawing_TradingFinder/1": "OBDrawing",
    "TFlab/OrderBlockDrawing_TradingFinder/3": "OBDrawing",
    "TFlab/OrderBlockDrawing_TradingFinder/4": "OBDrawing",
    "TFlab/OrderBlockOverlappingDrawing/1": "OBOverlappingDrawing",
    "TFlab/OrderBlockRefiner_TradingFinder/2": "OBRefiner",
    "toodegrees/forex_factory_decoding/36": (
        "MMM array2string daysMonth decode ff_currency ff_dow ff_impact ff_t ff_tmst ff_tod isLeapYear "
        "month2number pullNews readNews shiftFWD_Days"
    ),
    "toodegrees/forex_factory_utility/16": (
        "FF_OnChartLabel FF_OnChartLine FF_Table MMM NewsAMPM_TOD adjustTimezone boxLoc bubbleSort_News "
        "bubbleSort_NewsTOD curFilter daysMonth dow historical impFilter isLeapYear lineStyle lineTrnsp "
        "logNews newTable resetTable size timeline todayNews updateStringMatrix weekNews"
    ),
    "TradingView/RelativeValue/2": "averageAtTime calcCumulativeSeries",
    "TradingView/RelativeValue/3": "averageAtTime calcCumulativeSeries",
    "TradingView/ta/10": (
        "ao aroon atr2 cagr changePercent coppock dema dema2 dm donchian ema2 eom frama ft highestSince ht "
        "ichimoku ift kvo lowestSince pzo relativeVolume requestUpAndDownVolume requestVolumeDelta rma2 rms "
        "rwi stc stochFull stochRsi supertrend supertrend2 szo t3 t3Alt tema tema2 trima trix uo vStop vStop2 "
        "vhf vi vzo williamsFractal wpo"
    ),
    "TradingView/ta/11": (
        "ao aroon atr2 cagr chandelier chandelier2 changePercent coppock dema dema2 dm donchian ema2 eom er "
        "frama ft highestSince ht ichimoku ift kama kvo lowestSince macd2 pmo ppo ppo2 pzo relativeVolume "
        "requestUpAndDownVolume requestVolumeDelta rma2 rms rwi specialK stc stochFull stochRsi supertrend "
        "supertrend2 szo t3 t3Alt tema tema2 trima trix ulcerIndex uo vStop vStop2 vhf vi vzo williamsFractal "
        "wpo"
    ),
    "TradingView/ta/12": (
        "ao aroon atr2 cagr chandelier chandelier2 changePercent coppock dema dema2 dm donchian ema2 eom er "
        "frama ft highestSince ht ichimoku ift kama kvo lowestSince macd2 pmo ppo ppo2 pzo relativeVolume "
        "requestUpAndDownVolume requestVolumeDelta rma2 rms rwi specialK stc stochFull stochRsi supertrend "
        "supertrend2 szo t3 t3Alt tema tema2 trima trix ulcerIndex uo vStop vStop2 vhf vi vzo williamsFractal "
        "wpo"
    ),
    "TradingView/ta/7": (
        "ao aroon atr2 cagr changePercent coppock dema dema2 dm donchian ema2 eom frama ft highestSince ht "
        "ichimoku ift kvo lowestSince pzo relativeVolume rma2 rms rwi stc stochFull stochRsi supertrend "
        "supertrend2 szo t3 t3Alt tema tema2 trima trix uo vStop vStop2 vhf vi vzo williamsFractal wpo"
    ),
    "TradingView/ta/8": (
        "ao aroon atr2 cagr changePercent coppock dema dema2 dm donchian ema2 eom frama ft highestSince ht "
        "ichimoku ift kvo lowestSince pzo relativeVolume requestUpAndDownVolume requestVolumeDelta rma2 rms "
        "rwi stc stochFull stochRsi supertrend supertrend2 szo t3 t3Alt tema tema2 trima trix uo vStop vStop2 "
        "vhf vi vzo williamsFractal wpo"
    ),
    "TradingView/ta/9": (
        "ao aroon atr2 cagr changePercent coppock dema dema2 dm donchian ema2 eom frama ft highestSince ht "
        "ichimoku ift kvo lowestSince pzo relativeVolume requestUpAndDownVolume requestVolumeDelta rma2 rms "
        "rwi stc stochFull stochRsi supertrend supertrend2 szo t3 t3Alt tema tema2 trima trix uo vStop vStop2 "
        "vhf vi vzo williamsFractal wpo"
    ),
    "Trendoscope/Drawing/2": (
        "clear createBox createLabel createLine createLinefill delete draw get_price init tostring"
    ),
    "ZenAndTheArtOfTrading/ZenLibrary/9": (
        "atrFilter averageRR barInSession barOutSession barsAboveMA barsBelowMA barsCrossedMA bearFib "
        "breakEvenCount breakEvenPercent bullFib dateFilter dayFilter fillCell getBodyPercent getBodySize "
        "getBottomWickSize getDecimals getFxPositionSize getMA getPctChange getPipSize getPullbackBarCount "
        "getTopWickSize isBearishEC isBullishEC isDoji isFlat isHammer isInsideBar isLong isOutsideBar "
        "isShort isStar longCount longLossCount longWinCount longWinPercent lostTrade maxDrawdownRealized "
        "random shortCount shortLossCount shortWinCount shortWinPercent skipTradeMonteCarlo toPips toWhole "
        "totalPipReturn tradeCount truncate unitsToLots wonTrade"
    ),
}

HISTORY_DEPENDENT: dict[str, str] = {
    "andre_007/MomentumIndicators/6": (
        "cci fisher iftCCI iftCMF iftFisher iftMACD iftMFI iftROC iftRSI iftStoch iftTSI iftUO iftVO iftVROC "
        "iftWPR kst roc rsi rsiMA rsiVolume smi stoch ultimateOscillator"
    ),
    "Bjorgum/BjCandlePatterns/2": "wrap",
    "boitoki/Utilities/11": "QQE",
    "HeWhoMustNotBeNamed/enhanced_ta/14": (
        "atr atrpercent bbw bpercentb dc dcw dpercentd kc kcw kpercentk ma oscillatorRange"
    ),
    "HeWhoMustNotBeNamed/mZigzag/12": "calculate calculateplain draw",
    "HeWhoMustNotBeNamed/ta/1": ("atr atrpercent bbw bpercentb dc dcw dpercentd kc kcw kpercentk ma oscillatorRange"),
    "jason5480/external_input_utils/11": "evalCond",
    "jason5480/external_input_utils/6": "eval_cond",
    "jason5480/series_collection/4": ("cust_series cust_series_back cust_series_front vwma vwma_back vwma_front"),
    "jdehorty/KernelFunctions/2": "gaussian locallyPeriodic periodic",
    "jdehorty/MLExtensions/2": "filter_adx n_cci n_rsi",
    "LonesomeTheBlue/DrawIndicatorOnTheChart/6": "drawIndicator",
    "loxx/loxxexpandedsourcetypes/4": (
        "habavemedbody habaverage habhigh hablow habmedian habtrendb habtrendbext habtypical habweighted"
    ),
    "loxx/loxxmas/1": (
        "adxvma ahrma alxma decycler dema dsema ema fema frama hma ie2 ilrs laguerre leader lsma lwma "
        "mcNicholl mcginley nonlagma pwma rmta slwma sma smma smoother super swma tema threepolesss tma "
        "twopolebutter twopoless vwema vwma zlagdema zlagma zlagtema"
    ),
    "PineCoders/ConditionalAverages/2": "avgSince",
    "reees/TA/11": "div_bear",
    "reees/TA/85": "div_bear pat_xabcd pat_xabcdIncomplete",
    "reees/Utilities/5": "print_series",
    "robbatt/lib_no_delay/18": "dev get_ma linreg_values macd stdev",
    "robbatt/lib_profile/44": "history",
    "TFlab/LiquidityFinderLibrary/1": "LLF",
    "TradingView/ta/10": "stochFull stochRsi supertrend2 vStop2",
    "TradingView/ta/11": ("chandelier chandelier2 pmo ppo ppo2 specialK stochFull stochRsi supertrend2 trix vStop2"),
    "TradingView/ta/12": (
        "chandelier chandelier2 pmo ppo ppo2 requestUpAndDownVolume specialK stochFull stochRsi supertrend2 trix vStop2"
    ),
    "TradingView/ta/7": "stochFull stochRsi supertrend2 vStop2",
    "TradingView/ta/8": "stochFull stochRsi supertrend2 vStop2",
    "TradingView/ta/9": "stochFull stochRsi supertrend2 vStop2",
    "ZenAndTheArtOfTrading/ZenLibrary/9": "getMA skipTradeMonteCarlo",
    "Trendoscope/ZigzagLite/3": "calculate",
}
