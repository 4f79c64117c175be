"""The owner's report: one page that shows what was published, of whom, and at what price.

Published, original ──▶ facts, pictures, plots ──▶ one HTML file
"""

from videodp.report.overview import Answer, write_overview, write_side_by_side
from videodp.report.write import write_report

__all__ = ["Answer", "write_overview", "write_report", "write_side_by_side"]
