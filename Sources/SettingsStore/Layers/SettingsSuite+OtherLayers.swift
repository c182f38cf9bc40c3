extension SettingsSuite {
    /// The values of the layers besides the suite itself, without the defaults and arguments of this process.
    package var otherLayers: LayerValues { core.withLoadedState(\.values.layers) }
}
