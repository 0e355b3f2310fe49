"""How results show themselves in notebooks, and become tables of pandas."""

import html
import io
from typing import Any

from ._aplomb import Identified, ManyRuns, Outcome, Plan, Robot


def _outcome_html(self: Outcome) -> str:
    page = html.escape(self.html(), quote=True)
    return (f"<pre>{html.escape(self.table())}</pre>"
            f'<iframe srcdoc="{page}" sandbox="allow-scripts" style="width:100%;height:640px;border:1px solid #ccc">'
            "</iframe>")


def _plan_html(self: Plan) -> str:
    return self.outcome._repr_html_() if hasattr(self, "outcome") else f"<pre>{html.escape(repr(self))}</pre>"


def _robot_html(self: Robot) -> str:
    rows = [("joints", len(self.joints)), ("mass", f"{self.mass:.3f} kg"),
            ("roles", ", ".join(f"{role}: {link}" for role, link in self.roles.items())),
            ("postures", ", ".join(self.postures))]
    cells = "".join(f"<tr><th>{html.escape(name)}</th><td>{html.escape(str(value))}</td></tr>" for name, value in rows)
    return f"<b>{html.escape(self.name)}</b> {html.escape(self.about)}<table>{cells}</table>"


def to_pandas(outcome: Outcome) -> Any:
    """What Outcome.to_pandas returns."""
    try:
        import pandas
    except ImportError as error:
        raise ImportError("to_pandas needs pandas: pip install pandas") from error
    if isinstance(outcome, ManyRuns):
        return pandas.read_csv(io.StringIO(outcome.csv))
    return pandas.DataFrame(outcome.log)


def show_in_notebooks() -> None:
    """Gives the compiled types their pictures."""
    Outcome._repr_html_ = _outcome_html
    Plan._repr_html_ = _plan_html
    Robot._repr_html_ = _robot_html
    Identified._repr_html_ = lambda self: _robot_html(self) + self.outcome._repr_html_()
