interface Bar {
  readonly label: string;
  readonly value: number;
  /** With its unit. */
  readonly text: string;
}

const [WIDTH, HEIGHT] = [600, 140];

/** Bars of one series, for the eyes; the page has the same figures in a table below. */
export function BarChart({ bars, label }: { bars: readonly Bar[]; label: string }) {
  const most = Math.max(1, ...bars.map(({ value }) => value));
  const step = WIDTH / Math.max(1, bars.length);
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={label}
      className="h-40 w-full"
      preserveAspectRatio="none"
    >
      <line x1="0" x2={WIDTH} y1={HEIGHT - 0.5} y2={HEIGHT - 0.5} className="stroke-line" />
      {bars.map(({ label: name, value, text }, index) => (
        <rect
          key={name}
          x={index * step + step * 0.15}
          width={step * 0.7}
          y={HEIGHT - Math.max(value === 0 ? 0 : 2, (value / most) * (HEIGHT - 10))}
          height={Math.max(value === 0 ? 0 : 2, (value / most) * (HEIGHT - 10))}
          className="fill-accent"
        >
          <title>{`${name}: ${text}`}</title>
        </rect>
      ))}
    </svg>
  );
}
