import { BarChart, LineChart, PieChart, ScatterChart } from 'echarts/charts';
import { GridComponent, LegendComponent, TitleComponent } from 'echarts/components';
import { type EChartsCoreOption, init, use } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';
import { type Chart, numberOf, type Series } from '../../sandbox/domain/files/chart.ts';

const WIDTH = 800;
const HEIGHT = 480;
const FONT = 'Malgun Gothic, Apple SD Gothic Neo, Noto Sans KR, sans-serif';

use([BarChart, LineChart, PieChart, ScatterChart, GridComponent, LegendComponent, TitleComponent, SVGRenderer]);

/** A picture of a chart: paths and texts, without scripts, styles from elsewhere, or addresses. */
export function svgChart(chart: Chart): string {
  const drawing = init(null, null, { renderer: 'svg', ssr: true, width: WIDTH, height: HEIGHT });
  try {
    drawing.setOption(optionsOf(chart));
    return drawing.renderToSVGString();
  } finally {
    drawing.dispose();
  }
}

function optionsOf(chart: Chart): EChartsCoreOption {
  const isRound = chart.kind === 'pie' || chart.kind === 'doughnut';
  const names = isRound ? chart.labels : chart.series.map(({ name }) => name).filter((name) => name !== '');
  const hasLegend = !isRound && names.length > 0 && chart.series.length > 1;
  return {
    animation: false,
    // A picture does not change under a pointer.
    silent: true,
    backgroundColor: '#ffffff',
    textStyle: { fontFamily: FONT },
    title: { text: chart.title, left: 'center', top: 12, textStyle: { width: WIDTH - 40, overflow: 'truncate' } },
    ...(hasLegend && { legend: { data: names, bottom: 8, type: 'plain' } }),
    ...(isRound ? {} : axesOf(chart, hasLegend)),
    series: isRound ? [pieOf(chart)] : chart.series.map((series) => seriesOf(series, chart)),
  };
}

function axesOf({ kind, labels, xTitle, yTitle }: Chart, hasLegend: boolean): EChartsCoreOption {
  const named = { nameLocation: 'middle', nameGap: 32 };
  const categories = { type: 'category', data: labels, axisLabel: { hideOverlap: true } };
  const values = { type: 'value', ...(kind === 'scatter' && { scale: true }) };
  const [x, y] =
    kind === 'scatter' ? [values, values] : kind === 'horizontal_bar' ? [values, categories] : [categories, values];
  return {
    grid: { left: 24, right: 24, top: 60, bottom: hasLegend ? 56 : 24, outerBoundsMode: 'same' },
    xAxis: { ...x, ...named, name: xTitle },
    // The first label is the topmost, as in a table.
    yAxis: { ...y, ...named, nameGap: 48, name: yTitle, inverse: kind === 'horizontal_bar' },
  };
}

function seriesOf({ name, values }: Series, { kind, labels, isStacked }: Chart): object {
  if (kind === 'scatter')
    return { name, type: 'scatter', data: values.map((value, index) => [numberOf(labels[index]), value]) };
  const isBar = kind === 'bar' || kind === 'horizontal_bar';
  return {
    ...{ name, type: isBar ? 'bar' : 'line', data: values },
    ...(isStacked && { stack: 'all' }),
    ...(kind === 'area' && { areaStyle: {} }),
  };
}

function pieOf({ kind, labels, series }: Chart): object {
  const values = series[0]!.values;
  return {
    type: 'pie',
    radius: kind === 'doughnut' ? ['35%', '65%'] : '65%',
    center: ['50%', '55%'],
    label: { formatter: '{b}: {d}%' },
    data: labels.map((name, index) => ({ name, value: values[index] ?? 0 })),
  };
}
