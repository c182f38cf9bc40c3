// The themes that the user can choose from. Each one is a table of looks, so that a test can compare the contrast of
// every look with that of the background.
extension Theme {
    /// The theme for an unknown terminal. It uses the terminal's own palette, which the user has made
    /// readable.
    public static let standard = Theme(name: "standard", full: looks, basic: looks, few: looks)

    /// The theme for light text on a dark background.
    public static let dark = Theme(
        name: "dark",
        full: [
            .title: Look(255, on: 236, .bold), .heading: Look(117, .bold), .columnHead: Look(250),
            .faint: Look(247), .type: Look(247), .key: Look(117, .bold),
            .string: Look(150), .number: Look(216), .boolean: Look(183), .date: Look(116), .data: Look(181),
            .changed: Look(221, .bold), .staged: Look(120, .bold), .deleted: Look(247, .strikeout),
            .problem: Look(210, .bold),
            .field: Look(231, on: 238, .underline), .found: Look(16, on: 221),
            .selected: Look(231, on: 25), .selectedElsewhere: Look(255, on: 238),
        ],
        basic: [
            .title: Look([.bold, .underline]), .heading: Look(14, .bold), .columnHead: Look(.bold),
            .faint: Look(.dim), .type: Look(.dim), .key: Look(14, .bold),
            .string: Look(10), .number: Look(11), .boolean: Look(13), .date: Look(14),
            .data: Look(13, .underline),
            .changed: Look(11, .bold), .staged: Look(10, .bold), .deleted: Look([.dim, .strikeout]),
            .problem: Look(9, .bold),
            .field: Look(.underline), .found: Look(0, on: 11),
            .selected: Look(15, on: 4), .selectedElsewhere: Look(15, on: 8),
        ],
        few: looks
    )

    /// The theme for dark text on a light background.
    public static let light = Theme(
        name: "light",
        full: [
            .title: Look(16, on: 254, .bold), .heading: Look(24, .bold), .columnHead: Look(238),
            .faint: Look(241), .type: Look(241), .key: Look(24, .bold),
            .string: Look(22), .number: Look(18), .boolean: Look(54), .date: Look(23), .data: Look(58),
            .changed: Look(94, .bold), .staged: Look(22, .bold), .deleted: Look(241, .strikeout),
            .problem: Look(124, .bold),
            .field: Look(16, on: 254, .underline), .found: Look(16, on: 222),
            .selected: Look(231, on: 25), .selectedElsewhere: Look(16, on: 253),
        ],
        basic: fewOnLight,
        few: fewOnLight
    )

    /// The colours of Gruvbox, on its own dark background.
    public static let gruvbox = Theme(
        name: "gruvbox",
        full: onGround(
            235,
            [
                .plain: Look(223), .title: Look(230, on: 237, .bold), .heading: Look(214, .bold),
                .columnHead: Look(250), .faint: Look(247), .type: Look(247), .key: Look(214, .bold),
                .string: Look(142), .number: Look(175), .boolean: Look(208), .date: Look(109),
                .data: Look(108),
                .changed: Look(221, .bold), .staged: Look(148, .bold), .deleted: Look(247, .strikeout),
                .problem: Look(203, .bold),
                .field: Look(230, on: 239, .underline), .found: Look(235, on: 214),
                .selected: Look(230, on: 239, .bold), .selectedElsewhere: Look(223, on: 237),
            ]
        ),
        basic: dark.basic,
        few: dark.few
    )

    /// The colours of Solarized, on its own dark background.
    public static let solarized = Theme(
        name: "solarized",
        full: onGround(
            234,
            [
                .plain: Look(248), .title: Look(254, on: 236, .bold), .heading: Look(39, .bold),
                .columnHead: Look(250), .faint: Look(245), .type: Look(245), .key: Look(39, .bold),
                .string: Look(37), .number: Look(168), .boolean: Look(141), .date: Look(136),
                .data: Look(107),
                .changed: Look(178, .bold), .staged: Look(107, .bold), .deleted: Look(245, .strikeout),
                .problem: Look(203, .bold),
                .field: Look(254, on: 238, .underline), .found: Look(234, on: 178),
                .selected: Look(230, on: 24), .selectedElsewhere: Look(254, on: 237),
            ]
        ),
        basic: dark.basic,
        few: dark.few
    )

