import HealthReading
import StreaksProcess

// `streaks` with a reader of XML added, which `streaks import apple-health` starts in its place.
MainProcess.run(readsHealth: HealthExport.read)
