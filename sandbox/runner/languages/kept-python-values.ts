/** A part of kept-python.ts: what the value of a call is shown as. Tables of pandas and polars have HTML and their first rows too. */
export const PYTHON_VALUES = `
    MAX_VALUE, MAX_CELL, MAX_ROWS, MAX_COLUMNS = 65536, 1000, 100, 50

    def show_value(value):
        shown = {"value": repr(value)[:MAX_VALUE]}
        if type(value).__module__.partition(".")[0] not in ("pandas", "polars"): return shown
        for name, make in (("html", html_of), ("table", table_of)):
            try: made = make(value)
            except Exception: continue
            if made is not None: shown[name] = made
        return shown

    def html_of(value):
        make = getattr(value, "_repr_html_", None)
        html = make() if make else None
        return html if isinstance(html, str) and len(html.encode()) <= MAX_VALUE else None

    def cell_of(value):
        if isinstance(value, (bool, int, type(None))): return value
        if isinstance(value, float): return value if value - value == 0 else None
        return str(value)[:MAX_CELL]

    def table_of(value):
        if type(value).__name__ not in ("DataFrame", "Series"): return None
        frame = value.to_frame() if type(value).__name__ == "Series" else value
        count = frame.shape[0]
        if type(value).__module__.startswith("pandas"):
            frame = frame.iloc[:MAX_ROWS]
            if type(frame.index).__name__ != "RangeIndex": frame = frame.reset_index()
            part = frame.iloc[:, :MAX_COLUMNS]
            rows = json.loads(part.to_json(orient="split", date_format="iso", default_handler=str))["data"]
        else:
            part = frame[:MAX_ROWS, :MAX_COLUMNS]
            rows = part.rows()
        rows = [[cell_of(cell) for cell in row] for row in rows]
        columns = [str(column)[:MAX_CELL] for column in part.columns]
        while True:
            table = {"columns": columns, "rows": rows, "rowCount": count, "columnCount": frame.shape[1]}
            if len(json.dumps(table)) <= MAX_VALUE: return table
            if not rows: return None
            rows = rows[:len(rows) // 2]
`;
