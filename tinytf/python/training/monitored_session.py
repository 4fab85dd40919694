"""TensorFlow's path to monitored sessions."""

from tinytf.monitoring.monitored_session import MonitoredSession, SingularMonitoredSession
from tinytf.monitoring.scaffold import Scaffold
from tinytf.monitoring.session_creators import ChiefSessionCreator, SessionCreator, WorkerSessionCreator
from tinytf.monitoring.training_session import USE_DEFAULT, MonitoredTrainingSession

__all__ = [
    "USE_DEFAULT",
    "ChiefSessionCreator",
    "MonitoredSession",
    "MonitoredTrainingSession",
    "Scaffold",
    "SessionCreator",
    "SingularMonitoredSession",
    "WorkerSessionCreator",
]