    /// The terminal's first 16 colours, on black, for terminals whose other colours are hard to read.
    public static let sixteen = Theme(name: "16 colours", full: looksOnBlack, basic: looksOnBlack, few: looks)

    /// No colours.
    public static let mono = Theme(name: "monochrome", full: attributes, basic: attributes, few: attributes)

    private static let looksOnBlack = onGround(
        0,
        [
            .plain: Look(7), .title: Look(15, [.bold, .underline]), .heading: Look(14, .bold),
            .columnHead: Look(15), .faint: Look(7, .dim), .type: Look(7, .dim), .key: Look(14, .bold),
            .string: Look(10), .number: Look(11), .boolean: Look(13), .date: Look(6), .data: Look(12),
            .changed: Look(11, .bold), .staged: Look(10, .bold), .deleted: Look(7, [.dim, .strikeout]),
            .problem: Look(9, .bold),
            .field: Look(15, .underline), .found: Look(0, on: 11),
            .selected: Look(15, on: 4), .selectedElsewhere: Look(15, .bold),
        ]
    )

    /// Leaves out green, yellow and cyan, which are hard to read on a light background. Underlines replace them.
    private static let fewOnLight: [Style: Look] = [
        .title: Look([.bold, .underline]), .heading: Look(4, .bold), .columnHead: Look(.bold),
        .faint: Look(.dim), .type: Look(.dim), .key: Look(4, .bold),
        .string: Look(4), .number: Look(5), .boolean: Look(1), .date: Look(4, .underline),
        .data: Look(5, .underline),
        .changed: Look(5, .bold), .staged: Look(4, [.bold, .underline]), .deleted: Look([.dim, .strikeout]),
        .problem: Look(1, .bold),
        .field: Look(.underline), .found: Look(0, on: 3),
        .selected: Look(7, on: 4, .bold), .selectedElsewhere: Look(0, on: 7),
    ]

    /// Uses the first eight colours, which every palette has. Blue is left out, because it is often too dark on black.
    private static let looks: [Style: Look] = [
        .title: Look([.bold, .underline]), .heading: Look(6, .bold), .columnHead: Look(.bold),
        .faint: Look(.dim), .type: Look(.dim), .key: Look(6, .bold),
        .string: Look(2), .number: Look(3), .boolean: Look(5), .date: Look(6), .data: Look(5, .underline),
        .changed: Look(3, .bold), .staged: Look(2, .bold), .deleted: Look([.dim, .strikeout]),
        .problem: Look(1, .bold),
        .field: Look(.underline), .found: Look(0, on: 3),
        .selected: Look(7, on: 4, .bold), .selectedElsewhere: Look(6, [.bold, .underline]),
    ]

    /// The looks without colours. Only the selected row is underlined to its end.
    static let attributes: [Style: Look] = [
        .title: Look(.bold), .heading: Look(.bold), .columnHead: Look(.dim), .faint: Look(.dim),
        .type: Look(.dim), .key: Look(.bold),
        .changed: Look(.bold), .staged: Look(.bold), .deleted: Look([.dim, .strikeout]),
        .problem: Look(.bold),
        .field: Look(.underline), .found: Look([.bold, .underline]),
        .selected: Look([.bold, .underline]), .selectedElsewhere: Look(.bold),
    ]

    /// Looks on a background of their own, in place of the terminal's.
    private static func onGround(_ ground: Color, _ looks: [Style: Look]) -> [Style: Look] {
        looks.mapValues { look in
            var look = look
            if look.background == .standard { look.background = ground }
            return look
        }
    }
}

extension Look {
    fileprivate init(_ attributes: Attributes) { self.init(.standard, attributes) }
    fileprivate init(_ foreground: Color, _ attributes: Attributes) {
        self.init(foreground, on: .standard, attributes)
    }
}
