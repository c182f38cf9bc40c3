// Names that programs may still use from before the types were renamed.

public import PropertyList

@available(*, deprecated, renamed: "SuiteBackend")
public typealias SuitePlace = SuiteBackend

@available(*, deprecated, renamed: "BackendKind")
public typealias PlaceKind = BackendKind

@available(*, deprecated, renamed: "BackendConnection")
public typealias PlaceConnection = BackendConnection

@available(*, deprecated, renamed: "SuiteTemplate")
public typealias SuiteForm = SuiteTemplate

@available(*, deprecated, renamed: "SchemaStore")
public typealias SchemaPlace = SchemaStore

@available(*, deprecated, renamed: "InotifySystem")
public typealias WatchSystem = InotifySystem

@available(*, deprecated, renamed: "LiveInotifySystem")
public typealias LiveWatchSystem = LiveInotifySystem

@available(*, deprecated, renamed: "SuiteRevision")
public typealias SuiteGround = SuiteRevision

extension StorageReading {
    @available(*, deprecated, renamed: "overwritten")
    public var undone: [String: PropertyListValue?] {
        get { overwritten }
        set { overwritten = newValue }
    }

    @available(*, deprecated, renamed: "orphans")
    public var left: [String: PendingWrite] {
        get { orphans }
        set { orphans = newValue }
    }

    @available(*, deprecated, renamed: "replacedOrphans")
    public var leftOver: Set<String> {
        get { replacedOrphans }
        set { replacedOrphans = newValue }
    }

    @available(*, deprecated, renamed: "foreignEntries")
    public var strangers: [String] {
        get { foreignEntries }
        set { foreignEntries = newValue }
    }
}

extension StorageWrite {
    @available(*, deprecated, renamed: "SuiteAction")
    public typealias Whole = SuiteAction

    @available(*, deprecated, renamed: "suiteAction")
    public var whole: SuiteAction {
        get { suiteAction }
        set { suiteAction = newValue }
    }

    @available(*, deprecated, renamed: "quarantine")
    public var keeping: [String: PropertyListValue] {
        get { quarantine }
        set { quarantine = newValue }
    }
}

extension StorageWrite.SuiteAction {
    @available(*, deprecated, renamed: "keep")
    public static var stays: Self { .keep }

    @available(*, deprecated, renamed: "create(like:replacing:)")
    public static func made(like template: SuiteTemplate?, inPlaceOf revision: SuiteRevision? = nil) -> Self {
        .create(like: template, replacing: revision)
    }

    @available(*, deprecated, renamed: "remove")
    public static var removed: Self { .remove }
}
