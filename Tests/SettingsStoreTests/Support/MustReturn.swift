import ProgramHarness
import Testing

/// Fails if the body does not return within a time that is far longer than necessary.
func mustReturn(
    _ comment: Comment? = nil,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: @escaping @Sendable () throws -> Void
) {
    let isOver = returns(body)
    #expect(isOver, comment, sourceLocation: sourceLocation)
}
