"""TensorFlow's path to monitored sessions."""

from tinytf._src.monitored_session.monitored_session import MonitoredSession, SingularMonitoredSession
from tinytf._src.monitored_session.scaffold import Scaffold
from tinytf._src.monitored_session.session_creators import ChiefSessionCreator, SessionCreator, WorkerSessionCreator
from tinytf._src.monitored_session.training_session import USE_DEFAULT, MonitoredTrainingSession

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
