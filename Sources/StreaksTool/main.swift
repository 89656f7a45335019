import StreaksProcess

MainProcess.run()
