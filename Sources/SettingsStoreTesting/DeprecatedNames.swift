// Names that programs may still use from before they were renamed.

@available(*, deprecated, renamed: "StorageConformance")
public typealias StoragePromise = StorageConformance

@available(*, deprecated, renamed: "ConformanceFailure")
public typealias BrokenPromise = ConformanceFailure

extension ConformanceFailure {
    @available(*, deprecated, renamed: "rule")
    public var promise: StorageConformance { rule }
}

extension StorageConformance {
    @available(*, deprecated, renamed: "firstReadingReturnsAllValues")
    public static var theFirstReadingTellsEverything: Self { .firstReadingReturnsAllValues }

    @available(*, deprecated, renamed: "nextReadingReturnsNoDifference")
    public static var theNextReadingTellsNothingNew: Self { .nextReadingReturnsNoDifference }

    @available(*, deprecated, renamed: "writtenValuesAreReadUnchanged")
    public static var whatWasWrittenIsReadAsItWas: Self { .writtenValuesAreReadUnchanged }

    @available(*, deprecated, renamed: "unusualKeysAreKept")
    public static var keysOfAllSpellingsAreKept: Self { .unusualKeysAreKept }

    @available(*, deprecated, renamed: "ownWritesAreNotReported")
    public static var ownWritesAreNotTold: Self { .ownWritesAreNotReported }

    @available(*, deprecated, renamed: "foreignChangesAreReportedOnce")
    public static var changesOfOthersAreToldOnce: Self { .foreignChangesAreReportedOnce }

    @available(*, deprecated, renamed: "decisionGetsForeignChanges")
    public static var aDecisionKnowsWhatOthersChanged: Self { .decisionGetsForeignChanges }

    @available(*, deprecated, renamed: "unwrittenKeysStay")
    public static var keysThatAreNotWrittenStay: Self { .unwrittenKeysStay }

    @available(*, deprecated, renamed: "keyIsRemoved")
    public static var aKeyIsRemoved: Self { .keyIsRemoved }

    @available(*, deprecated, renamed: "emptyWriteCreatesNothing")
    public static var nothingToWriteMakesNothing: Self { .emptyWriteCreatesNothing }

    @available(*, deprecated, renamed: "lastDecisionIsWritten")
    public static var theWriteFollowsTheLastDecision: Self { .lastDecisionIsWritten }

    @available(*, deprecated, renamed: "changeBeforeTheWriteIsDecidedAgain")
    public static var whatChangesBeforeTheWriteIsDecidedUponAnew: Self { .changeBeforeTheWriteIsDecidedAgain }

    @available(*, deprecated, renamed: "writeNotifiesWatches")
    public static var aWriteIsHintedToOthers: Self { .writeNotifiesWatches }

    @available(*, deprecated, renamed: "releasedWatchEnds")
    public static var aWatchEndsWhenNobodyHoldsIt: Self { .releasedWatchEnds }

    @available(*, deprecated, renamed: "readableContentIsNotRecovered")
    public static var recoveringWhatCanBeReadDoesNothing: Self { .readableContentIsNotRecovered }

    @available(*, deprecated, renamed: "acceptedValuesCanBeWritten")
    public static var whatIsNotRefusedCanBeWritten: Self { .acceptedValuesCanBeWritten }

    @available(*, deprecated, renamed: "suitesNotifyEachOther")
    public static var suitesOnOnePlaceTellEachOther: Self { .suitesNotifyEachOther }
}
