"""Checking live data: what must hold at every commit, read in one snapshot, past every transition."""

from __future__ import annotations

from byssus.audit.check import Check
from byssus.audit.checks import CHECKS
from byssus.audit.fault import AuditFault
from byssus.audit.report import Findings, Report
from byssus.audit.runner import audit

__all__ = ["CHECKS", "AuditFault", "Check", "Findings", "Report", "audit"]
