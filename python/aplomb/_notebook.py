"""How results show themselves in notebooks, and as tables of pandas."""

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


def _pandas() -> Any:
    try:
        import pandas
    except ImportError as error:
        raise ImportError("to_pandas needs pandas: pip install pandas") from error
    return pandas


def _to_pandas(self: Outcome) -> Any:
    """The log as a pandas.DataFrame, one column each."""
    return _pandas().DataFrame(self.log)


def _runs_to_pandas(self: ManyRuns) -> Any:
    """One row a run, with everything, as a pandas.DataFrame."""
    return _pandas().read_csv(io.StringIO(self.csv))


def show_in_notebooks() -> None:
    """Gives the compiled types what is easier to write in Python."""
    Outcome._repr_html_ = _outcome_html
    Outcome.to_pandas = _to_pandas
    ManyRuns.to_pandas = _runs_to_pandas
    Plan._repr_html_ = _plan_html
    Robot._repr_html_ = _robot_html
    Identified._repr_html_ = lambda self: _robot_html(self) + self.outcome._repr_html_()
