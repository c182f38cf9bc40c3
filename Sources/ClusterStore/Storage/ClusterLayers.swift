// An administrator can lock settings of all programs on a machine, also those that are kept on a cluster. So a suite there
// has the mandatory files and the arguments of the process above its values. Without this, a lock would hold for a
// suite in a file and not for the same suite on a cluster.

#if Cluster
import SettingsStore

extension ClusterStorage: HasLayers {
    package var layeredSuite: LayeredSuite { .remote(name) }
}
#endif
