// Two choices that concern a whole process, and that only `pdefaults` makes otherwise than programs.

import Synchronization

extension SettingsSuite {
    private static let usesArgumentsFlag = Atomic(true)

    /// Whether arguments of this process are values of settings. The program `pdefaults` turns it off, because its
    /// arguments are commands. Set it before the first suite is used.
    package static var usesArguments: Bool {
        get { usesArgumentsFlag.load(ordering: .relaxed) }
        set { usesArgumentsFlag.store(newValue, ordering: .relaxed) }
    }

    private static let keepsSpellingsFlag = Atomic(false)

    /// Whether suites in XML files write a value that a key had before exactly as it was written then, with its
    /// spelling, white space and comments, so that the editor's undo gives a file back as it was. Set it before the first suite is used. It costs up to 1 MB for each suite.
    public static var keepsSpellings: Bool {
        get { keepsSpellingsFlag.load(ordering: .relaxed) }
        set { keepsSpellingsFlag.store(newValue, ordering: .relaxed) }
    }
}
