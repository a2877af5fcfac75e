// Fills the list of cases from the JSON in the page. All text is set as text, never as markup.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const PAGE = 50;
  const { el, th, compare, makeSortable, mark } = page;
  const $ = (id) => document.getElementById(id);
  if (!data.evals.length) {
    $("count").textContent = "No eval was run, so there are no cases.";
    return;
  }
  const figure = (value) => (value === null || value === undefined ? "—" : value.toFixed(3));
  // Tenths, and of less than one of them two digits, so that what took a moment does not look as if it took none.
  function milliseconds(value) {
    if (value === null || value === undefined) return "";
    const digits = value > 0 && value < 0.1 ? { maximumSignificantDigits: 2 } : { maximumFractionDigits: 1 };
    return `${value.toLocaleString("en", digits)} ms`;
  }

  let chosen = data.evals[0], shown = PAGE, sortBy = null, down = false, matching = [], columns = [];
  const FILTERS = [
    ["all cases", () => true],
    ["failed", (one) => one.status === "failed"],
    ["below the pass mark, or failed", (one) => one.status === "failed" || (one.score !== null && one.score < chosen.mark)],
    ["undefined", (one) => one.status === "undefined"],
    ["flaky", (one) => one.flaky],
    ["from the cache", (one) => one.trials.some((trial) => trial.cached)],
  ];

  function columnsOf(one) {
    const made = [{ head: "Case", value: (item) => item.text }];
    for (const [place, head] of one.columns.entries()) {
      made.push({ head, value: (item) => item.columns[place] ?? "", isText: true });
    }
    made.push({ head: "Score", value: (item) => item.score, text: (item) => (item.score === null ? item.status : figure(item.score)), isFigure: true });
    for (const [place, head] of one.titles.entries()) {
      made.push({ head, value: (item) => item.scores[place], text: (item) => figure(item.scores[place]), isFigure: true });
    }
    made.push({ head: "Took", value: (item) => item.took, text: (item) => milliseconds(item.took), isFigure: true });
    return made;
  }

  const list = $("list"), head = el("thead"), body = el("tbody");
  list.append(head, body);

  function rowOf(item) {
    const row = el("tr"), first = th(null, "row");
    row.dataset.case = item.id;
    const button = el("button", item.text, { type: "button" });
    button.setAttribute("aria-expanded", "false");
    first.append(button, el("small", [`${item.number}`, item.id, ...item.tags].join(" · ")));
    if (item.status === "failed") first.append(" ", el("span", "failed", { className: "chip bad" }));
    if (item.flaky) first.append(" ", el("span", "flaky", { className: "chip bad" }));
    if (item.trials.some((trial) => trial.cached)) first.append(" ", el("span", "cached", { className: "chip" }));
    row.append(first);
    for (const column of columns.slice(1)) {
      const cell = el("td", column.text ? column.text(item) : column.value(item));
      cell.className = column.isFigure ? "figure" : "text";
      row.append(cell);
    }
    button.addEventListener("click", () => {
      const open = button.getAttribute("aria-expanded") === "true";
      button.setAttribute("aria-expanded", String(!open));
      if (open) row.nextElementSibling.remove();
      else row.after(detail(item));
    });
    return row;
  }

  function block(title, text) {
    const box = el("div");
    box.append(el("h4", title), el("pre", text));
    return box;
  }
  function scoreLine(score) {
    const line = el("p", null, { className: "small" });
    line.append(el("b", score.name), " ");
    line.append(score.error ? el("span", score.error, { className: "error" }) : score.said);
    if (score.metadata) line.append(el("br"), score.metadata);
    return line;
  }
  function stepOf(step, children, whole) {
    const item = el("li"), box = el("details"), about = el("summary"), name = el("span", null, { className: "step" });
    name.append(step.name, " ", el("small", milliseconds(step.took)));
    if (step.cached) name.append(" ", el("span", "cached", { className: "chip" }));
    const lane = el("span", null, { className: `lane${step.error ? " failed" : step.cached ? " cached" : ""}` }), bar = el("i");
    bar.style.left = `${Math.min(100, (100 * step.start) / whole)}%`;
    bar.style.width = `${Math.min(100, (100 * step.took) / whole)}%`;
    lane.append(bar);
    name.style.paddingLeft = `${step.depth}rem`;
    about.append(name, lane);
    box.append(about);
    if (step.error) box.append(el("p", step.error, { className: "error" }));
    for (const [title, text] of [["Input", step.input], ["Output", step.output], ["Metadata", step.metadata], ["Models", step.usage]]) {
      if (text) box.append(block(title, text));
    }
    item.append(box);
    return [item, ...children];
  }
  function traceOf(trial) {
    const nested = trial.trace.map((step) => ({ ...step, depth: 0, children: [] })), roots = [];
    for (const step of nested) (step.parent === null ? roots : nested[step.parent].children).push(step);
    const whole = Math.max(1e-9, trial.took ?? 0, ...nested.map((step) => step.start + step.took));
    const walk = (step, depth) => {
      step.depth = depth;
      return stepOf(step, step.children.flatMap((child) => walk(child, depth + 1)), whole);
    };
    const trace = el("ul", null, { className: "trace" });
    trace.append(...roots.flatMap((root) => walk(root, 0)));
    return trace;
  }
  function trialOf(trial, several) {
    const box = el("div", null, { className: "trial" }), title = el("h3", several ? `Trial ${trial.number}` : "Output");
    for (const [words, bad] of [[trial.status === "done" ? "" : trial.status, true], [milliseconds(trial.took), false], [trial.cached ? "cached" : "", false]]) {
      if (words) title.append(" ", el("span", words, { className: bad ? "chip bad" : "chip" }));
    }
    box.append(title);
    if (trial.error) box.append(el("p", trial.error, { className: "error" }));
    if (trial.traceback) box.append(el("pre", trial.traceback));
    if (trial.output !== null) box.append(el("pre", trial.output));
    box.append(...trial.scores.map(scoreLine));
    if (trial.usage) box.append(el("p", trial.usage, { className: "small" }));
    if (trial.trace.length) box.append(el("h4", "Steps"), traceOf(trial));
    if (trial.steps_left_out) box.append(el("p", `Further steps, which are not kept: ${trial.steps_left_out.toLocaleString("en")}`, { className: "small" }));
    return box;
  }
  function detail(item) {
    const row = el("tr", null, { className: "detail" }), cell = el("td", null, { colSpan: columns.length });
    const box = el("div", null, { className: "whole" }), asked = el("div", null, { className: "case" });
    asked.append(block("Input", item.input));
    if (item.expected !== null) asked.append(block("Expected", item.expected));
    if (item.metadata) asked.append(block("Metadata", item.metadata));
    box.append(asked, ...item.trials.map((trial) => trialOf(trial, item.trials.length > 1)));
    cell.append(box);
    row.append(cell);
    return row;
  }

  function choose() {
    chosen = data.evals[$("eval").value];
    columns = columnsOf(chosen);
    sortBy = null;
    down = false;
    shown = PAGE;
    const row = el("tr");
    for (const column of columns) {
      const cell = th(column.head, "col");
      makeSortable(cell, (wasDown) => {
        down = sortBy === column ? !wasDown : false;
        sortBy = column;
        shown = PAGE;
        mark(row.cells, cell, down);
        refresh();
      });
      row.append(cell);
    }
    head.replaceChildren(row);
    refresh();
  }
  function refresh() {
    const words = $("find").value.toLowerCase().split(/\s+/).filter(Boolean), test = FILTERS[$("which").value][1];
    matching = chosen.cases.filter((item) => {
      const text = `${item.id} ${item.input} ${item.expected ?? ""} ${item.tags.join(" ")} ${item.trials.map((trial) => `${trial.output ?? ""} ${trial.error ?? ""}`).join(" ")}`.toLowerCase();
      return words.every((word) => text.includes(word)) && test(item);
    });
    if (sortBy) matching.sort((a, b) => compare(sortBy.value(a), sortBy.value(b), down));
    body.replaceChildren(...matching.slice(0, shown).map(rowOf));
    tell();
  }
  function tell() {
    const seen = Math.min(shown, matching.length);
    $("count").textContent = `${seen.toLocaleString("en")} of ${matching.length.toLocaleString("en")} cases; choose one to see its outputs, scores and steps`;
    $("more").hidden = seen === matching.length;
    $("more").textContent = `Show ${Math.min(PAGE, matching.length - seen)} more`;
  }
  data.evals.forEach((one, place) => $("eval").append(new Option(one.title, place)));
  FILTERS.forEach(([label], place) => $("which").append(new Option(label, place)));
  $("eval").addEventListener("change", choose);
  $("find").addEventListener("input", () => { shown = PAGE; refresh(); });
  $("which").addEventListener("change", () => { shown = PAGE; refresh(); });
  $("more").addEventListener("click", () => {
    body.append(...matching.slice(shown, shown + PAGE).map(rowOf));
    shown += PAGE;
    tell();
  });
  document.querySelector(".controls").hidden = false;
  choose();
})();
