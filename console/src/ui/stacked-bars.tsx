interface StackedBar {
  readonly label: string;
  /** The parts in words. */
  readonly text: string;
  /** From the bottom up. */
  readonly parts: readonly { readonly value: number; readonly className: string }[];
}

const [WIDTH, HEIGHT] = [600, 140];
/** Share of a bar's room that is left empty. */
const GAP = 0.3;
const MAX_BAR_WIDTH = 48;

/** Bars of several values, each with a tip in words. */
export function StackedBars({ bars, label }: { bars: readonly StackedBar[]; label: string }) {
  const sumOf = ({ parts }: StackedBar) => parts.reduce((sum, { value }) => sum + value, 0);
  const most = Math.max(1, ...bars.map(sumOf));
  const step = WIDTH / Math.max(1, bars.length);
  const width = Math.min(MAX_BAR_WIDTH, step * (1 - GAP));
  const heightOf = (value: number) => (value / most) * (HEIGHT - 10);
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={`${label}. ${bars.map((bar) => `${bar.label}: ${bar.text}`).join('; ')}`}
      className="h-40 w-full"
      preserveAspectRatio="none"
    >
      <line x1="0" x2={WIDTH} y1={HEIGHT - 0.5} y2={HEIGHT - 0.5} className="stroke-line" />
      {bars.map((bar, index) => {
        let top = HEIGHT;
        return (
          <g key={bar.label}>
            <title>{`${bar.label}: ${bar.text}`}</title>
            {bar.parts.map(({ value, className }) => {
              top -= heightOf(value);
              return (
                <rect
                  key={className}
                  x={index * step + (step - width) / 2}
                  y={top}
                  width={width}
                  height={heightOf(value)}
                  className={className}
                />
              );
            })}
          </g>
        );
      })}
    </svg>
  );
}
