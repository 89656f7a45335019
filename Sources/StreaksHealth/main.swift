import HealthReading
import StreaksProcess

// The same program with a reader of XML, which `streaks import apple-health` starts in its place.
MainProcess.run(readsHealth: HealthExport.read)
