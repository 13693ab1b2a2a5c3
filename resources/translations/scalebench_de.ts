<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
<context>
    <name>About</name>
    <message>
        <source>Part</source>
        <translation>Teil</translation>
    </message>
    <message>
        <source>Version</source>
        <translation>Version</translation>
    </message>
    <message>
        <source>Licence</source>
        <translation>Lizenz</translation>
    </message>
    <message>
        <source>Versions and licences</source>
        <translation>Versionen und Lizenzen</translation>
    </message>
    <message>
        <source>NVIDIA&apos;s own</source>
        <translation>NVIDIAs eigene</translation>
    </message>
    <message>
        <source>Training engine</source>
        <translation>Trainings-Engine</translation>
    </message>
    <message>
        <source>public domain</source>
        <translation>gemeinfrei</translation>
    </message>
    <message>
        <source>NVIDIA driver, up to CUDA</source>
        <translation>NVIDIA-Treiber, bis CUDA</translation>
    </message>
    <message>
        <source>About Scalebench</source>
        <translation>Über Scalebench</translation>
    </message>
    <message>
        <source>Measures how well deep-learning training scales.</source>
        <translation>Misst, wie gut das Training tiefer Netze skaliert.</translation>
    </message>
    <message>
        <source>No GPU is used here.</source>
        <translation>Hier wird keine GPU benutzt.</translation>
    </message>
    <message>
        <source>No GPU is used here: %1.</source>
        <translation>Hier wird keine GPU benutzt: %1.</translation>
    </message>
    <message>
        <source>GPUs: %1</source>
        <translation>GPUs: %1</translation>
    </message>
    <message>
        <source>Licence: GPL-3.0-or-later. Results are not verified by MLCommons Association.</source>
        <translation>Lizenz: GPL-3.0 oder neuer. Ergebnisse sind nicht von der MLCommons Association verifiziert.</translation>
    </message>
    <message>
        <source>&amp;Copy versions</source>
        <translation>Versionen &amp;kopieren</translation>
    </message>
</context>
<context>
    <name>AdviceCharts</name>
    <message>
        <source>measured</source>
        <translation>gemessen</translation>
    </message>
    <message>
        <source>predicted, 90 % interval</source>
        <translation>vorhergesagt, 90-%-Intervall</translation>
    </message>
    <message>
        <source>predicted, error %1 %, at most %2 %</source>
        <translation>vorhergesagt, Fehler %1 %, höchstens %2 %</translation>
    </message>
    <message>
        <source>predicted, 50 % interval</source>
        <translation>vorhergesagt, 50-%-Intervall</translation>
    </message>
    <message>
        <source>Copies side by side or one job</source>
        <translation>Kopien nebeneinander oder ein einziger Lauf</translation>
    </message>
    <message>
        <source>Trainings at once × workers of each</source>
        <translation>Trainings zugleich × Worker je Training</translation>
    </message>
    <message>
        <source>Trainings a day</source>
        <translation>Trainings am Tag</translation>
    </message>
    <message>
        <source>Needs runs that reached their target on two numbers of workers.</source>
        <translation>Braucht Läufe mit zwei verschiedenen Anzahlen von Workern, die ihr Ziel erreicht haben.</translation>
    </message>
    <message>
        <source>trainings a day (above: what one takes)</source>
        <translation>Trainings am Tag (darüber: Dauer eines davon)</translation>
    </message>
    <message>
        <source>measured together: %1</source>
        <translation>zusammen gemessen: %1</translation>
    </message>
    <message>
        <source>not measured together: copies on one machine disturb each other</source>
        <translation>nicht zusammen gemessen: Kopien auf einer Maschine stören einander</translation>
    </message>
    <message>
        <source>Time to train, measured and predicted</source>
        <translation>Trainingszeit, gemessen und vorhergesagt</translation>
    </message>
    <message>
        <source>Needs runs that reached their target.</source>
        <translation>Braucht Läufe, die ihr Ziel erreicht haben.</translation>
    </message>
    <message>
        <source>Workers</source>
        <translation>Worker</translation>
    </message>
    <message>
        <source>95 % interval, of predictions 50 and 90 %</source>
        <translation>95-%-Intervall, bei Vorhersagen 50 und 90 %</translation>
    </message>
    <message>
        <source>Time to train (min)</source>
        <translation>Trainingszeit (min)</translation>
    </message>
    <message>
        <source>Time to train (s)</source>
        <translation>Trainingszeit (s)</translation>
    </message>
    <message>
        <source>error: by how much measured counts that are left out are missed</source>
        <translation>Fehler: um wie viel gemessene Anzahlen verfehlt werden, die ausgelassen wurden</translation>
    </message>
    <message>
        <source>hatched: more than twice the largest measured number, little is known</source>
        <translation>schraffiert: mehr als das Doppelte der größten gemessenen Anzahl, wenig ist bekannt</translation>
    </message>
    <message>
        <source>the batch changes with the workers</source>
        <translation>der Batch ändert sich mit den Workern</translation>
    </message>
    <message>
        <source>nothing is predicted: these times do not follow its rule</source>
        <translation>nichts wird vorhergesagt: Diese Zeiten folgen der Regel nicht</translation>
    </message>
    <message>
        <source>a prediction needs three numbers of workers</source>
        <translation>eine Vorhersage braucht drei Anzahlen von Workern</translation>
    </message>
</context>
<context>
    <name>BenchCharts</name>
    <message>
        <source>copying memory, the limit</source>
        <translation>Speicher kopieren, die Grenze</translation>
    </message>
    <message>
        <source>in place</source>
        <translation>in-place</translation>
    </message>
    <message>
        <source>out of place</source>
        <translation>out-of-place</translation>
    </message>
    <message>
        <source>Bandwidth of collectives</source>
        <translation>Bandbreite kollektiver Operationen</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>Nachricht</translation>
    </message>
    <message>
        <source>Bus bandwidth (GB/s)</source>
        <translation>Busbandbreite (GB/s)</translation>
    </message>
    <message>
        <source>Algorithm bandwidth (GB/s)</source>
        <translation>Algorithmische Bandbreite (GB/s)</translation>
    </message>
    <message>
        <source>Add files of `scalebench bench allreduce --json FILE` (or --csv), or of nccl-tests.</source>
        <translation>Fügen Sie Dateien von `scalebench bench allreduce --json DATEI` (oder --csv) oder von nccl-tests hinzu.</translation>
    </message>
    <message>
        <source>bandwidth of one direction, as nccl-tests defines it</source>
        <translation>Bandbreite einer Richtung, wie nccl-tests sie definiert</translation>
    </message>
    <message>
        <source>bytes of one rank&apos;s message over the time</source>
        <translation>Bytes der Nachricht eines Rangs durch die Zeit</translation>
    </message>
    <message>
        <source>Storage demand</source>
        <translation>Bedarf an Speicherdurchsatz</translation>
    </message>
    <message>
        <source>Workers</source>
        <translation>Worker</translation>
    </message>
    <message>
        <source>MB/s</source>
        <translation>MB/s</translation>
    </message>
    <message>
        <source>Needs runs that say how much they read, and how fast they were.</source>
        <translation>Braucht Läufe, die sagen, wie viel sie lesen und wie schnell sie waren.</translation>
    </message>
    <message>
        <source>needed</source>
        <translation>benötigt</translation>
    </message>
    <message>
        <source>read</source>
        <translation>gelesen</translation>
    </message>
    <message>
        <source>%1: %2 MB/s</source>
        <translation>%1: %2 MB/s</translation>
    </message>
    <message>
        <source>%1: more than %2 gives, from %3 on</source>
        <translation>%1: ab %3 mehr, als %2 liefert</translation>
    </message>
    <message>
        <source>more than storage gives</source>
        <translation>mehr, als der Speicher liefert</translation>
    </message>
    <message>
        <source>%1: %2 GB/s in one direction (%3 in both)</source>
        <translation>%1: %2 GB/s in einer Richtung (%3 in beiden)</translation>
    </message>
    <message>
        <source>the best is %1 % of %2</source>
        <translation>das Beste sind %1 % von %2</translation>
    </message>
    <message numerus="yes">
        <source>%1: wrong results at %n size(s), whose bandwidth counts for nothing</source>
        <translation>
            <numerusform>%1: falsche Ergebnisse bei %n Größe, deren Bandbreite nicht zählt</numerusform>
            <numerusform>%1: falsche Ergebnisse bei %n Größen, deren Bandbreite nicht zählt</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ChartData</name>
    <message>
        <source>95 %</source>
        <translation>95 %</translation>
    </message>
    <message>
        <source>95 % interval of the mean</source>
        <translation>95-%-Intervall des Mittelwerts</translation>
    </message>
    <message>
        <source>Band: %1</source>
        <translation>Band: %1</translation>
    </message>
    <message>
        <source>Bars: %1</source>
        <translation>Balken: %1</translation>
    </message>
    <message>
        <source>%1, n = %2</source>
        <translation>%1, n = %2</translation>
    </message>
    <message>
        <source>%1, n = %2 to %3</source>
        <translation>%1, n = %2 bis %3</translation>
    </message>
    <message>
        <source>%1 against %2.</source>
        <translation>%1 über %2.</translation>
    </message>
    <message numerus="yes">
        <source>%1: %n point(s), last %2 at %3.</source>
        <translation>
            <numerusform>%1: %n Punkt, zuletzt %2 bei %3.</numerusform>
            <numerusform>%1: %n Punkte, zuletzt %2 bei %3.</numerusform>
        </translation>
    </message>
    <message>
        <source>Target reached at %1.</source>
        <translation>Ziel erreicht bei %1.</translation>
    </message>
    <message>
        <source>no 95 % interval can be told, n = %1</source>
        <translation>kein 95-%-Intervall bestimmbar, n = %1</translation>
    </message>
</context>
<context>
    <name>ChartExport</name>
    <message>
        <source>Result not verified by MLCommons Association.</source>
        <translation>Ergebnis nicht von der MLCommons Association verifiziert.</translation>
    </message>
    <message>
        <source>Trained on generated data.</source>
        <translation>Mit erzeugten Daten trainiert.</translation>
    </message>
    <message>
        <source>“%1” has no known ending: use .png, .svg, .pdf, .csv or .json.</source>
        <translation>„%1“ hat keine bekannte Endung: .png, .svg, .pdf, .csv oder .json verwenden.</translation>
    </message>
</context>
<context>
    <name>ChartPlot</name>
    <message>
        <source>ideal (100 %)</source>
        <translation>ideal (100 %)</translation>
    </message>
    <message>
        <source>ideal</source>
        <translation>ideal</translation>
    </message>
    <message>
        <source>target reached</source>
        <translation>Ziel erreicht</translation>
    </message>
    <message>
        <source>+%1 more</source>
        <translation>+%1 weitere</translation>
    </message>
</context>
<context>
    <name>CloseDialog</name>
    <message>
        <source>Close Scalebench</source>
        <translation>Scalebench schließen</translation>
    </message>
    <message>
        <source>“%1” is still running.</source>
        <translation>„%1“ läuft noch.</translation>
    </message>
    <message>
        <source>It does not need this window: leave it running, and the workbench finds it again at its next start.</source>
        <translation>Die Studie braucht dieses Fenster nicht: Lassen Sie sie laufen, die Werkbank findet sie beim nächsten Start wieder.</translation>
    </message>
    <message>
        <source>&amp;Leave running</source>
        <translation>&amp;Weiterlaufen lassen</translation>
    </message>
    <message>
        <source>Stop &amp;after this run</source>
        <translation>&amp;Nach diesem Lauf anhalten</translation>
    </message>
    <message>
        <source>Stop &amp;now</source>
        <translation>&amp;Sofort anhalten</translation>
    </message>
</context>
<context>
    <name>CommandPalette</name>
    <message>
        <source>%1 › %2</source>
        <translation>%1 › %2</translation>
    </message>
</context>
<context>
    <name>CompareCharts</name>
    <message>
        <source> against </source>
        <translation> gegen </translation>
    </message>
    <message>
        <source>None of these runs has an evaluation to draw.</source>
        <translation>Keiner dieser Läufe hat eine Auswertung, die sich zeichnen lässt.</translation>
    </message>
    <message numerus="yes">
        <source>%1 (%n run(s))</source>
        <translation>
            <numerusform>%1 (%n Lauf)</numerusform>
            <numerusform>%1 (%n Läufe)</numerusform>
        </translation>
    </message>
    <message>
        <source>Time to train against the baseline</source>
        <translation>Trainingszeit gegenüber der Basis</translation>
    </message>
    <message>
        <source>Samples per second against the baseline</source>
        <translation>Samples pro Sekunde gegenüber der Basis</translation>
    </message>
    <message>
        <source>Time / time of the baseline (×)</source>
        <translation>Zeit / Zeit der Basis (×)</translation>
    </message>
    <message>
        <source>Samples/s / those of the baseline (×)</source>
        <translation>Samples/s / Samples/s der Basis (×)</translation>
    </message>
    <message>
        <source>bars: 95 % interval</source>
        <translation>Balken: 95-%-Intervall</translation>
    </message>
    <message>
        <source>No workload has a time to train with the same settings on both sides.</source>
        <translation>Kein Workload hat mit denselben Einstellungen auf beiden Seiten eine Trainingszeit.</translation>
    </message>
    <message>
        <source>No workload has samples per second with the same settings on both sides.</source>
        <translation>Kein Workload hat mit denselben Einstellungen auf beiden Seiten Samples pro Sekunde.</translation>
    </message>
</context>
<context>
    <name>CostChart</name>
    <message>
        <source>nothing is both quicker and cheaper</source>
        <translation>nichts ist zugleich schneller und billiger</translation>
    </message>
    <message>
        <source>Cost against time</source>
        <translation>Kosten über der Zeit</translation>
    </message>
    <message>
        <source>Energy against time</source>
        <translation>Energie über der Zeit</translation>
    </message>
    <message>
        <source>Time to train (min)</source>
        <translation>Trainingszeit (min)</translation>
    </message>
    <message>
        <source>Cost (in the price&apos;s currency)</source>
        <translation>Kosten (in der Währung des Preises)</translation>
    </message>
    <message>
        <source>Energy (kWh)</source>
        <translation>Energie (kWh)</translation>
    </message>
    <message>
        <source>Needs runs that reached their target, and the price of a node (Machines page) or hosts or GPUs that tell their energy.</source>
        <translation>Braucht Läufe, die ihr Ziel erreicht haben, und den Preis eines Knotens (Seite „Maschinen“) oder Rechner oder GPUs, die ihre Energie nennen.</translation>
    </message>
    <message>
        <source>Time to train (s)</source>
        <translation>Trainingszeit (s)</translation>
    </message>
    <message>
        <source>Energy (Wh)</source>
        <translation>Energie (Wh)</translation>
    </message>
</context>
<context>
    <name>Display</name>
    <message>
        <source>There is no display to open a window on (DISPLAY and WAYLAND_DISPLAY are not set). Log in with a desktop or with ssh -X, or use the command scalebench, which needs none.</source>
        <translation>Es gibt keine Anzeige für ein Fenster (DISPLAY und WAYLAND_DISPLAY sind nicht gesetzt). Melden Sie sich an einem Desktop oder mit ssh -X an, oder nehmen Sie den Befehl scalebench, der keine braucht.</translation>
    </message>
    <message>
        <source>No display answers at DISPLAY=%1. Check the variable, or use the command scalebench, which needs no display.</source>
        <translation>Unter DISPLAY=%1 antwortet keine Anzeige. Prüfen Sie die Variable, oder nehmen Sie den Befehl scalebench, der keine Anzeige braucht.</translation>
    </message>
</context>
<context>
    <name>Duration</name>
    <message>
        <source>%1 s</source>
        <translation>%1 s</translation>
    </message>
    <message>
        <source>%1 min %2 s</source>
        <translation>%1 min %2 s</translation>
    </message>
    <message>
        <source>%1 h %2 min</source>
        <translation>%1 h %2 min</translation>
    </message>
    <message>
        <source>less than 10 s</source>
        <translation>unter 10 s</translation>
    </message>
    <message>
        <source>about %1–%2 s</source>
        <translation>etwa %1–%2 s</translation>
    </message>
    <message>
        <source>about %1–%2 min</source>
        <translation>etwa %1–%2 min</translation>
    </message>
    <message>
        <source>about %1–%2 h</source>
        <translation>etwa %1–%2 h</translation>
    </message>
    <message>
        <source>took %1, as first estimated</source>
        <translation>dauerte %1, wie zuerst geschätzt</translation>
    </message>
    <message>
        <source>took %1, %2 % longer than first estimated</source>
        <translation>dauerte %1, %2 % länger als zuerst geschätzt</translation>
    </message>
    <message>
        <source>took %1, %2 % less than first estimated</source>
        <translation>dauerte %1, %2 % kürzer als zuerst geschätzt</translation>
    </message>
</context>
<context>
    <name>HardwareChart</name>
    <message>
        <source>Processors</source>
        <translation>Prozessoren</translation>
    </message>
    <message>
        <source>Appears at the end of the first epoch.</source>
        <translation>Erscheint am Ende der ersten Epoche.</translation>
    </message>
    <message>
        <source>sent</source>
        <translation>gesendet</translation>
    </message>
    <message>
        <source>received</source>
        <translation>empfangen</translation>
    </message>
    <message>
        <source>other work</source>
        <translation>andere Arbeit</translation>
    </message>
    <message>
        <source>Processor clock</source>
        <translation>Prozessortakt</translation>
    </message>
    <message>
        <source>Clock (GHz)</source>
        <translation>Takt (GHz)</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Arbeitsspeicher</translation>
    </message>
    <message>
        <source>Used (GB)</source>
        <translation>Belegt (GB)</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>Netz</translation>
    </message>
    <message>
        <source>MB/s</source>
        <translation>MB/s</translation>
    </message>
    <message>
        <source>GPU use</source>
        <translation>GPU-Auslastung</translation>
    </message>
    <message>
        <source>Busy (%)</source>
        <translation>Ausgelastet (%)</translation>
    </message>
    <message>
        <source>GPU memory</source>
        <translation>GPU-Speicher</translation>
    </message>
    <message>
        <source>GPU power</source>
        <translation>GPU-Leistung</translation>
    </message>
    <message>
        <source>Power (W)</source>
        <translation>Leistung (W)</translation>
    </message>
    <message>
        <source>GPU clock</source>
        <translation>GPU-Takt</translation>
    </message>
    <message>
        <source>GPU temperature</source>
        <translation>GPU-Temperatur</translation>
    </message>
    <message>
        <source>%1: clocks held down</source>
        <translation>%1: Takt gedrosselt</translation>
    </message>
    <message>
        <source>Needs GPUs whose driver tells of them.</source>
        <translation>Braucht GPUs, von denen der Treiber berichtet.</translation>
    </message>
    <message>
        <source>Temperature (°C)</source>
        <translation>Temperatur (°C)</translation>
    </message>
</context>
<context>
    <name>HostKeyDialog</name>
    <message>
        <source>Trust a new host</source>
        <translation>Neuem Host vertrauen</translation>
    </message>
    <message>
        <source>Is this the key of %1?</source>
        <translation>Ist dies der Schlüssel von %1?</translation>
    </message>
    <message>
        <source>%1 key, fingerprint
%2

This computer does not know the host yet. Compare the fingerprint with the one its administrator gives. If you trust it, the key is added to %3.</source>
        <translation>Schlüssel %1, Fingerabdruck
%2

Dieser Rechner kennt den Host noch nicht. Vergleichen Sie den Fingerabdruck mit dem, den der Administrator nennt. Wenn Sie vertrauen, wird der Schlüssel in %3 eingetragen.</translation>
    </message>
    <message>
        <source>&amp;Trust this key</source>
        <translation>Diesem Schlüssel &amp;vertrauen</translation>
    </message>
    <message>
        <source>&amp;Do not trust</source>
        <translation>&amp;Nicht vertrauen</translation>
    </message>
</context>
<context>
    <name>Launcher</name>
    <message>
        <source>Which global batch on both sides? A larger one may need more epochs.</source>
        <translation>Welcher globale Batch auf beiden Seiten? Ein größerer kann mehr Epochen brauchen.</translation>
    </message>
    <message>
        <source>Time to which quality, in how many epochs on both sides?</source>
        <translation>Zeit bis zu welcher Güte, in wie vielen Epochen auf beiden Seiten?</translation>
    </message>
    <message>
        <source>How many runs of each, and how far apart?</source>
        <translation>Wie viele Läufe auf jeder Seite, und wie weit liegen sie auseinander?</translation>
    </message>
    <message>
        <source>Over how many nodes and which network?</source>
        <translation>Über wie viele Knoten und welches Netzwerk?</translation>
    </message>
    <message>
        <source>Which precision and software version on both sides?</source>
        <translation>Welches Zahlenformat und welche Softwareversion auf beiden Seiten?</translation>
    </message>
    <message>
        <source>It is slower than before.</source>
        <translation>Es ist langsamer als zuvor.</translation>
    </message>
    <message>
        <source>More than the ideal: the two sides differ in more than the count, or the first one was held back.</source>
        <translation>Mehr als das Ideal: Die beiden Seiten unterscheiden sich nicht nur in der Anzahl, oder die erste wurde gebremst.</translation>
    </message>
    <message>
        <source>other implementation or origin</source>
        <translation>andere Implementierung oder Herkunft</translation>
    </message>
    <message>
        <source>other network</source>
        <translation>anderes Netz</translation>
    </message>
    <message>
        <source>other data</source>
        <translation>andere Daten</translation>
    </message>
    <message>
        <source>other batch</source>
        <translation>anderer Batch</translation>
    </message>
    <message>
        <source>other target</source>
        <translation>anderes Ziel</translation>
    </message>
    <message>
        <source>other epochs</source>
        <translation>andere Epochenzahl</translation>
    </message>
    <message>
        <source>other precision</source>
        <translation>anderes Zahlenformat</translation>
    </message>
    <message>
        <source>other threads per worker</source>
        <translation>andere Threadzahl je Worker</translation>
    </message>
    <message>
        <source>one run only</source>
        <translation>nur ein Lauf</translation>
    </message>
    <message>
        <source>no more than chance</source>
        <translation>nicht mehr als Zufall</translation>
    </message>
    <message>
        <source>no more than chance; about %1 repeats on each side would tell a difference of %2 %</source>
        <translation>nicht mehr als Zufall; etwa %1 Wiederholungen auf jeder Seite würden einen Unterschied von %2 % zeigen</translation>
    </message>
    <message>
        <source>%1, 1 worker</source>
        <translation>%1, 1 Worker</translation>
    </message>
    <message>
        <source>%1, %2 workers</source>
        <translation>%1, %2 Worker</translation>
    </message>
    <message>
        <source>%1: %2 takes %3 times as long as %4.</source>
        <translation>%1: %2 braucht %3-mal so lange wie %4.</translation>
    </message>
    <message>
        <source>%1: %2 takes %3 times as long as %4 (95 % interval %5 to %6): %7.</source>
        <translation>%1: %2 braucht %3-mal so lange wie %4 (95-%-Intervall %5 bis %6): %7.</translation>
    </message>
    <message>
        <source>%1: %2 takes %3 times as long as %4 (95 % interval %5 to %6).</source>
        <translation>%1: %2 braucht %3-mal so lange wie %4 (95-%-Intervall %5 bis %6).</translation>
    </message>
    <message>
        <source>%1: no time on both sides; %2 does %3 times the samples/s of %4.</source>
        <translation>%1: nicht auf beiden Seiten eine Zeit; %2 schafft das %3-fache an Samples/s von %4.</translation>
    </message>
    <message>
        <source>%1: nothing to compare yet.</source>
        <translation>%1: noch nichts zu vergleichen.</translation>
    </message>
    <message>
        <source>With care: %1.</source>
        <translation>Mit Vorsicht: %1.</translation>
    </message>
    <message>
        <source>the other runs with this batch</source>
        <translation>die anderen Läufe mit diesem Batch</translation>
    </message>
    <message>
        <source>%1 nodes x %2 workers</source>
        <translation>%1 Knoten × %2 Worker</translation>
    </message>
    <message>
        <source>%1 worker</source>
        <translation>%1 Worker</translation>
    </message>
    <message>
        <source>%1 workers</source>
        <translation>%1 Worker</translation>
    </message>
    <message>
        <source>Batch</source>
        <translation>Batch</translation>
    </message>
    <message>
        <source>%1 % ± %2</source>
        <translation>%1 % ± %2</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>1 comparison</source>
        <translation>1 Vergleich</translation>
    </message>
    <message>
        <source>%1 comparisons</source>
        <translation>%1 Vergleiche</translation>
    </message>
    <message>
        <source>%1; repeats would tell how sure that is</source>
        <translation>%1; Wiederholungen würden zeigen, wie sicher das ist</translation>
    </message>
    <message>
        <source>%1; no more than chance</source>
        <translation>%1; nicht mehr als Zufall</translation>
    </message>
    <message>
        <source>%1 %2 instead of %3: %4 less time (%5).</source>
        <translation>%1 %2 statt %3: %4 weniger Zeit (%5).</translation>
    </message>
    <message>
        <source>%1 %2 instead of %3: %4 more time (%5).</source>
        <translation>%1 %2 statt %3: %4 mehr Zeit (%5).</translation>
    </message>
    <message>
        <source>%1 reached its target soonest with %2: %3, %4 % sooner than with %5.</source>
        <translation>Am schnellsten erreichte %1 sein Ziel mit der Einstellung „%2“: %3, %4 % früher als mit „%5“.</translation>
    </message>
    <message>
        <source>%1 did not end (%2)</source>
        <translation>%1 wurde nicht fertig (%2)</translation>
    </message>
    <message>
        <source>%1 ended with code %2</source>
        <translation>%1 endete mit Code %2</translation>
    </message>
    <message>
        <source>The pictures were not made: %1.</source>
        <translation>Die Bilder wurden nicht erstellt: %1.</translation>
    </message>
    <message>
        <source>The PDF was not made: %1.</source>
        <translation>Das PDF wurde nicht erstellt: %1.</translation>
    </message>
    <message>
        <source>1 worker</source>
        <translation>1 Worker</translation>
    </message>
    <message>
        <source>%1: %2 gives %3 fewer samples/s than %4.</source>
        <translation>%1: %2 schafft %3 weniger Samples/s als %4.</translation>
    </message>
    <message>
        <source>%1: %2 gives %3 more samples/s than %4.</source>
        <translation>%1: %2 schafft %3 mehr Samples/s als %4.</translation>
    </message>
    <message>
        <source>%1: %2 gives %3 fewer samples/s than %4 (without repeats, so by how much is not certain).</source>
        <translation>%1: %2 schafft %3 weniger Samples/s als %4 (ohne Wiederholungen, daher ist der Betrag ungewiss).</translation>
    </message>
    <message>
        <source>%1: %2 gives %3 more samples/s than %4 (without repeats, so by how much is not certain).</source>
        <translation>%1: %2 schafft %3 mehr Samples/s als %4 (ohne Wiederholungen, daher ist der Betrag ungewiss).</translation>
    </message>
    <message>
        <source>%1: %2 gives %3 fewer samples/s than %4 (no more than chance).</source>
        <translation>%1: %2 schafft %3 weniger Samples/s als %4 (nicht mehr als Zufall).</translation>
    </message>
    <message>
        <source>%1: %2 gives %3 more samples/s than %4 (no more than chance).</source>
        <translation>%1: %2 schafft %3 mehr Samples/s als %4 (nicht mehr als Zufall).</translation>
    </message>
    <message>
        <source>oversubscribed</source>
        <translation>überbucht</translation>
    </message>
    <message>
        <source>batch differs from the baseline&apos;s (%1)</source>
        <translation>Batch anders als der der Basis (%1)</translation>
    </message>
    <message>
        <source>oversubscribed: no speedup</source>
        <translation>überbucht: kein Speedup</translation>
    </message>
    <message>
        <source>every epoch takes %1 times as long, and the number of epochs is the same.</source>
        <translation>Jede Epoche braucht %1-mal so lange, und die Zahl der Epochen ist dieselbe.</translation>
    </message>
    <message>
        <source>More workers than processors: the time says nothing about scaling.</source>
        <translation>Mehr Worker als Prozessoren: Die Zeit sagt nichts über die Skalierung.</translation>
    </message>
    <message>
        <source>No run reached its target.</source>
        <translation>Kein Lauf hat sein Ziel erreicht.</translation>
    </message>
    <message>
        <source>No run has ended yet.</source>
        <translation>Noch ist kein Lauf zu Ende.</translation>
    </message>
    <message>
        <source>The baseline: the others are compared with it.</source>
        <translation>Die Basis: Die anderen werden mit ihr verglichen.</translation>
    </message>
    <message>
        <source>There is no run to compare with.</source>
        <translation>Es gibt keinen Lauf, mit dem sich vergleichen lässt.</translation>
    </message>
    <message>
        <source>%1 times as fast with %2 workers (%3 % efficiency)</source>
        <translation>%1-mal so schnell mit %2 Workern (%3 % Effizienz)</translation>
    </message>
    <message>
        <source>%1. How many epochs were needed is not known.</source>
        <translation>%1. Wie viele Epochen nötig waren, ist nicht bekannt.</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not %2: such a name has 1 to 200 letters (a to z), digits and ._-+=, and begins with a letter or a digit.</source>
        <translation>„%1“ ist nicht %2: Ein solcher Name hat 1 bis 200 Buchstaben (a bis z), Ziffern und ._-+= und beginnt mit einem Buchstaben oder einer Ziffer.</translation>
    </message>
    <message>
        <source>The folder &quot;%1&quot; must begin with / or ~/.</source>
        <translation>Der Ordner „%1“ muss mit / oder ~/ beginnen.</translation>
    </message>
    <message>
        <source>The folder &quot;%1&quot; may not have &quot;..&quot; in it.</source>
        <translation>Der Ordner „%1“ darf kein „..“ enthalten.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not the number of a Slurm job.</source>
        <translation>„%1“ ist keine Nummer eines Slurm-Jobs.</translation>
    </message>
    <message>
        <source>The home folder &quot;%1&quot; must begin with /.</source>
        <translation>Das Benutzerverzeichnis „%1“ muss mit / beginnen.</translation>
    </message>
    <message>
        <source>%1 could not be written: the disk is full%2. Free some space or choose another folder.</source>
        <translation>%1 konnte nicht geschrieben werden: Der Datenträger ist voll%2. Schaffen Sie Platz, oder wählen Sie einen anderen Ordner.</translation>
    </message>
    <message>
        <source>%1 could not be written: the file system is read-only. Choose another folder.</source>
        <translation>%1 konnte nicht geschrieben werden: Das Dateisystem ist schreibgeschützt. Wählen Sie einen anderen Ordner.</translation>
    </message>
    <message>
        <source>%1 could not be written: %2. Choose another folder or change its rights.</source>
        <translation>%1 konnte nicht geschrieben werden: %2. Wählen Sie einen anderen Ordner, oder ändern Sie seine Rechte.</translation>
    </message>
    <message>
        <source>%1 does not exist.</source>
        <translation>%1 existiert nicht.</translation>
    </message>
    <message>
        <source>%1 is a link; in a folder of results only ordinary files are read. Put the file itself there.</source>
        <translation>%1 ist ein Link; in einem Ergebnisordner werden nur gewöhnliche Dateien gelesen. Legen Sie die Datei selbst dort ab.</translation>
    </message>
    <message>
        <source>%1 is no ordinary file (a folder, a pipe or a device); it is not read.</source>
        <translation>%1 ist keine gewöhnliche Datei (sondern Ordner, Pipe oder Gerät); sie wird nicht gelesen.</translation>
    </message>
    <message>
        <source>%1 could not be read: %2.</source>
        <translation>%1 konnte nicht gelesen werden: %2.</translation>
    </message>
    <message>
        <source>%1 has more than %2 MiB; such a file is not read whole.</source>
        <translation>%1 hat mehr als %2 MiB; eine solche Datei wird nicht im Ganzen gelesen.</translation>
    </message>
    <message>
        <source>%1 is a file, not a folder. Choose another folder.</source>
        <translation>%1 ist eine Datei, kein Ordner. Wählen Sie einen anderen Ordner.</translation>
    </message>
    <message>
        <source>%1… lies more than %2 folders deep. Choose another folder.</source>
        <translation>%1… liegt mehr als %2 Ordner tief. Wählen Sie einen anderen Ordner.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; cannot be %2: %3</source>
        <translation>„%1“ kann nicht %2 sein: %3</translation>
    </message>
    <message>
        <source>The name of %1 is empty.</source>
        <translation>Der Name (%1) ist leer.</translation>
    </message>
    <message>
        <source>it begins with &quot;-&quot;, which ssh takes for an option.</source>
        <translation>Er beginnt mit „-“, was ssh für eine Option hält.</translation>
    </message>
    <message>
        <source>it is longer than 255 characters.</source>
        <translation>Er ist länger als 255 Zeichen.</translation>
    </message>
    <message>
        <source>the user before &quot;@&quot; may have letters, digits, &quot;.&quot;, &quot;-&quot; and &quot;_&quot; only.</source>
        <translation>Der Benutzer vor „@“ darf nur Buchstaben, Ziffern, „.“, „-“ und „_“ haben.</translation>
    </message>
    <message>
        <source>host names have letters, digits, &quot;.&quot;, &quot;-&quot; and &quot;_&quot; only, and do not begin with &quot;.&quot;. For a host with another name write an alias of the ssh config.</source>
        <translation>Hostnamen bestehen nur aus Buchstaben, Ziffern, „.“, „-“ und „_“ und beginnen nicht mit „.“. Schreiben Sie für einen Host mit anderem Namen einen Alias der ssh-Konfiguration.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is an IPv6 address, which Open MPI does not accept in host lists. Write the host&apos;s name, or an alias of the ssh config.</source>
        <translation>„%1“ ist eine IPv6-Adresse, die Open MPI in Hostlisten nicht annimmt. Schreiben Sie den Namen des Hosts oder einen Alias der ssh-Konfiguration.</translation>
    </message>
    <message>
        <source>a jump host</source>
        <translation>ein Sprunghost</translation>
    </message>
    <message>
        <source>The %1 &quot;%2&quot; holds a line break or another control character.</source>
        <translation>%1 „%2“ enthält einen Zeilenumbruch oder ein anderes Steuerzeichen.</translation>
    </message>
    <message>
        <source>The %1 &quot;%2&quot; begins with &quot;-&quot;; write ./ before it, or the whole path.</source>
        <translation>%1 „%2“ beginnt mit „-“; schreiben Sie ./ davor oder den ganzen Pfad.</translation>
    </message>
    <message>
        <source>The %1 &quot;%2&quot; is longer than 1000 bytes.</source>
        <translation>%1 „%2“ ist länger als 1000 Bytes.</translation>
    </message>
    <message>
        <source>%1:1:1: a JSON object { … } is expected here.</source>
        <translation>%1:1:1: Hier wird ein JSON-Objekt { … } erwartet.</translation>
    </message>
    <message>
        <source>(did you mean &quot;%1&quot;?)</source>
        <translation>(meinten Sie „%1“?)</translation>
    </message>
    <message>
        <source>the number %1</source>
        <translation>die Zahl %1</translation>
    </message>
    <message>
        <source>the text &quot;%1&quot;</source>
        <translation>der Text „%1“</translation>
    </message>
    <message>
        <source>a list</source>
        <translation>eine Liste</translation>
    </message>
    <message>
        <source>an object</source>
        <translation>ein Objekt</translation>
    </message>
    <message>
        <source>%1: &quot;%2&quot; must be %3, found %4.</source>
        <translation>%1: „%2“ muss %3 sein; gefunden: %4.</translation>
    </message>
    <message>
        <source>a text</source>
        <translation>ein Text</translation>
    </message>
    <message>
        <source>true or false</source>
        <translation>true oder false</translation>
    </message>
    <message>
        <source>a whole number</source>
        <translation>eine ganze Zahl</translation>
    </message>
    <message>
        <source>%1: &quot;%2&quot; must be between %3 and %4, found %5.</source>
        <translation>%1: „%2“ muss zwischen %3 und %4 liegen; gefunden: %5.</translation>
    </message>
    <message>
        <source>%1: &quot;%2&quot; must be one line of text, found &quot;%3&quot;.</source>
        <translation>%1: „%2“ muss eine Textzeile sein; gefunden: „%3“.</translation>
    </message>
    <message>
        <source>a number</source>
        <translation>eine Zahl</translation>
    </message>
    <message>
        <source>an object { … }</source>
        <translation>ein Objekt { … }</translation>
    </message>
    <message>
        <source>a list of texts</source>
        <translation>eine Liste von Texten</translation>
    </message>
    <message>
        <source>%1: &quot;%2&quot; must be a list of texts, found %3 in it.</source>
        <translation>%1: „%2“ muss eine Liste von Texten sein; darin gefunden: %3.</translation>
    </message>
    <message>
        <source>a list of whole numbers</source>
        <translation>eine Liste ganzer Zahlen</translation>
    </message>
    <message>
        <source>%1: &quot;%2&quot; must be a list of whole numbers, found %3 in it.</source>
        <translation>%1: „%2“ muss eine Liste ganzer Zahlen sein; darin gefunden: %3.</translation>
    </message>
    <message>
        <source>%1: the key &quot;%2&quot; is not known%3.</source>
        <translation>%1: Der Schlüssel „%2“ ist nicht bekannt%3.</translation>
    </message>
    <message>
        <source>%1: this is a &quot;%2&quot; file; &quot;%3&quot; is expected.</source>
        <translation>%1: Dies ist eine „%2“-Datei; erwartet wird „%3“.</translation>
    </message>
    <message>
        <source>%1: the file has version %2; this program reads up to version %3. Update Scalebench.</source>
        <translation>%1: Die Datei hat Version %2; dieses Programm liest bis Version %3. Aktualisieren Sie Scalebench.</translation>
    </message>
    <message>
        <source>its folder</source>
        <translation>ihr Ordner</translation>
    </message>
    <message>
        <source>The disk of %1 is full: %2 has %3 left, the engine needs %4. Free some space there, or choose another folder for the target machine.</source>
        <translation>Der Datenträger von %1 ist voll: %2 hat noch %3, die Engine braucht %4. Schaffen Sie dort Platz, oder wählen Sie für die Zielmaschine einen anderen Ordner.</translation>
    </message>
    <message>
        <source>The disk of %1 is full: %2 has no room left, the engine needs %3. Free some space there, or choose another folder for the target machine.</source>
        <translation>Der Datenträger von %1 ist voll: %2 hat keinen Platz mehr, die Engine braucht %3. Schaffen Sie dort Platz, oder wählen Sie für die Zielmaschine einen anderen Ordner.</translation>
    </message>
    <message>
        <source>Nothing can be written to the folder %1 on %2. Change its rights, or choose another folder for the target machine.</source>
        <translation>In den Ordner %1 auf %2 kann nichts geschrieben werden. Ändern Sie seine Rechte, oder wählen Sie für die Zielmaschine einen anderen Ordner.</translation>
    </message>
    <message>
        <source>%1 has another kind of processor (%2) than the engine bundle is built for (%3). Deploy a bundle built for it.</source>
        <translation>%1 hat eine andere Prozessorart (%2) als die, für die das Engine-Paket gebaut ist (%3). Installieren Sie ein dafür gebautes Paket.</translation>
    </message>
    <message>
        <source>The engine needs glibc %1, which is newer than the C library of %2. Use a host with a newer Linux, or a bundle built on an older one.</source>
        <translation>Die Engine braucht glibc %1, neuer als die C-Bibliothek von %2. Nehmen Sie einen Host mit neuerem Linux oder ein auf einem älteren gebautes Paket.</translation>
    </message>
    <message>
        <source>The engine did not arrive whole on %1; what was there before is unchanged. Try again; if it happens again, test the disk of %1.</source>
        <translation>Die Engine kam auf %1 nicht vollständig an; was vorher dort war, ist unverändert. Versuchen Sie es noch einmal; geschieht es wieder, prüfen Sie den Datenträger von %1.</translation>
    </message>
    <message>
        <source>The engine could not be installed on %1; what was there before is unchanged. %2</source>
        <translation>Die Engine konnte auf %1 nicht installiert werden; was vorher dort war, ist unverändert. %2</translation>
    </message>
    <message>
        <source>This computer uses the engine that is installed with this program; nothing needs to be deployed.</source>
        <translation>Dieser Rechner benutzt die Engine, die mit diesem Programm installiert ist; es muss nichts verteilt werden.</translation>
    </message>
    <message>
        <source>There is no engine bundle (scalebench-engine-*.tar.gz) beside this program. Make one with packaging/bundle, or name one with SCALEBENCH_BUNDLE.</source>
        <translation>Neben diesem Programm liegt kein Engine-Paket (scalebench-engine-*.tar.gz). Erstellen Sie eines mit packaging/bundle, oder nennen Sie eines in SCALEBENCH_BUNDLE.</translation>
    </message>
    <message>
        <source>The engine bundle %1 could not be read: %2.</source>
        <translation>Das Engine-Paket %1 konnte nicht gelesen werden: %2.</translation>
    </message>
    <message>
        <source>Not deployed: the login node %1 comes first.</source>
        <translation>Nicht verteilt: Zuerst kommt der Login-Knoten %1.</translation>
    </message>
    <message>
        <source>%1 could not reach the hosts behind it.</source>
        <translation>%1 konnte die Hosts dahinter nicht erreichen.</translation>
    </message>
    <message>
        <source>%1 did not answer %2 in time.</source>
        <translation>%1 antwortete %2 nicht rechtzeitig.</translation>
    </message>
    <message>
        <source>From %1: %2</source>
        <translation>Von %1: %2</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is no path inside a study.</source>
        <translation>„%1“ ist kein Pfad in einer Studie.</translation>
    </message>
    <message>
        <source>The study exists there already.</source>
        <translation>Die Studie gibt es dort schon.</translation>
    </message>
    <message>
        <source>%1 is a link; nothing is written through it.</source>
        <translation>%1 ist ein Link; hindurch wird nichts geschrieben.</translation>
    </message>
    <message>
        <source>The supervisor of the run could not be started; %1/supervisor.log says why.</source>
        <translation>Der Supervisor des Laufs konnte nicht gestartet werden; warum, steht in %1/supervisor.log.</translation>
    </message>
    <message>
        <source>The state of this run can no longer be read or written: %1 was removed, or its disk is full or read-only.</source>
        <translation>Der Zustand dieses Laufs kann nicht mehr gelesen oder geschrieben werden: %1 wurde entfernt, oder der Datenträger ist voll oder schreibgeschützt.</translation>
    </message>
    <message>
        <source>%1 is no file of `scalebench bench --json`.</source>
        <translation>%1 ist keine Datei von `scalebench bench --json`.</translation>
    </message>
    <message>
        <source>%1 has no bandwidth of a collective.</source>
        <translation>%1 enthält keine Bandbreite einer kollektiven Operation.</translation>
    </message>
    <message numerus="yes">
        <source>%n worker(s)</source>
        <translation>
            <numerusform>%n Worker</numerusform>
            <numerusform>%n Worker</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n rank(s)</source>
        <translation>
            <numerusform>%n Rang</numerusform>
            <numerusform>%n Ränge</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 has no rate of `scalebench bench storage`.</source>
        <translation>%1 enthält keine Rate von `scalebench bench storage`.</translation>
    </message>
    <message>
        <source>%1: &quot;files&quot; must list 1 to %2 files.</source>
        <translation>%1: „files“ muss 1 bis %2 Dateien aufzählen.</translation>
    </message>
    <message>
        <source>%1: &quot;%2&quot; is no file of a bundle, or is listed twice.</source>
        <translation>%1: „%2“ ist keine Datei eines Bündels oder steht zweimal da.</translation>
    </message>
    <message>
        <source>%1: the files are larger than a bundle&apos;s may be (%2 GiB).</source>
        <translation>%1: Die Dateien sind größer, als die eines Bündels sein dürfen (%2 GiB).</translation>
    </message>
    <message>
        <source>%1: &quot;%2&quot; has no SHA-256 checksum.</source>
        <translation>%1: „%2“ hat keine SHA-256-Prüfsumme.</translation>
    </message>
    <message>
        <source>%1 could not be written: %2.</source>
        <translation>%1 konnte nicht geschrieben werden: %2.</translation>
    </message>
    <message>
        <source>%1 is not unpacked: %2. A bundle that Scalebench wrote has nothing of the kind.</source>
        <translation>%1 wird nicht entpackt: %2. Ein Bündel, das Scalebench geschrieben hat, enthält nichts dergleichen.</translation>
    </message>
    <message>
        <source>%1 is damaged: %2. Get it again from where it came.</source>
        <translation>%1 ist beschädigt: %2. Holen Sie es noch einmal dort, woher es kam.</translation>
    </message>
    <message>
        <source>%1 could not be read.</source>
        <translation>%1 konnte nicht gelesen werden.</translation>
    </message>
    <message>
        <source>it is no zip file that can be read</source>
        <translation>es ist keine lesbare zip-Datei</translation>
    </message>
    <message>
        <source>&quot;%1&quot; in it is a link, a folder or a device, or is encrypted</source>
        <translation>„%1“ darin ist ein Link, ein Ordner oder ein Gerät oder ist verschlüsselt</translation>
    </message>
    <message>
        <source>it holds &quot;%1&quot;</source>
        <translation>es enthält „%1“</translation>
    </message>
    <message>
        <source>&quot;%1&quot; cannot be unpacked (%2)</source>
        <translation>„%1“ kann nicht entpackt werden (%2)</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is larger than its manifest says</source>
        <translation>„%1“ ist größer, als sein Manifest sagt</translation>
    </message>
    <message>
        <source>%1 could not be unpacked: %2. Free some space.</source>
        <translation>%1 konnte nicht entpackt werden: %2. Schaffen Sie Platz.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not in its manifest, or is in it twice</source>
        <translation>„%1“ steht nicht oder zweimal in seinem Manifest</translation>
    </message>
    <message>
        <source>&quot;%1&quot; has another size or checksum than its manifest says</source>
        <translation>„%1“ hat eine andere Größe oder Prüfsumme, als sein Manifest sagt</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is in its manifest but not in it</source>
        <translation>„%1“ steht in seinem Manifest, ist aber nicht darin</translation>
    </message>
    <message>
        <source>%1 is there already. Choose another name.</source>
        <translation>%1 gibt es schon. Wählen Sie einen anderen Namen.</translation>
    </message>
    <message>
        <source>%1 changed while it was packed. Wait for the study to end.</source>
        <translation>%1 änderte sich beim Packen. Warten Sie, bis die Studie zu Ende ist.</translation>
    </message>
    <message>
        <source>%1 cells do not fit the header&apos;s %2</source>
        <translation>%1 Zellen passen nicht zu den %2 der Kopfzeile</translation>
    </message>
    <message>
        <source>no time and bandwidth can be read</source>
        <translation>Zeit und Bandbreite sind nicht lesbar</translation>
    </message>
    <message>
        <source>result %1 has no time and bandwidth</source>
        <translation>Ergebnis %1 hat keine Zeit und Bandbreite</translation>
    </message>
    <message>
        <source>%1 has no row of nccl-tests that can be read.</source>
        <translation>%1 hat keine lesbare Zeile von nccl-tests.</translation>
    </message>
    <message>
        <source>no number of workers</source>
        <translation>keine Anzahl von Workern</translation>
    </message>
    <message>
        <source>neither a time nor samples/s</source>
        <translation>weder eine Zeit noch Samples/s</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is no FIELD=COLUMN%2. Fields: %3.</source>
        <translation>„%1“ ist kein FELD=SPALTE%2. Felder: %3.</translation>
    </message>
    <message>
        <source>%1 has no column &quot;%2&quot;%3. It has: %4.</source>
        <translation>%1 hat keine Spalte „%2“%3. Vorhanden: %4.</translation>
    </message>
    <message>
        <source>%1:%2: a quoted cell begins here and has no end.</source>
        <translation>%1:%2: Hier beginnt eine Zelle in Anführungszeichen, die nicht endet.</translation>
    </message>
    <message>
        <source>%1 has no table: a line with the names of the columns and lines with values are expected.</source>
        <translation>%1 enthält keine Tabelle: erwartet werden eine Zeile mit den Spaltennamen und Zeilen mit Werten.</translation>
    </message>
    <message>
        <source>%1 has more than %2 rows.</source>
        <translation>%1 hat mehr als %2 Zeilen.</translation>
    </message>
    <message>
        <source>%1 cells, but the header has %2</source>
        <translation>%1 Zellen, aber die Kopfzeile hat %2</translation>
    </message>
    <message>
        <source>the file ends inside a record: it was cut off</source>
        <translation>die Datei endet mitten in einem Eintrag: sie wurde abgeschnitten</translation>
    </message>
    <message>
        <source>the checksum of the record&apos;s length is wrong; the rest cannot be found</source>
        <translation>die Prüfsumme der Länge des Eintrags ist falsch; der Rest ist nicht auffindbar</translation>
    </message>
    <message>
        <source>its checksum is wrong; it was left out</source>
        <translation>seine Prüfsumme ist falsch; er wurde ausgelassen</translation>
    </message>
    <message>
        <source>%1 is no TensorBoard event file, or its first record is damaged.</source>
        <translation>%1 ist keine Ereignisdatei von TensorBoard, oder ihr erster Eintrag ist beschädigt.</translation>
    </message>
    <message>
        <source>quality from &quot;%1&quot;, loss from &quot;%2&quot; of the tags %3</source>
        <translation>Güte aus „%1“, Loss aus „%2“ der Tags %3</translation>
    </message>
    <message>
        <source>The file has no two times, so none to train.</source>
        <translation>Die Datei hat keine zwei Zeiten, also auch keine Trainingszeit.</translation>
    </message>
    <message>
        <source>cannot be read</source>
        <translation>nicht lesbar</translation>
    </message>
    <message>
        <source>larger than %1 MiB</source>
        <translation>größer als %1 MiB</translation>
    </message>
    <message>
        <source>no MLPerf record in it</source>
        <translation>enthält keinen MLPerf-Eintrag</translation>
    </message>
    <message>
        <source>a power measurement of MLPerf</source>
        <translation>eine Leistungsmessung von MLPerf</translation>
    </message>
    <message>
        <source>MLPerf&apos;s marker is in it, but nothing of a run</source>
        <translation>das Kennzeichen von MLPerf kommt vor, aber nichts von einem Lauf</translation>
    </message>
    <message>
        <source>the file is UTF-16; logs are UTF-8 or Latin-1</source>
        <translation>die Datei ist UTF-16; Protokolle sind UTF-8 oder Latin-1</translation>
    </message>
    <message>
        <source>%1 lines are in the file twice and count once</source>
        <translation>%1 Zeilen stehen zweimal in der Datei und zählen einmal</translation>
    </message>
    <message>
        <source>line %1: %2</source>
        <translation>Zeile %1: %2</translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation>und %1 weitere</translation>
    </message>
    <message>
        <source>%1 would grow beyond %2 MiB. Import into another library.</source>
        <translation>%1 würde über %2 MiB wachsen. Importieren Sie in eine andere Bibliothek.</translation>
    </message>
    <message>
        <source>Another import into %1 has not ended. Try again when it has.</source>
        <translation>Ein anderer Import in %1 ist noch nicht zu Ende. Versuchen Sie es danach noch einmal.</translation>
    </message>
    <message>
        <source>does not exist</source>
        <translation>existiert nicht</translation>
    </message>
    <message>
        <source>more than %1 files</source>
        <translation>mehr als %1 Dateien</translation>
    </message>
    <message>
        <source>more than %1 folders deep</source>
        <translation>mehr als %1 Ordner tief</translation>
    </message>
    <message>
        <source>folder may not be read</source>
        <translation>Ordner darf nicht gelesen werden</translation>
    </message>
    <message>
        <source>no ordinary file</source>
        <translation>keine gewöhnliche Datei</translation>
    </message>
    <message>
        <source>not a log by its name</source>
        <translation>dem Namen nach kein Protokoll</translation>
    </message>
    <message>
        <source>one value is expected</source>
        <translation>ein Wert wird erwartet</translation>
    </message>
    <message>
        <source>a number is not finite</source>
        <translation>eine Zahl ist nicht endlich</translation>
    </message>
    <message>
        <source>text follows the record</source>
        <translation>nach dem Eintrag folgt Text</translation>
    </message>
    <message>
        <source>no valid JSON after the token: %1</source>
        <translation>kein gültiges JSON nach dem Kennzeichen: %1</translation>
    </message>
    <message>
        <source>the time cannot be read</source>
        <translation>die Zeit ist nicht lesbar</translation>
    </message>
    <message>
        <source>the place in the program has no end</source>
        <translation>die Programmstelle hat kein Ende</translation>
    </message>
    <message>
        <source>the key cannot be read</source>
        <translation>der Schlüssel ist nicht lesbar</translation>
    </message>
    <message>
        <source>the value of &quot;%1&quot; is no JSON</source>
        <translation>der Wert von „%1“ ist kein JSON</translation>
    </message>
    <message>
        <source>an object with &quot;value&quot; is expected</source>
        <translation>ein Objekt mit „value“ wird erwartet</translation>
    </message>
    <message>
        <source>a JSON object is expected after the token</source>
        <translation>nach dem Kennzeichen wird ein JSON-Objekt erwartet</translation>
    </message>
    <message>
        <source>&quot;time_ms&quot; is missing or no time</source>
        <translation>„time_ms“ fehlt oder ist keine Zeit</translation>
    </message>
    <message>
        <source>&quot;key&quot; is missing</source>
        <translation>„key“ fehlt</translation>
    </message>
    <message>
        <source>a version of the format that is not known</source>
        <translation>eine unbekannte Version des Formats</translation>
    </message>
    <message>
        <source>the line is cut off</source>
        <translation>die Zeile ist abgeschnitten</translation>
    </message>
    <message>
        <source>the line has more than %1 MiB and was read in part</source>
        <translation>die Zeile hat mehr als %1 MiB und wurde nur zum Teil gelesen</translation>
    </message>
    <message>
        <source>the file ends inside this line: it was cut off (%1)</source>
        <translation>die Datei endet in dieser Zeile: sie wurde abgeschnitten (%1)</translation>
    </message>
    <message>
        <source>line %1: %2 is &quot;%3&quot;, before it was &quot;%4&quot;</source>
        <translation>Zeile %1: %2 ist „%3“, vorher war es „%4“</translation>
    </message>
    <message>
        <source>a second run begins here: the file holds several</source>
        <translation>hier beginnt ein zweiter Lauf: die Datei enthält mehrere</translation>
    </message>
    <message>
        <source>a second run begins here before the first one&apos;s run_stop: the file holds several</source>
        <translation>hier beginnt ein zweiter Lauf vor dem run_stop des ersten: die Datei enthält mehrere</translation>
    </message>
    <message>
        <source>line %1: run_stop once more; the first one counts</source>
        <translation>Zeile %1: noch ein run_stop; der erste zählt</translation>
    </message>
    <message>
        <source>there is no run_start: the head of the log is missing</source>
        <translation>es gibt keinen run_start: der Anfang des Protokolls fehlt</translation>
    </message>
    <message>
        <source>system description</source>
        <translation>Systembeschreibung</translation>
    </message>
    <message>
        <source>batch sizes</source>
        <translation>Batchgrößen</translation>
    </message>
    <message>
        <source>%1 describes a cluster of %2 nodes, and the log does not say how many of them ran; give --accelerators</source>
        <translation>%1 beschreibt einen Cluster von %2 Knoten, und das Protokoll sagt nicht, wie viele davon liefen; geben Sie --accelerators an</translation>
    </message>
    <message>
        <source>the batch, %1, is that of one accelerator, and how many there were is not known; give --accelerators</source>
        <translation>der Batch, %1, ist der eines Beschleunigers, und wie viele es waren, ist nicht bekannt; geben Sie --accelerators an</translation>
    </message>
    <message>
        <source>the batch, %1, was taken as the global one: it is too large for one accelerator</source>
        <translation>der Batch, %1, wurde als globaler gewertet: für einen Beschleuniger ist er zu groß</translation>
    </message>
    <message>
        <source>The log has no run_start, so there is no time to train.</source>
        <translation>Das Protokoll hat keinen run_start, also gibt es keine Trainingszeit.</translation>
    </message>
    <message>
        <source>The log has no run_stop: the run was cut off or had not ended.</source>
        <translation>Das Protokoll hat keinen run_stop: Der Lauf wurde abgeschnitten oder war nicht zu Ende.</translation>
    </message>
    <message>
        <source>The log&apos;s run_stop is not later than its run_start.</source>
        <translation>Der run_stop des Protokolls liegt nicht nach seinem run_start.</translation>
    </message>
    <message>
        <source>The log says that the run did not succeed.</source>
        <translation>Das Protokoll sagt, dass der Lauf nicht erfolgreich war.</translation>
    </message>
    <message>
        <source>The log says &quot;%1&quot; at the end of the run.</source>
        <translation>Das Protokoll sagt am Ende des Laufs „%1“.</translation>
    </message>
    <message>
        <source>The log has no eval_accuracy.</source>
        <translation>Das Protokoll hat kein eval_accuracy.</translation>
    </message>
    <message>
        <source>The quality target, %1, was not reached: %2 is the best value.</source>
        <translation>Das Güteziel %1 wurde nicht erreicht: %2 ist der beste Wert.</translation>
    </message>
    <message>
        <source>The log does not say whether the run succeeded, and no target is known.</source>
        <translation>Das Protokoll sagt nicht, ob der Lauf erfolgreich war, und es ist kein Ziel bekannt.</translation>
    </message>
    <message>
        <source>record %1: %2</source>
        <translation>Eintrag %1: %2</translation>
    </message>
    <message>
        <source>the file holds no scalars</source>
        <translation>die Datei enthält keine Skalare</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is &quot;%2&quot;, which is no positive number</source>
        <translation>„%1“ ist „%2“, also keine positive Zahl</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is &quot;%2&quot;, which is no count</source>
        <translation>„%1“ ist „%2“, also keine Anzahl</translation>
    </message>
    <message>
        <source>Six workloads on 1, 4 and 8 GPUs of a DGX-1</source>
        <translation>Sechs Workloads auf 1, 4 und 8 GPUs einer DGX-1</translation>
    </message>
    <message>
        <source>Time to train from 4 to 128 GPUs, two accelerators</source>
        <translation>Trainingszeit von 4 bis 128 GPUs, zwei Beschleuniger</translation>
    </message>
    <message>
        <source>Scale-up against scale-out</source>
        <translation>Scale-up gegen Scale-out</translation>
    </message>
    <message>
        <source>Speedup over 1, 2 and 4 nodes</source>
        <translation>Speedup über 1, 2 und 4 Knoten</translation>
    </message>
    <message>
        <source>MLPerf v2.0, for each accelerator and at the largest scale</source>
        <translation>MLPerf v2.0, je Beschleuniger und im größten Maßstab</translation>
    </message>
    <message>
        <source>Computed from the public logs of MLPerf v0.5 to v2.0</source>
        <translation>Berechnet aus den öffentlichen Protokollen von MLPerf v0.5 bis v2.0</translation>
    </message>
    <message>
        <source>%1:%2: %3. Install Scalebench again.</source>
        <translation>%1:%2: %3. Installieren Sie Scalebench neu.</translation>
    </message>
    <message>
        <source>the columns are others than expected</source>
        <translation>die Spalten sind andere als erwartet</translation>
    </message>
    <message>
        <source>a known figure, a workload, a system and a source are expected</source>
        <translation>erwartet werden eine bekannte Abbildung, ein Workload, ein System und eine Quelle</translation>
    </message>
    <message>
        <source>Published results, for reference only: other implementations on other machines. MLPerf results are retrieved from the public logs and articles named as their source; what was computed from them is not verified by MLCommons Association. The MLPerf name and logo are registered and unregistered trademarks of MLCommons Association.</source>
        <translation>Veröffentlichte Ergebnisse, nur zum Vergleich: andere Implementierungen auf anderen Maschinen. MLPerf-Ergebnisse stammen aus den öffentlichen Protokollen und Artikeln, die als Quelle genannt sind; was daraus berechnet wurde, ist nicht von der MLCommons Association verifiziert. Name und Logo MLPerf sind eingetragene und nicht eingetragene Marken der MLCommons Association.</translation>
    </message>
    <message>
        <source>%1 batch %2</source>
        <translation>%1, Batch %2</translation>
    </message>
    <message>
        <source>No completed run has the benchmark and batch of a reference point: the file has %1.</source>
        <translation>Kein abgeschlossener Lauf hat Benchmark und Batch eines Referenzpunkts: Die Datei enthält %1.</translation>
    </message>
    <message>
        <source>%1: the record &quot;%2&quot; %3. Take the file from the public checker again.</source>
        <translation>%1: Der Eintrag „%2“ %3. Holen Sie die Datei noch einmal vom öffentlichen Prüfprogramm.</translation>
    </message>
    <message>
        <source>has no &quot;Benchmark&quot;, &quot;BS&quot; and &quot;Epochs to converge&quot;</source>
        <translation>hat kein „Benchmark“, „BS“ und „Epochs to converge“</translation>
    </message>
    <message>
        <source>has %1 among its epochs</source>
        <translation>hat %1 unter seinen Epochen</translation>
    </message>
    <message>
        <source>is one too many</source>
        <translation>ist einer zu viel</translation>
    </message>
    <message>
        <source>%1 is a bundle; --dry-run does not unpack it.</source>
        <translation>%1 ist ein Bündel; --dry-run entpackt es nicht.</translation>
    </message>
    <message>
        <source>skipped: %1</source>
        <translation>übersprungen: %1</translation>
    </message>
    <message>
        <source>The tag &quot;%1&quot; is longer than %2 characters or holds a control character.</source>
        <translation>Das Schlagwort „%1“ ist länger als %2 Zeichen oder enthält ein Steuerzeichen.</translation>
    </message>
    <message>
        <source>A study has at most %1 tags; these are %2.</source>
        <translation>Eine Studie hat höchstens %1 Schlagwörter; dies sind %2.</translation>
    </message>
    <message>
        <source>%1: the note of &quot;%2&quot; is longer than %3 characters.</source>
        <translation>%1: Die Notiz zu „%2“ ist länger als %3 Zeichen.</translation>
    </message>
    <message>
        <source>%1 has more than %2 studies.</source>
        <translation>%1 enthält mehr als %2 Studien.</translation>
    </message>
    <message>
        <source>%1: &quot;studies.%2&quot; must be an object, found %3.</source>
        <translation>%1: „studies.%2“ muss ein Objekt sein; gefunden: %3.</translation>
    </message>
    <message>
        <source>A note has at most %1 characters; this one has %2.</source>
        <translation>Eine Notiz hat höchstens %1 Zeichen; diese hat %2.</translation>
    </message>
    <message>
        <source>The library %1 is gone: it was moved or deleted, or its disk is not mounted. Bring it back, or choose another folder.</source>
        <translation>Die Bibliothek %1 ist weg: Sie wurde verschoben oder gelöscht, oder ihr Datenträger ist nicht eingehängt. Bringen Sie sie zurück, oder wählen Sie einen anderen Ordner.</translation>
    </message>
    <message>
        <source>The folder &quot;%1&quot; holds a line break or another control character. Choose another name.</source>
        <translation>Der Ordner „%1“ enthält einen Zeilenumbruch oder ein anderes Steuerzeichen. Wählen Sie einen anderen Namen.</translation>
    </message>
    <message>
        <source>%1 already holds a study. Choose another folder; &quot;scalebench results show %1&quot; shows what is there.</source>
        <translation>%1 enthält schon eine Studie. Wählen Sie einen anderen Ordner; „scalebench results show %1“ zeigt, was dort ist.</translation>
    </message>
    <message>
        <source>%1 is not empty. Choose a new or an empty folder for the results.</source>
        <translation>%1 ist nicht leer. Wählen Sie für die Ergebnisse einen neuen oder leeren Ordner.</translation>
    </message>
    <message>
        <source>%1 has only %2 MB left; a study needs at least %3 MB. Free some space or choose another folder.</source>
        <translation>%1 hat nur noch %2 MB; eine Studie braucht mindestens %3 MB. Schaffen Sie Platz, oder wählen Sie einen anderen Ordner.</translation>
    </message>
    <message>
        <source>The library %1 has no study yet.</source>
        <translation>Die Bibliothek %1 hat noch keine Studie.</translation>
    </message>
    <message>
        <source>There is no study &quot;%1&quot; in %2. &quot;scalebench results list&quot; shows all.</source>
        <translation>In %2 gibt es keine Studie „%1“. „scalebench results list“ zeigt alle.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; could be any of %2 studies. Give more of the id.</source>
        <translation>„%1“ könnte jede von %2 Studien sein. Geben Sie mehr von der Kennung an.</translation>
    </message>
    <message>
        <source>%1 could not be written: the disk is full. Free some space.</source>
        <translation>%1 konnte nicht geschrieben werden: Der Datenträger ist voll. Schaffen Sie Platz.</translation>
    </message>
    <message>
        <source>%1 could not be written. Choose another library folder or change its rights.</source>
        <translation>%1 konnte nicht geschrieben werden. Wählen Sie einen anderen Bibliotheksordner, oder ändern Sie seine Rechte.</translation>
    </message>
    <message>
        <source>The index of the library, %1, could not be used (%2). &quot;scalebench results rebuild&quot; makes it anew.</source>
        <translation>Der Index der Bibliothek, %1, war nicht zu gebrauchen (%2). „scalebench results rebuild“ erstellt ihn neu.</translation>
    </message>
    <message>
        <source>%1 is no ordinary file and could not be removed.</source>
        <translation>%1 ist keine gewöhnliche Datei und konnte nicht entfernt werden.</translation>
    </message>
    <message>
        <source>running, %1 of %2 done</source>
        <translation>läuft, %1 von %2 fertig</translation>
    </message>
    <message>
        <source>waiting, %1 of %2 done</source>
        <translation>wartet, %1 von %2 fertig</translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n run(s) completed</source>
        <translation>
            <numerusform>%1 von %n Lauf abgeschlossen</numerusform>
            <numerusform>%1 von %n Läufen abgeschlossen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation>
            <numerusform>%n Lauf</numerusform>
            <numerusform>%n Läufe</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 not converged</source>
        <translation>%1 nicht konvergiert</translation>
    </message>
    <message>
        <source>%1 failed</source>
        <translation>%1 fehlgeschlagen</translation>
    </message>
    <message>
        <source>%1 cancelled</source>
        <translation>%1 abgebrochen</translation>
    </message>
    <message>
        <source>%1 not run</source>
        <translation>%1 nicht gelaufen</translation>
    </message>
    <message>
        <source>%1 disturbed</source>
        <translation>%1 gestört</translation>
    </message>
    <message>
        <source>%1 is no study of the library %2, so it is not put away. Move its folder yourself.</source>
        <translation>%1 ist keine Studie der Bibliothek %2 und wird deshalb nicht weggelegt. Verschieben Sie den Ordner selbst.</translation>
    </message>
    <message>
        <source>%1/%2/trash.json is damaged.</source>
        <translation>%1/%2/trash.json ist beschädigt.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is being worked on. Stop it first, or let it end.</source>
        <translation>An „%1“ wird gearbeitet. Halten Sie die Studie zuerst an, oder lassen Sie sie enden.</translation>
    </message>
    <message>
        <source>%1 is there again, so the one of the trash stays where it is: %2.</source>
        <translation>%1 gibt es wieder, deshalb bleibt die aus dem Papierkorb, wo sie ist: %2.</translation>
    </message>
    <message>
        <source>There is no study &quot;%1&quot; in the trash of %2. &quot;scalebench results trash&quot; lists what is.</source>
        <translation>Im Papierkorb von %2 gibt es keine Studie „%1“. „scalebench results trash“ zeigt, was dort ist.</translation>
    </message>
    <message>
        <source>%1 could not be deleted whole. Look at its permissions.</source>
        <translation>%1 konnte nicht vollständig gelöscht werden. Sehen Sie die Rechte nach.</translation>
    </message>
    <message>
        <source>%1 memory, %2 available</source>
        <translation>%1 Arbeitsspeicher, %2 verfügbar</translation>
    </message>
    <message>
        <source>Close other programs: a worker needs several hundred MiB.</source>
        <translation>Schließen Sie andere Programme: Ein Worker braucht mehrere hundert MiB.</translation>
    </message>
    <message>
        <source>This build is made with CUDA %1 and needs NVIDIA driver %2 or newer.</source>
        <translation>Dieses Programm ist mit CUDA %1 gebaut und braucht den NVIDIA-Treiber %2 oder neuer.</translation>
    </message>
    <message>
        <source>CUDA cannot be used: %1.</source>
        <translation>CUDA ist nicht benutzbar: %1.</translation>
    </message>
    <message>
        <source>Training runs on the processors (--device cpu). With an NVIDIA GPU, its driver and the CUDA toolkit here, packaging/quickstart builds for that GPU (README, Building for GPUs).</source>
        <translation>Trainiert wird auf den Prozessoren (--device cpu). Mit einer NVIDIA-GPU, ihrem Treiber und dem CUDA-Toolkit baut packaging/quickstart hier für diese GPU (README, Building for GPUs).</translation>
    </message>
    <message>
        <source>mpirun was not found in PATH</source>
        <translation>mpirun wurde nicht in PATH gefunden</translation>
    </message>
    <message>
        <source>Open MPI %1 (%2)</source>
        <translation>Open MPI %1 (%2)</translation>
    </message>
    <message>
        <source>Open MPI %1 (%2): Scalebench was tried with 4.1 and 5.0 only</source>
        <translation>Open MPI %1 (%2): Scalebench wurde nur mit 4.1 und 5.0 erprobt</translation>
    </message>
    <message>
        <source>Where runs do not start, install Open MPI 4.1 or 5.0 and put it first in PATH.</source>
        <translation>Wo Läufe nicht starten, installieren Sie Open MPI 4.1 oder 5.0 und setzen Sie es in PATH an den Anfang.</translation>
    </message>
    <message>
        <source>scalebench-engine was not found beside this program or in PATH</source>
        <translation>scalebench-engine wurde weder neben diesem Programm noch in PATH gefunden</translation>
    </message>
    <message>
        <source>Build it (cmake option SCALEBENCH_ENGINE) or name it in SCALEBENCH_ENGINE.</source>
        <translation>Bauen Sie sie (cmake-Option SCALEBENCH_ENGINE), oder nennen Sie sie in SCALEBENCH_ENGINE.</translation>
    </message>
    <message>
        <source>engine %1 (%2)</source>
        <translation>Engine %1 (%2)</translation>
    </message>
    <message>
        <source>the engine names no backend</source>
        <translation>die Engine nennt kein Backend</translation>
    </message>
    <message>
        <source>Install matching versions of scalebench and scalebench-engine.</source>
        <translation>Installieren Sie zusammengehörige Versionen von scalebench und scalebench-engine.</translation>
    </message>
    <message>
        <source>%1 cannot be written</source>
        <translation>%1 ist nicht beschreibbar</translation>
    </message>
    <message>
        <source>Choose another folder with --library DIR or change its rights.</source>
        <translation>Wählen Sie mit --library ORDNER einen anderen Ordner, oder ändern Sie seine Rechte.</translation>
    </message>
    <message>
        <source>%1 free for results in %2</source>
        <translation>%1 frei für Ergebnisse in %2</translation>
    </message>
    <message>
        <source>Free some space or choose another folder with --library DIR.</source>
        <translation>Schaffen Sie Platz, oder wählen Sie mit --library ORDNER einen anderen Ordner.</translation>
    </message>
    <message>
        <source>Free some space before training on a large data set.</source>
        <translation>Schaffen Sie Platz, bevor Sie mit einem großen Datensatz trainieren.</translation>
    </message>
    <message>
        <source>/dev/shm cannot be written</source>
        <translation>/dev/shm ist nicht beschreibbar</translation>
    </message>
    <message>
        <source>Workers exchange gradients there: mount a tmpfs on /dev/shm.</source>
        <translation>Dort tauschen Worker Gradienten aus: Hängen Sie ein tmpfs unter /dev/shm ein.</translation>
    </message>
    <message>
        <source>%1 shared memory free in /dev/shm</source>
        <translation>%1 gemeinsamer Speicher frei in /dev/shm</translation>
    </message>
    <message>
        <source>In a container start it with a larger --shm-size, for example --shm-size=1g.</source>
        <translation>Starten Sie einen Container mit größerem --shm-size, zum Beispiel --shm-size=1g.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; in the list of hosts is not understood: %2</source>
        <translation>„%1“ in der Hostliste ist nicht verständlich: %2</translation>
    </message>
    <message>
        <source>its brackets do not match. Write for example gpu[01-04].</source>
        <translation>Die Klammern passen nicht zueinander. Schreiben Sie zum Beispiel gpu[01-04].</translation>
    </message>
    <message>
        <source>the closing &quot;]&quot; is missing. Write for example gpu[01-04].</source>
        <translation>Die schließende „]“ fehlt. Schreiben Sie zum Beispiel gpu[01-04].</translation>
    </message>
    <message>
        <source>&quot;%1&quot; in the brackets is no number or range such as 01-04.</source>
        <translation>„%1“ in den Klammern ist keine Zahl und kein Bereich wie 01-04.</translation>
    </message>
    <message>
        <source>the range %1 goes backwards.</source>
        <translation>Der Bereich %1 läuft rückwärts.</translation>
    </message>
    <message>
        <source>the range %1 has more than %2 hosts.</source>
        <translation>Der Bereich %1 hat mehr als %2 Hosts.</translation>
    </message>
    <message>
        <source>it stands for more than %1 hosts.</source>
        <translation>Es steht für mehr als %1 Hosts.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not a number of slots. Write e.g. %2:8.</source>
        <translation>„%1“ ist keine Anzahl von Slots. Schreiben Sie z. B. %2:8.</translation>
    </message>
    <message>
        <source>the list has more than %1 hosts.</source>
        <translation>Die Liste hat mehr als %1 Hosts.</translation>
    </message>
    <message>
        <source>The file begins with a byte order mark, which Open MPI does not understand.</source>
        <translation>Die Datei beginnt mit einer Byte-Reihenfolge-Marke (BOM), die Open MPI nicht versteht.</translation>
    </message>
    <message>
        <source>This is not a text file in UTF-8. Save it as plain text.</source>
        <translation>Dies ist keine Textdatei in UTF-8. Speichern Sie sie als reinen Text.</translation>
    </message>
    <message>
        <source>The file has Windows line ends, which Open MPI does not understand.</source>
        <translation>Die Datei hat Windows-Zeilenenden, die Open MPI nicht versteht.</translation>
    </message>
    <message>
        <source>Line %1: %2</source>
        <translation>Zeile %1: %2</translation>
    </message>
    <message>
        <source>There is no host in it: the file is empty.</source>
        <translation>Darin steht kein Host: Die Datei ist leer.</translation>
    </message>
    <message>
        <source>There is no host in it: its only line is a comment.</source>
        <translation>Darin steht kein Host: Die einzige Zeile ist ein Kommentar.</translation>
    </message>
    <message>
        <source>There is no host in it: its only line is empty.</source>
        <translation>Darin steht kein Host: Die einzige Zeile ist leer.</translation>
    </message>
    <message>
        <source>There is no host in it: all %1 lines are comments or empty.</source>
        <translation>Darin steht kein Host: Alle %1 Zeilen sind Kommentare oder leer.</translation>
    </message>
    <message>
        <source>There is no host in it: all %1 lines are empty.</source>
        <translation>Darin steht kein Host: Alle %1 Zeilen sind leer.</translation>
    </message>
    <message>
        <source>%1 is listed twice (first in line %2): %3 + %4 = %5 slots.</source>
        <translation>%1 steht zweimal da (zuerst in Zeile %2): %3 + %4 = %5 Slots.</translation>
    </message>
    <message>
        <source>The file has more than %1 hosts.</source>
        <translation>Die Datei hat mehr als %1 Hosts.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; (a host left out or counted from another list) is not supported. Write the names of the hosts that take part.</source>
        <translation>„%1“ (ein ausgelassener oder aus einer anderen Liste gezählter Host) wird nicht unterstützt. Schreiben Sie die Namen der Hosts, die teilnehmen.</translation>
    </message>
    <message>
        <source>the host&apos;s name is missing before &quot;%1&quot;.</source>
        <translation>Vor „%1“ fehlt der Name des Hosts.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is no host name. Write e.g. %2 slots=8.</source>
        <translation>„%1“ ist kein Hostname. Schreiben Sie z. B. %2 slots=8.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not known to Open MPI in a hostfile. Write %2 slots=%3.</source>
        <translation>„%1“ kennt Open MPI in einer Hostdatei nicht. Schreiben Sie %2 slots=%3.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; says nothing to Open MPI. Write %2 slots=%1.</source>
        <translation>„%1“ sagt Open MPI nichts. Schreiben Sie %2 slots=%1.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not understood: one host per line, then settings such as slots=8.</source>
        <translation>„%1“ ist nicht verständlich: je Zeile ein Host, dann Angaben wie slots=8.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not a number of slots. Write e.g. %2 %3=8.</source>
        <translation>„%1“ ist keine Anzahl von Slots. Schreiben Sie z. B. %2 %3=8.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not a number. Write e.g. %2 %3=8.</source>
        <translation>„%1“ ist keine Zahl. Schreiben Sie z. B. %2 %3=8.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not known to Open MPI.</source>
        <translation>„%1“ kennt Open MPI nicht.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not known to Open MPI (did you mean %2=%3?).</source>
        <translation>„%1“ kennt Open MPI nicht (meinten Sie %2=%3?).</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is less than slots=%2, which Open MPI refuses.</source>
        <translation>„%1“ ist weniger als slots=%2, was Open MPI ablehnt.</translation>
    </message>
    <message>
        <source>The hostfile %1 is a folder. Choose a file.</source>
        <translation>Die Hostdatei %1 ist ein Ordner. Wählen Sie eine Datei.</translation>
    </message>
    <message>
        <source>The hostfile %1 has more than 16 MiB; that is no hostfile.</source>
        <translation>Die Hostdatei %1 hat mehr als 16 MiB; das ist keine Hostdatei.</translation>
    </message>
    <message>
        <source>The hostfile %1</source>
        <translation>Die Hostdatei %1</translation>
    </message>
    <message>
        <source>%1: the key &quot;format&quot; is missing; &quot;%2&quot; is expected.</source>
        <translation>%1: Der Schlüssel „format“ fehlt; erwartet wird „%2“.</translation>
    </message>
    <message>
        <source>%1: &quot;machines&quot; must be a list, found %2.</source>
        <translation>%1: „machines“ muss eine Liste sein; gefunden: %2.</translation>
    </message>
    <message>
        <source>%1: &quot;machines&quot; must be a list of objects, found %2 in it.</source>
        <translation>%1: „machines“ muss eine Liste von Objekten sein; darin gefunden: %2.</translation>
    </message>
    <message>
        <source>%1: target machine &quot;%2&quot;: %3</source>
        <translation>%1: Zielmaschine „%2“: %3</translation>
    </message>
    <message>
        <source>%1: the target machine &quot;%2&quot; is there twice.</source>
        <translation>%1: Die Zielmaschine „%2“ steht zweimal da.</translation>
    </message>
    <message>
        <source>The file of target machines is damaged: %1</source>
        <translation>Die Datei der Zielmaschinen ist beschädigt: %1</translation>
    </message>
    <message>
        <source>The file of target machines was damaged and is kept as %1; the list is empty now. %2</source>
        <translation>Die Datei der Zielmaschinen war beschädigt und liegt nun als %1 daneben; die Liste ist jetzt leer. %2</translation>
    </message>
    <message>
        <source>%1 is being changed by another program. Try again.</source>
        <translation>%1 wird gerade von einem anderen Programm geändert. Versuchen Sie es noch einmal.</translation>
    </message>
    <message>
        <source>There is no target machine &quot;%1&quot;%2.</source>
        <translation>Es gibt keine Zielmaschine „%1“%2.</translation>
    </message>
    <message>
        <source>&quot;local&quot; is always this computer and keeps its name.</source>
        <translation>„local“ ist immer dieser Rechner und behält seinen Namen.</translation>
    </message>
    <message>
        <source>There is a target machine &quot;%1&quot; already.</source>
        <translation>Eine Zielmaschine „%1“ gibt es schon.</translation>
    </message>
    <message>
        <source>&quot;local&quot; is this computer, which is always there.</source>
        <translation>„local“ ist dieser Rechner, der immer da ist.</translation>
    </message>
    <message>
        <source>mpirun found fewer processors than workers. Use fewer workers or allow more than processors.</source>
        <translation>mpirun fand weniger Prozessoren als Worker. Nehmen Sie weniger Worker, oder erlauben Sie mehr als Prozessoren.</translation>
    </message>
    <message>
        <source>The engine could not be started: the program cannot be executed.</source>
        <translation>Die Engine konnte nicht gestartet werden: Das Programm ist nicht ausführbar.</translation>
    </message>
    <message>
        <source>The engine could not be started: the program was not found.</source>
        <translation>Die Engine konnte nicht gestartet werden: Das Programm wurde nicht gefunden.</translation>
    </message>
    <message>
        <source>The engine could not be started: it was built for another kind of computer.</source>
        <translation>Die Engine konnte nicht gestartet werden: Sie ist für eine andere Rechnerart gebaut.</translation>
    </message>
    <message>
        <source>mpirun refuses to run as root.</source>
        <translation>mpirun läuft nicht als root.</translation>
    </message>
    <message>
        <source>This mpirun does not know an option it was given.</source>
        <translation>Dieses mpirun kennt eine übergebene Option nicht.</translation>
    </message>
    <message>
        <source>A part of Open MPI is missing, or its version is not the one that was asked.</source>
        <translation>Ein Teil von Open MPI fehlt, oder seine Version ist nicht die befragte.</translation>
    </message>
    <message>
        <source>mpirun found no way to start processes on other hosts.</source>
        <translation>mpirun fand keinen Weg, auf anderen Hosts Prozesse zu starten.</translation>
    </message>
    <message>
        <source>no GPUs per node are asked for in the target machine</source>
        <translation>die Zielmaschine verlangt keine GPUs je Knoten</translation>
    </message>
    <message>
        <source>There is no target machine &quot;%1&quot;%2. Known: %3. Add one with &quot;scalebench machines add&quot;.</source>
        <translation>Es gibt keine Zielmaschine „%1“%2. Bekannt: %3. Fügen Sie eine mit „scalebench machines add“ hinzu.</translation>
    </message>
    <message>
        <source>%1: the kind &quot;%2&quot; of the target machine &quot;%3&quot; is not known%4. Possible are local, ssh, login and slurm.</source>
        <translation>%1: Die Art „%2“ der Zielmaschine „%3“ ist nicht bekannt%4. Möglich sind local, ssh, login und slurm.</translation>
    </message>
    <message>
        <source>The target machine needs a name.</source>
        <translation>Die Zielmaschine braucht einen Namen.</translation>
    </message>
    <message>
        <source>The name &quot;%1&quot; holds a line break or another control character.</source>
        <translation>Der Name „%1“ enthält einen Zeilenumbruch oder ein anderes Steuerzeichen.</translation>
    </message>
    <message>
        <source>The name &quot;%1&quot; is longer than 100 characters.</source>
        <translation>Der Name „%1“ ist länger als 100 Zeichen.</translation>
    </message>
    <message>
        <source>The name &quot;%1&quot; may not begin or end with a blank or begin with &quot;-&quot;.</source>
        <translation>Der Name „%1“ darf nicht mit einem Leerzeichen beginnen oder enden und nicht mit „-“ beginnen.</translation>
    </message>
    <message>
        <source>The name &quot;%1&quot; may not have &quot;/&quot; in it or begin with &quot;.&quot;.</source>
        <translation>Der Name „%1“ darf kein „/“ enthalten und nicht mit „.“ beginnen.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; cannot be %2. Write for example %3.</source>
        <translation>„%1“ kann nicht %2 sein. Schreiben Sie zum Beispiel %3.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is no name of an environment variable: letters, digits and &quot;_&quot; only.</source>
        <translation>„%1“ ist kein Name einer Umgebungsvariable: nur Buchstaben, Ziffern und „_“.</translation>
    </message>
    <message>
        <source>Write &quot;%1&quot; instead of &quot;%2&quot;: the beginning %3 is added.</source>
        <translation>Schreiben Sie „%1“ statt „%2“: Der Anfang %3 wird ergänzt.</translation>
    </message>
    <message>
        <source>The value of %1%2 holds a line break or another control character.</source>
        <translation>Der Wert von %1%2 enthält einen Zeilenumbruch oder ein anderes Steuerzeichen.</translation>
    </message>
    <message>
        <source>The %1 &quot;%2&quot; must begin with / or ~/.</source>
        <translation>%1 „%2“ muss mit / oder ~/ beginnen.</translation>
    </message>
    <message>
        <source>The %1 &quot;%2&quot; may not have &quot;..&quot; in it.</source>
        <translation>%1 „%2“ darf kein „..“ enthalten.</translation>
    </message>
    <message>
        <source>The folder &quot;%1&quot; may not have &quot;:&quot; in it: programs are looked for in it, and &quot;:&quot; separates such folders.</source>
        <translation>Der Ordner „%1“ darf kein „:“ enthalten: Darin werden Programme gesucht, und „:“ trennt solche Ordner.</translation>
    </message>
    <message>
        <source>The Open MPI folder &quot;%1&quot; may have letters, digits and _./+@%,=- only: mpirun cannot use others on hosts. Make a link with a plain name.</source>
        <translation>Der Open-MPI-Ordner „%1“ darf nur Buchstaben, Ziffern und _./+@%,=- haben: Andere kann mpirun auf Hosts nicht benutzen. Legen Sie einen Link mit einfachem Namen an.</translation>
    </message>
    <message>
        <source>Open MPI folder</source>
        <translation>Open-MPI-Ordner</translation>
    </message>
    <message>
        <source>The %1 &quot;%2&quot; must be a whole path, beginning with /.</source>
        <translation>%1 „%2“ muss ein ganzer Pfad sein, der mit / beginnt.</translation>
    </message>
    <message>
        <source>an account</source>
        <translation>ein Konto</translation>
    </message>
    <message>
        <source>a time limit</source>
        <translation>ein Zeitlimit</translation>
    </message>
    <message>
        <source>GPUs per node must be 0 to 1024.</source>
        <translation>GPUs je Knoten: 0 bis 1024.</translation>
    </message>
    <message>
        <source>The Slurm option &quot;%1&quot; holds a line break or another control character.</source>
        <translation>Die Slurm-Option „%1“ enthält einen Zeilenumbruch oder ein anderes Steuerzeichen.</translation>
    </message>
    <message>
        <source>The Slurm option &quot;%1&quot; must begin with &quot;-&quot; and be one word, for example --constraint=a100.</source>
        <translation>Die Slurm-Option „%1“ muss mit „-“ beginnen und ein Wort sein, zum Beispiel --constraint=a100.</translation>
    </message>
    <message>
        <source>The Slurm option --wrap cannot be used: the job&apos;s script is written by this program.</source>
        <translation>Die Slurm-Option --wrap ist nicht benutzbar: Das Jobskript schreibt dieses Programm.</translation>
    </message>
    <message>
        <source>Give either a list of hosts or a hostfile, not both.</source>
        <translation>Geben Sie entweder eine Hostliste oder eine Hostdatei an, nicht beides.</translation>
    </message>
    <message>
        <source>Slurm chooses the hosts; to name some, add the Slurm option --nodelist=node1,node2.</source>
        <translation>Slurm wählt die Hosts; um bestimmte zu nennen, fügen Sie die Slurm-Option --nodelist=node1,node2 hinzu.</translation>
    </message>
    <message>
        <source>The kind &quot;local&quot; is this computer alone. For other hosts choose &quot;ssh&quot; (reached from here) or &quot;login&quot; (behind a login node).</source>
        <translation>Die Art „local“ ist nur dieser Rechner. Wählen Sie für andere Hosts „ssh“ (von hier erreichbar) oder „login“ (hinter einem Login-Knoten).</translation>
    </message>
    <message>
        <source>Which hosts? Give a list such as node1:8,node2:8, or an Open MPI hostfile.</source>
        <translation>Welche Hosts? Geben Sie eine Liste wie node1:8,node2:8 oder eine Hostdatei von Open MPI an.</translation>
    </message>
    <message>
        <source>&quot;local&quot; is always this computer; choose another name.</source>
        <translation>„local“ ist immer dieser Rechner; wählen Sie einen anderen Namen.</translation>
    </message>
    <message>
        <source>Which login node? Give its ssh name, for example login.cluster.example.</source>
        <translation>Welcher Login-Knoten? Geben Sie seinen ssh-Namen an, zum Beispiel login.cluster.example.</translation>
    </message>
    <message>
        <source>A login node belongs to the kinds &quot;login&quot; and &quot;slurm&quot; only. For a host in between, use the jump host.</source>
        <translation>Ein Login-Knoten gehört nur zu den Arten „login“ und „slurm“. Nehmen Sie für einen Host dazwischen den Sprunghost.</translation>
    </message>
    <message>
        <source>a login node</source>
        <translation>ein Login-Knoten</translation>
    </message>
    <message>
        <source>a user name</source>
        <translation>ein Benutzername</translation>
    </message>
    <message>
        <source>ssh config file</source>
        <translation>ssh-Konfigurationsdatei</translation>
    </message>
    <message>
        <source>data folder</source>
        <translation>Datenordner</translation>
    </message>
    <message>
        <source>a network interface</source>
        <translation>eine Netzwerkschnittstelle</translation>
    </message>
    <message>
        <source>The folder on the hosts is empty. Usual is ~/.local/share/scalebench.</source>
        <translation>Der Ordner auf den Hosts ist leer. Üblich ist ~/.local/share/scalebench.</translation>
    </message>
    <message>
        <source>the NVIDIA driver is not loaded (no /proc/driver/nvidia/version)</source>
        <translation>der NVIDIA-Treiber ist nicht geladen (kein /proc/driver/nvidia/version)</translation>
    </message>
    <message>
        <source>/dev/nvidiactl may not be opened (no rights, or a container without GPU access)</source>
        <translation>/dev/nvidiactl darf nicht geöffnet werden (keine Rechte, oder ein Container ohne GPU-Zugriff)</translation>
    </message>
    <message>
        <source>the engine has no CUDA plug-in beside it (libscalebench_cuda.so)</source>
        <translation>neben der Engine liegt kein CUDA-Plug-in (libscalebench_cuda.so)</translation>
    </message>
    <message>
        <source>; and </source>
        <translation>; und </translation>
    </message>
    <message>
        <source>%1 has not answered for %2 s.</source>
        <translation>%1 antwortet seit %2 s nicht.</translation>
    </message>
    <message>
        <source>ssh was not found on this computer. Install an OpenSSH client (Debian, Ubuntu: apt install openssh-client).</source>
        <translation>ssh wurde auf diesem Rechner nicht gefunden. Installieren Sie einen OpenSSH-Client (Debian, Ubuntu: apt install openssh-client).</translation>
    </message>
    <message>
        <source>The connection to %1 ended (exit code %2)%3</source>
        <translation>Die Verbindung zu %1 endete (Exit-Code %2)%3</translation>
    </message>
    <message>
        <source>%1 sent something that Scalebench does not understand. Does a login script there (.bashrc) print text? It must not when nobody is at a terminal.</source>
        <translation>%1 hat etwas gesendet, das Scalebench nicht versteht. Gibt dort ein Anmeldeskript (.bashrc) Text aus? Ohne Terminal darf es das nicht.</translation>
    </message>
    <message>
        <source>The study is no longer on %1 (%2): somebody removed it there. What was copied here is kept.</source>
        <translation>Die Studie ist nicht mehr auf %1 (%2): Jemand hat sie dort entfernt. Was hierher kopiert wurde, bleibt.</translation>
    </message>
    <message>
        <source>%1 sent more than a study may have (%2 MB in %3 files); the copy is not continued. Look at %4 there.</source>
        <translation>%1 hat mehr gesendet, als eine Studie haben darf (%2 MB in %3 Dateien); die Kopie wird nicht fortgesetzt. Sehen Sie dort %4 an.</translation>
    </message>
    <message>
        <source>%1 sent a file named &quot;%2&quot;, which has no place in a study.</source>
        <translation>%1 hat eine Datei namens „%2“ gesendet, die in einer Studie nichts zu suchen hat.</translation>
    </message>
    <message>
        <source>%1 is a link; nothing is written through it. Remove it.</source>
        <translation>%1 ist ein Link; hindurch wird nichts geschrieben. Entfernen Sie ihn.</translation>
    </message>
    <message>
        <source>The copy of %1 is out of step; it is compared anew.</source>
        <translation>Die Kopie von %1 ist nicht mehr im Gleichstand; sie wird neu verglichen.</translation>
    </message>
    <message>
        <source>%1/%2 is missing or damaged, so the study was not sent to %3.</source>
        <translation>%1/%2 fehlt oder ist beschädigt, deshalb wurde die Studie nicht an %3 gesendet.</translation>
    </message>
    <message>
        <source>%1 did not send all of it.</source>
        <translation>%1 hat nicht alles davon gesendet.</translation>
    </message>
    <message>
        <source>%1 did not tell what the run left there.</source>
        <translation>%1 hat nicht gesagt, was der Lauf dort hinterließ.</translation>
    </message>
    <message>
        <source>%1 could not be written to.</source>
        <translation>Auf %1 konnte nicht geschrieben werden.</translation>
    </message>
    <message>
        <source>%1 has a checkpoint of this run that could not be copied here, so the run was not resumed and nothing was removed there. %2</source>
        <translation>%1 hat einen Checkpoint dieses Laufs, der nicht hierher kopiert werden konnte; deshalb wurde der Lauf nicht fortgesetzt und dort nichts entfernt. %2</translation>
    </message>
    <message>
        <source>%1 cannot be reached now: what it has beyond that is fetched when the run is resumed.</source>
        <translation>%1 ist jetzt nicht erreichbar: Was es darüber hinaus hat, wird geholt, wenn der Lauf fortgesetzt wird.</translation>
    </message>
    <message>
        <source>More of it lies on %1 and is fetched when the run is resumed (%2)</source>
        <translation>Mehr davon liegt auf %1 und wird geholt, wenn der Lauf fortgesetzt wird (%2)</translation>
    </message>
    <message>
        <source>%1 is no usable engine bundle: %2</source>
        <translation>%1 ist kein brauchbares Engine-Paket: %2</translation>
    </message>
    <message>
        <source>it is not a tar archive.</source>
        <translation>Es ist kein tar-Archiv.</translation>
    </message>
    <message>
        <source>an entry has no proper size.</source>
        <translation>Ein Eintrag hat keine gültige Größe.</translation>
    </message>
    <message>
        <source>it has a name longer than 4096 bytes.</source>
        <translation>Es enthält einen Namen von mehr als 4096 Bytes.</translation>
    </message>
    <message>
        <source>it holds extended headers, which Scalebench&apos;s own bundles do not.</source>
        <translation>Es enthält erweiterte Kopfdaten, die Scalebench-Pakete nicht haben.</translation>
    </message>
    <message>
        <source>it unpacks to more than any engine has.</source>
        <translation>Entpackt wäre es größer als jede Engine.</translation>
    </message>
    <message>
        <source>its entry &quot;%1&quot; lies outside of its folder.</source>
        <translation>Sein Eintrag „%1“ liegt außerhalb seines Ordners.</translation>
    </message>
    <message>
        <source>its entries do not lie in one folder (&quot;%1&quot; and &quot;%2&quot;).</source>
        <translation>Seine Einträge liegen nicht in einem Ordner („%1“ und „%2“).</translation>
    </message>
    <message>
        <source>its link &quot;%1&quot; leads to &quot;%2&quot;, outside of its folder.</source>
        <translation>Sein Link „%1“ führt nach „%2“, außerhalb seines Ordners.</translation>
    </message>
    <message>
        <source>its entry &quot;%1&quot; is neither a file nor a folder nor a link.</source>
        <translation>Sein Eintrag „%1“ ist weder Datei noch Ordner noch Link.</translation>
    </message>
    <message>
        <source>it is damaged or no gzip archive.</source>
        <translation>Es ist beschädigt oder kein gzip-Archiv.</translation>
    </message>
    <message>
        <source>it has no manifest.json.</source>
        <translation>Es hat keine manifest.json.</translation>
    </message>
    <message>
        <source>its manifest.json is of another kind.</source>
        <translation>Seine manifest.json ist von anderer Art.</translation>
    </message>
    <message>
        <source>it was made for a newer Scalebench. Update this one.</source>
        <translation>Es wurde für ein neueres Scalebench gemacht. Aktualisieren Sie dieses.</translation>
    </message>
    <message>
        <source>its manifest.json lacks a version or a content_id.</source>
        <translation>In seiner manifest.json fehlt version oder content_id.</translation>
    </message>
    <message>
        <source>There is no engine bundle %1. Make one with packaging/bundle, or take that of the release.</source>
        <translation>Es gibt kein Engine-Paket %1. Erstellen Sie eines mit packaging/bundle, oder nehmen Sie das der Veröffentlichung.</translation>
    </message>
    <message>
        <source>%1 did not answer within %2 s.</source>
        <translation>%1 antwortete nicht innerhalb von %2 s.</translation>
    </message>
    <message>
        <source>The host key of %1 is known already.</source>
        <translation>Der Hostschlüssel von %1 ist schon bekannt.</translation>
    </message>
    <message>
        <source>ssh could not connect to %1.</source>
        <translation>ssh konnte keine Verbindung zu %1 herstellen.</translation>
    </message>
    <message>
        <source>The ssh config keeps no known hosts for %1 (UserKnownHostsFile), so its key cannot be accepted.</source>
        <translation>Die ssh-Konfiguration merkt sich für %1 keine bekannten Hosts (UserKnownHostsFile), deshalb kann der Schlüssel nicht angenommen werden.</translation>
    </message>
    <message>
        <source>%1 did not show its host key.</source>
        <translation>%1 hat seinen Hostschlüssel nicht gezeigt.</translation>
    </message>
    <message>
        <source>The fingerprint of %1&apos;s key could not be computed.</source>
        <translation>Der Fingerabdruck des Schlüssels von %1 konnte nicht berechnet werden.</translation>
    </message>
    <message>
        <source>Bring all hosts to one build: %1</source>
        <translation>Bringen Sie alle Hosts auf denselben Build: %1</translation>
    </message>
    <message>
        <source>%1 has another build of the engine (%2) than %3 (%4). Runs would hang or give wrong timings.</source>
        <translation>%1 hat einen anderen Build der Engine (%2) als %3 (%4). Läufe würden hängen oder falsche Zeiten liefern.</translation>
    </message>
    <message>
        <source>%1 has engine %2, %3 has %4. Runs would hang or give wrong timings.</source>
        <translation>%1 hat Engine %2, %3 hat %4. Läufe würden hängen oder falsche Zeiten liefern.</translation>
    </message>
    <message>
        <source>%1 has Open MPI %2, %3 has %4: they do not understand each other.</source>
        <translation>%1 hat Open MPI %2, %3 hat %4: Sie verstehen einander nicht.</translation>
    </message>
    <message>
        <source>Use the same series everywhere; leave the Open MPI folder empty to use that of the engine.</source>
        <translation>Nehmen Sie überall dieselbe Reihe; lassen Sie den Open-MPI-Ordner leer, um den der Engine zu benutzen.</translation>
    </message>
    <message>
        <source>%1 has NCCL %2, %3 has %4. Runs would hang or give wrong timings.</source>
        <translation>%1 hat NCCL %2, %3 hat %4. Läufe würden hängen oder falsche Zeiten liefern.</translation>
    </message>
    <message>
        <source>Install the same NCCL on all hosts.</source>
        <translation>Installieren Sie auf allen Hosts dieselbe NCCL-Version.</translation>
    </message>
    <message>
        <source>%1 has driver %2, %3 has %4: timings may differ.</source>
        <translation>%1 hat Treiber %2, %3 hat %4: Die Zeiten können sich unterscheiden.</translation>
    </message>
    <message>
        <source>Install the same NVIDIA driver on all hosts.</source>
        <translation>Installieren Sie auf allen Hosts denselben NVIDIA-Treiber.</translation>
    </message>
    <message>
        <source>The data set on %1 differs from that on %2: %3 files with %4 bytes instead of %5 with %6.</source>
        <translation>Der Datensatz auf %1 ist anders als der auf %2: %3 Dateien mit %4 Bytes statt %5 mit %6.</translation>
    </message>
    <message>
        <source>Copy it again from %1, or use synthetic data.</source>
        <translation>Kopieren Sie ihn noch einmal von %1, oder nehmen Sie synthetische Daten.</translation>
    </message>
    <message>
        <source>%1 and %2 are the same computer (%3).</source>
        <translation>%1 und %2 sind derselbe Rechner (%3).</translation>
    </message>
    <message>
        <source>List it once, with the slots of both.</source>
        <translation>Führen Sie ihn einmal auf, mit den Slots beider.</translation>
    </message>
    <message>
        <source>one host</source>
        <translation>ein Host</translation>
    </message>
    <message>
        <source>%1 has no network in common with all other hosts (%2).</source>
        <translation>%1 hat kein Netz mit allen anderen Hosts gemeinsam (%2).</translation>
    </message>
    <message>
        <source>If they reach each other all the same, name the interface or subnet in the target machine.</source>
        <translation>Wenn sie sich trotzdem erreichen, nennen Sie Schnittstelle oder Subnetz in der Zielmaschine.</translation>
    </message>
    <message>
        <source>not on any other host either</source>
        <translation>auch auf keinem anderen Host</translation>
    </message>
    <message>
        <source>only on %1</source>
        <translation>nur auf %1</translation>
    </message>
    <message>
        <source>only on %1 other hosts</source>
        <translation>nur auf %1 anderen Hosts</translation>
    </message>
    <message>
        <source>%1 has no network interface with an address in &quot;%2&quot;; it is there %3.</source>
        <translation>%1 hat keine Netzwerkschnittstelle mit einer Adresse in „%2“; es gibt sie dort %3.</translation>
    </message>
    <message>
        <source>Choose another one for the target machine; %1 has %2.</source>
        <translation>Wählen Sie für die Zielmaschine eine andere; %1 hat %2.</translation>
    </message>
    <message>
        <source>Correct the name, or add an entry &quot;Host %1&quot; to the ssh config.</source>
        <translation>Berichtigen Sie den Namen, oder fügen Sie der ssh-Konfiguration einen Eintrag „Host %1“ hinzu.</translation>
    </message>
    <message>
        <source>Look at its key and accept it: check again with --trust</source>
        <translation>Sehen Sie den Schlüssel an und nehmen Sie ihn an: noch einmal prüfen mit --trust</translation>
    </message>
    <message>
        <source>Look at its key and accept it: scalebench machines check %1 --trust</source>
        <translation>Sehen Sie den Schlüssel an und nehmen Sie ihn an: scalebench machines check %1 --trust</translation>
    </message>
    <message>
        <source>Copy your key there: ssh-copy-id %1; or load it into the agent: ssh-add</source>
        <translation>Kopieren Sie Ihren Schlüssel dorthin: ssh-copy-id %1; oder laden Sie ihn in den Agenten: ssh-add</translation>
    </message>
    <message>
        <source>Install an OpenSSH client (Debian, Ubuntu: apt install openssh-client).</source>
        <translation>Installieren Sie einen OpenSSH-Client (Debian, Ubuntu: apt install openssh-client).</translation>
    </message>
    <message>
        <source>Start the ssh server there (systemctl start ssh), or leave the host out.</source>
        <translation>Starten Sie dort den ssh-Server (systemctl start ssh), oder lassen Sie den Host weg.</translation>
    </message>
    <message>
        <source>Switch %1 on or repair its network, or leave it out.</source>
        <translation>Schalten Sie %1 ein oder reparieren Sie sein Netz, oder lassen Sie den Host weg.</translation>
    </message>
    <message>
        <source>%1 is reached</source>
        <translation>%1 ist erreichbar</translation>
    </message>
    <message>
        <source>%1 is not known on %2: no such name there in the ssh config, in /etc/hosts or in DNS.</source>
        <translation>%1 ist auf %2 nicht bekannt: Der Name fehlt dort in der ssh-Konfiguration, in /etc/hosts und im DNS.</translation>
    </message>
    <message>
        <source>Correct the name.</source>
        <translation>Berichtigen Sie den Namen.</translation>
    </message>
    <message>
        <source>an alias of ssh on %1</source>
        <translation>ein ssh-Alias auf %1</translation>
    </message>
    <message>
        <source>%1 itself</source>
        <translation>%1 selbst</translation>
    </message>
    <message>
        <source>%1 can log in</source>
        <translation>%1 kann sich anmelden</translation>
    </message>
    <message>
        <source>it does not answer</source>
        <translation>er antwortet nicht</translation>
    </message>
    <message>
        <source>the login is refused</source>
        <translation>die Anmeldung wird abgelehnt</translation>
    </message>
    <message>
        <source>ssh-keygen (if there is no key yet), then ssh-copy-id %1</source>
        <translation>ssh-keygen (falls es noch keinen Schlüssel gibt), dann ssh-copy-id %1</translation>
    </message>
    <message>
        <source>its host key is not known there</source>
        <translation>sein Hostschlüssel ist dort nicht bekannt</translation>
    </message>
    <message>
        <source>ssh %1 once, and compare the fingerprint</source>
        <translation>einmal ssh %1, und den Fingerabdruck vergleichen</translation>
    </message>
    <message>
        <source>its host key has changed</source>
        <translation>sein Hostschlüssel hat sich geändert</translation>
    </message>
    <message>
        <source>Ask the administrator of %1.</source>
        <translation>Fragen Sie den Administrator von %1.</translation>
    </message>
    <message>
        <source>ssh connections are refused</source>
        <translation>ssh-Verbindungen werden abgelehnt</translation>
    </message>
    <message>
        <source>Leave %1 out, or ask its administrator to start the ssh server.</source>
        <translation>Lassen Sie %1 weg, oder bitten Sie den Administrator, den ssh-Server zu starten.</translation>
    </message>
    <message>
        <source>the name is not known</source>
        <translation>der Name ist nicht bekannt</translation>
    </message>
    <message>
        <source>%1 cannot log in to %2: %3, and mpirun needs this.</source>
        <translation>%1 kann sich nicht bei %2 anmelden: %3, und mpirun braucht das.</translation>
    </message>
    <message>
        <source>not needed: Slurm starts the workers</source>
        <translation>nicht nötig: Slurm startet die Worker</translation>
    </message>
    <message>
        <source>not needed: one computer</source>
        <translation>nicht nötig: ein Rechner</translation>
    </message>
    <message>
        <source>not needed: this computer starts the workers on every host</source>
        <translation>nicht nötig: Dieser Rechner startet die Worker auf jedem Host</translation>
    </message>
    <message>
        <source>this computer</source>
        <translation>dieser Rechner</translation>
    </message>
    <message>
        <source>not needed on this computer</source>
        <translation>auf diesem Rechner nicht nötig</translation>
    </message>
    <message>
        <source>%1 lets you in but runs no commands: %2</source>
        <translation>%1 lässt Sie hinein, führt aber keine Befehle aus: %2</translation>
    </message>
    <message>
        <source>as %1</source>
        <translation>als %1</translation>
    </message>
    <message>
        <source>%1 lets you in but runs no commands.</source>
        <translation>%1 lässt Sie hinein, führt aber keine Befehle aus.</translation>
    </message>
    <message>
        <source>build it or install the package again, so that scalebench-engine lies beside this program</source>
        <translation>Bauen Sie sie, oder installieren Sie das Paket neu, sodass scalebench-engine neben diesem Programm liegt</translation>
    </message>
    <message>
        <source>scalebench machines add NAME with these options, then deploy NAME</source>
        <translation>scalebench machines add NAME mit diesen Optionen, dann deploy NAME</translation>
    </message>
    <message>
        <source>Deploy it again: %1</source>
        <translation>Verteilen Sie sie noch einmal: %1</translation>
    </message>
    <message>
        <source>The engine needs the C library glibc %1, which is newer than that of %2.</source>
        <translation>Die Engine braucht die C-Bibliothek glibc %1, neuer als die von %2.</translation>
    </message>
    <message>
        <source>Use a host with a newer Linux, or a bundle that was built on an older one.</source>
        <translation>Nehmen Sie einen Host mit neuerem Linux oder ein auf einem älteren gebautes Paket.</translation>
    </message>
    <message>
        <source>The engine does not start on %1: the library %2 is missing.</source>
        <translation>Die Engine startet auf %1 nicht: Die Bibliothek %2 fehlt.</translation>
    </message>
    <message>
        <source>The engine on %1 was built for another kind of processor (%1 is %2).</source>
        <translation>Die Engine auf %1 ist für eine andere Prozessorart gebaut (%1 ist %2).</translation>
    </message>
    <message>
        <source>Deploy a bundle built for that processor.</source>
        <translation>Verteilen Sie ein für diesen Prozessor gebautes Paket.</translation>
    </message>
    <message>
        <source>The engine uses instructions that the processor of %1 (%2) does not have.</source>
        <translation>Die Engine benutzt Befehle, die der Prozessor von %1 (%2) nicht hat.</translation>
    </message>
    <message>
        <source>Use a host with a newer processor.</source>
        <translation>Nehmen Sie einen Host mit neuerem Prozessor.</translation>
    </message>
    <message>
        <source>The engine on %1 may not be executed: its rights, or a file system mounted &quot;noexec&quot;.</source>
        <translation>Die Engine auf %1 darf nicht ausgeführt werden: wegen ihrer Rechte oder eines mit „noexec“ eingehängten Dateisystems.</translation>
    </message>
    <message>
        <source>Choose another folder for the target machine, then: %1</source>
        <translation>Wählen Sie für die Zielmaschine einen anderen Ordner, dann: %1</translation>
    </message>
    <message>
        <source>The engine on %1 did not answer within 8 s.</source>
        <translation>Die Engine auf %1 antwortete nicht innerhalb von 8 s.</translation>
    </message>
    <message>
        <source>Look at the load and the disks of %1.</source>
        <translation>Sehen Sie Last und Datenträger von %1 nach.</translation>
    </message>
    <message>
        <source>The engine on %1 does not run (exit code %2): %3</source>
        <translation>Die Engine auf %1 läuft nicht (Exit-Code %2): %3</translation>
    </message>
    <message>
        <source>Install it there: %1</source>
        <translation>Installieren Sie sie dort: %1</translation>
    </message>
    <message>
        <source>The engine is missing on %1: engine/current leads to %2, which is not there.</source>
        <translation>Die Engine fehlt auf %1: engine/current führt nach %2, das es nicht gibt.</translation>
    </message>
    <message>
        <source>The engine is missing on %1 (%2/engine).</source>
        <translation>Die Engine fehlt auf %1 (%2/engine).</translation>
    </message>
    <message>
        <source>The engine on %1 is not executable.</source>
        <translation>Die Engine auf %1 ist nicht ausführbar.</translation>
    </message>
    <message>
        <source>Bring it up to date: %1</source>
        <translation>Bringen Sie sie auf den neuesten Stand: %1</translation>
    </message>
    <message>
        <source>Engine %1 on %2, %3 on this computer. Runs would hang or give wrong timings.</source>
        <translation>Engine %1 auf %2, %3 auf diesem Rechner. Läufe würden hängen oder falsche Zeiten liefern.</translation>
    </message>
    <message>
        <source>%1 has another build of engine %2 (%3) than this computer (%4).</source>
        <translation>%1 hat einen anderen Build der Engine %2 (%3) als dieser Rechner (%4).</translation>
    </message>
    <message>
        <source>comes with the engine, which is missing</source>
        <translation>kommt mit der Engine, die fehlt</translation>
    </message>
    <message>
        <source>Open MPI is not found on %1: there is no %2/bin/orted or prted.</source>
        <translation>Open MPI ist auf %1 nicht zu finden: Es gibt kein %2/bin/orted oder prted.</translation>
    </message>
    <message>
        <source>Correct the Open MPI folder, or leave it empty to use that of the engine.</source>
        <translation>Berichtigen Sie den Open-MPI-Ordner, oder lassen Sie ihn leer, um den der Engine zu benutzen.</translation>
    </message>
    <message>
        <source>%1 has one in %2: set the Open MPI folder to that, or leave it empty to use that of the engine.</source>
        <translation>%1 hat eines in %2: Setzen Sie den Open-MPI-Ordner darauf, oder lassen Sie ihn leer, um den der Engine zu benutzen.</translation>
    </message>
    <message>
        <source>Open MPI in %1 does not run on %2: %3</source>
        <translation>Open MPI in %1 läuft auf %2 nicht: %3</translation>
    </message>
    <message>
        <source>Deploy the engine again: %1</source>
        <translation>Verteilen Sie die Engine noch einmal: %1</translation>
    </message>
    <message>
        <source>Open MPI %1 of this computer starts the workers; in %2 on %3 there is no %4 for it.</source>
        <translation>Open MPI %1 dieses Rechners startet die Worker; in %2 auf %3 gibt es dafür kein %4.</translation>
    </message>
    <message>
        <source>Use the same series everywhere; leave the Open MPI folder empty to use that of the engine on all hosts.</source>
        <translation>Nehmen Sie überall dieselbe Reihe; lassen Sie den Open-MPI-Ordner leer, um auf allen Hosts den der Engine zu benutzen.</translation>
    </message>
    <message>
        <source>Open MPI %1 on %2, %3 on this computer, which starts the workers: they do not understand each other.</source>
        <translation>Open MPI %1 auf %2, %3 auf diesem Rechner, der die Worker startet: Sie verstehen einander nicht.</translation>
    </message>
    <message>
        <source>without mpirun</source>
        <translation>ohne mpirun</translation>
    </message>
    <message>
        <source>A non-interactive shell on %1 does not find %2 (PATH is %3).</source>
        <translation>Eine nicht interaktive Shell auf %1 findet %2 nicht (PATH ist %3).</translation>
    </message>
    <message>
        <source>Set PATH on %1 where non-interactive shells read it (~/.bashrc before its first test, /etc/environment), or install the missing programs.</source>
        <translation>Setzen Sie PATH auf %1 dort, wo nicht interaktive Shells es lesen (~/.bashrc vor ihrer ersten Abfrage, /etc/environment), oder installieren Sie die fehlenden Programme.</translation>
    </message>
    <message>
        <source>The login scripts of %1 print text in non-interactive shells, which breaks scp and rsync: &quot;%2&quot;.</source>
        <translation>Die Anmeldeskripte von %1 geben in nicht interaktiven Shells Text aus, was scp und rsync stört: „%2“.</translation>
    </message>
    <message>
        <source>Let ~/.bashrc print only in interactive shells.</source>
        <translation>Lassen Sie ~/.bashrc nur in interaktiven Shells etwas ausgeben.</translation>
    </message>
    <message>
        <source>%1 GPUs, %2 processors</source>
        <translation>%1 GPUs, %2 Prozessoren</translation>
    </message>
    <message>
        <source>%1 processors</source>
        <translation>%1 Prozessoren</translation>
    </message>
    <message>
        <source>Slurm decides</source>
        <translation>entscheidet Slurm</translation>
    </message>
    <message>
        <source>not said; %1</source>
        <translation>nicht angegeben; %1</translation>
    </message>
    <message>
        <source>%1 has %2 GPUs but %3 slots: workers with GPUs may be %2 at most.</source>
        <translation>%1 hat %2 GPUs, aber %3 Slots: Es können höchstens %2 Worker mit GPU sein.</translation>
    </message>
    <message>
        <source>Write %1:%2 in the list of hosts.</source>
        <translation>Schreiben Sie %1:%2 in die Hostliste.</translation>
    </message>
    <message>
        <source>%1 has %2 processors but %3 slots: workers would share processors, and such runs give no speedup.</source>
        <translation>%1 hat %2 Prozessoren, aber %3 Slots: Worker müssten sich Prozessoren teilen, und solche Läufe ergeben keinen Speedup.</translation>
    </message>
    <message>
        <source>not read</source>
        <translation>nicht gelesen</translation>
    </message>
    <message>
        <source>within %1 s of %2</source>
        <translation>weniger als %1 s von %2 entfernt</translation>
    </message>
    <message>
        <source>Let %1 set its clock from the network (systemd-timesyncd, chrony).</source>
        <translation>Lassen Sie %1 die Uhr aus dem Netz stellen (systemd-timesyncd, chrony).</translation>
    </message>
    <message>
        <source>no workers run here</source>
        <translation>hier laufen keine Worker</translation>
    </message>
    <message>
        <source>%1 workers (scalebench-engine) are running on %2: of a study that is going on, or left over from an earlier one.</source>
        <translation>%1 Worker (scalebench-engine) laufen auf %2: von einer laufenden Studie oder von einer früheren übrig.</translation>
    </message>
    <message>
        <source>If no study runs there: ssh %1 kill %2</source>
        <translation>Wenn dort keine Studie läuft: ssh %1 kill %2</translation>
    </message>
    <message>
        <source>GPUs of %1 are used by other programs (%2). Timings would be wrong.</source>
        <translation>GPUs von %1 werden von anderen Programmen benutzt (%2). Zeiten wären falsch.</translation>
    </message>
    <message>
        <source>Wait until they end, or use other GPUs.</source>
        <translation>Warten Sie, bis sie enden, oder nehmen Sie andere GPUs.</translation>
    </message>
    <message>
        <source>%1 is busy: load %2 on %3 processors. Timings would be wrong.</source>
        <translation>%1 ist beschäftigt: Last %2 auf %3 Prozessoren. Zeiten wären falsch.</translation>
    </message>
    <message>
        <source>Wait until other work has ended.</source>
        <translation>Warten Sie, bis andere Arbeit zu Ende ist.</translation>
    </message>
    <message>
        <source>idle (load %1)</source>
        <translation>untätig (Last %1)</translation>
    </message>
    <message>
        <source>no files needed</source>
        <translation>keine Dateien nötig</translation>
    </message>
    <message>
        <source>The data set is missing on %1: there is no %2.</source>
        <translation>Der Datensatz fehlt auf %1: Es gibt kein %2.</translation>
    </message>
    <message>
        <source>Copy it there, choose the right data folder, or use synthetic data.</source>
        <translation>Kopieren Sie ihn dorthin, wählen Sie den richtigen Datenordner, oder nehmen Sie synthetische Daten.</translation>
    </message>
    <message>
        <source>The data set %1 may not be read on %2.</source>
        <translation>Der Datensatz %1 darf auf %2 nicht gelesen werden.</translation>
    </message>
    <message>
        <source>Change its rights, or choose another data folder.</source>
        <translation>Ändern Sie seine Rechte, oder wählen Sie einen anderen Datenordner.</translation>
    </message>
    <message>
        <source>%1 is there (too many files to count quickly)</source>
        <translation>%1 ist da (zu viele Dateien, um schnell zu zählen)</translation>
    </message>
    <message>
        <source>The data set on %1 is empty: %2 holds no file.</source>
        <translation>Der Datensatz auf %1 ist leer: %2 enthält keine Datei.</translation>
    </message>
    <message>
        <source>%1 files, %2</source>
        <translation>%1 Dateien, %2</translation>
    </message>
    <message>
        <source>not checked: no connection</source>
        <translation>nicht geprüft: keine Verbindung</translation>
    </message>
    <message>
        <source>%1 can be reached, but the check of &quot;%2&quot; did not end in time: often a network drive that hangs.</source>
        <translation>%1 ist erreichbar, aber die Prüfung „%2“ wurde nicht rechtzeitig fertig: oft ein hängendes Netzlaufwerk.</translation>
    </message>
    <message>
        <source>Try df and ls on %1; check again when they answer.</source>
        <translation>Versuchen Sie df und ls auf %1; prüfen Sie noch einmal, wenn sie antworten.</translation>
    </message>
    <message>
        <source>Slurm knows the network of its nodes</source>
        <translation>Slurm kennt das Netz seiner Knoten</translation>
    </message>
    <message>
        <source>not reached</source>
        <translation>nicht erreicht</translation>
    </message>
    <message>
        <source>The disk of %1 is full: %2 has %3 left, about %4 are needed.</source>
        <translation>Der Datenträger von %1 ist voll: %2 hat noch %3, etwa %4 sind nötig.</translation>
    </message>
    <message>
        <source>Free some space there, or choose another folder.</source>
        <translation>Schaffen Sie dort Platz, oder wählen Sie einen anderen Ordner.</translation>
    </message>
    <message>
        <source>the user&apos;s quota is used up</source>
        <translation>das Kontingent des Benutzers ist erschöpft</translation>
    </message>
    <message>
        <source>the file system is read-only</source>
        <translation>das Dateisystem ist schreibgeschützt</translation>
    </message>
    <message>
        <source>a file is in the way</source>
        <translation>eine Datei ist im Weg</translation>
    </message>
    <message>
        <source>there is no right to write</source>
        <translation>das Schreibrecht fehlt</translation>
    </message>
    <message>
        <source>Nothing can be written to %1 on %2: %3.</source>
        <translation>In %1 auf %2 kann nichts geschrieben werden: %3.</translation>
    </message>
    <message>
        <source>Choose another folder, or change its rights.</source>
        <translation>Wählen Sie einen anderen Ordner, oder ändern Sie seine Rechte.</translation>
    </message>
    <message>
        <source>%1 on %2 has %3 left, about %4 are needed.</source>
        <translation>%1 auf %2 hat noch %3, etwa %4 sind nötig.</translation>
    </message>
    <message>
        <source>%1 on %2 has %3 left; long studies with checkpoints need more.</source>
        <translation>%1 auf %2 hat noch %3; lange Studien mit Checkpoints brauchen mehr.</translation>
    </message>
    <message>
        <source>%1 free</source>
        <translation>%1 frei</translation>
    </message>
    <message>
        <source>Shared memory (/dev/shm) may not be used on %1.</source>
        <translation>Der gemeinsame Speicher (/dev/shm) darf auf %1 nicht benutzt werden.</translation>
    </message>
    <message>
        <source>Ask its administrator: /dev/shm must be writable for everybody.</source>
        <translation>Bitten Sie den Administrator: /dev/shm muss für alle beschreibbar sein.</translation>
    </message>
    <message>
        <source>%1 has no shared memory file system (/dev/shm).</source>
        <translation>%1 hat kein Dateisystem für gemeinsamen Speicher (/dev/shm).</translation>
    </message>
    <message>
        <source>In a container: start it with --shm-size=8g or --ipc=host.</source>
        <translation>In einem Container: Starten Sie ihn mit --shm-size=8g oder --ipc=host.</translation>
    </message>
    <message>
        <source>Shared memory on %1 is only %2 (a container?); several workers there may fail.</source>
        <translation>Der gemeinsame Speicher auf %1 ist nur %2 groß (ein Container?); mehrere Worker können dort scheitern.</translation>
    </message>
    <message>
        <source>Start the container with --shm-size=8g or --ipc=host.</source>
        <translation>Starten Sie den Container mit --shm-size=8g oder --ipc=host.</translation>
    </message>
    <message>
        <source>Slurm gives them</source>
        <translation>vergibt Slurm</translation>
    </message>
    <message>
        <source>The NVIDIA driver of %1 does not answer: %2</source>
        <translation>Der NVIDIA-Treiber von %1 antwortet nicht: %2</translation>
    </message>
    <message>
        <source>Restart %1, or ask its administrator to repair the driver.</source>
        <translation>Starten Sie %1 neu, oder bitten Sie den Administrator, den Treiber zu reparieren.</translation>
    </message>
    <message>
        <source>The GPUs of %1 may not be used: no rights on /dev/nvidiactl, or a container without GPU access.</source>
        <translation>Die GPUs von %1 dürfen nicht benutzt werden: keine Rechte auf /dev/nvidiactl, oder ein Container ohne GPU-Zugriff.</translation>
    </message>
    <message>
        <source>Join the group that owns the device, or start the container with --gpus all.</source>
        <translation>Treten Sie der Gruppe bei, der das Gerät gehört, oder starten Sie den Container mit --gpus all.</translation>
    </message>
    <message>
        <source>Install or load the NVIDIA driver there.</source>
        <translation>Installieren oder laden Sie dort den NVIDIA-Treiber.</translation>
    </message>
    <message>
        <source>%1 x %2, driver %3</source>
        <translation>%1 × %2, Treiber %3</translation>
    </message>
    <message>
        <source>GPUs of %1 are in compute mode %2: only one program at a time may use each.</source>
        <translation>GPUs von %1 sind im Rechenmodus %2: Nur je ein Programm darf sie zugleich benutzen.</translation>
    </message>
    <message>
        <source>nvidia-smi -c DEFAULT (by an administrator)</source>
        <translation>nvidia-smi -c DEFAULT (durch einen Administrator)</translation>
    </message>
    <message>
        <source>%1: %2, but the engine cannot use them: %3.</source>
        <translation>%1: %2, aber die Engine kann sie nicht benutzen: %3.</translation>
    </message>
    <message>
        <source>Train on the processors, or deploy an engine with CUDA.</source>
        <translation>Trainieren Sie auf den Prozessoren, oder verteilen Sie eine Engine mit CUDA.</translation>
    </message>
    <message>
        <source>The partition &quot;%1&quot; takes no jobs now (state %2).</source>
        <translation>Die Partition „%1“ nimmt jetzt keine Jobs an (Zustand %2).</translation>
    </message>
    <message>
        <source>Choose another partition, or ask the administrator.</source>
        <translation>Wählen Sie eine andere Partition, oder fragen Sie den Administrator.</translation>
    </message>
    <message>
        <source>Partition &quot;%1&quot; allows %2, you ask %3: the job would wait for ever.</source>
        <translation>Die Partition „%1“ erlaubt %2, Sie verlangen %3: Der Job würde ewig warten.</translation>
    </message>
    <message>
        <source>Ask for at most %1.</source>
        <translation>Verlangen Sie höchstens %1.</translation>
    </message>
    <message>
        <source>The partition &quot;%1&quot; does not allow the account &quot;%2&quot;.</source>
        <translation>Die Partition „%1“ lässt das Konto „%2“ nicht zu.</translation>
    </message>
    <message>
        <source>Allowed are %1.</source>
        <translation>Zugelassen sind %1.</translation>
    </message>
    <message>
        <source>Slurm does not know the account &quot;%1&quot; for %2%3.</source>
        <translation>Slurm kennt das Konto „%1“ für %2 nicht%3.</translation>
    </message>
    <message>
        <source>Yours are %1.</source>
        <translation>Ihre sind %1.</translation>
    </message>
    <message>
        <source>No node of the partition &quot;%1&quot; can be used: all %2 are down, drained or do not answer.</source>
        <translation>Kein Knoten der Partition „%1“ ist benutzbar: Alle %2 sind ausgefallen, gesperrt oder antworten nicht.</translation>
    </message>
    <message>
        <source>Choose another partition, or ask the administrator (sinfo -R tells why).</source>
        <translation>Wählen Sie eine andere Partition, oder fragen Sie den Administrator (sinfo -R nennt den Grund).</translation>
    </message>
    <message>
        <source>Nodes of the partition &quot;%1&quot; have %2 GPUs, you ask %3 per node.</source>
        <translation>Knoten der Partition „%1“ haben %2 GPUs, Sie verlangen %3 je Knoten.</translation>
    </message>
    <message>
        <source>Ask for at most %1, or choose another partition.</source>
        <translation>Verlangen Sie höchstens %1, oder wählen Sie eine andere Partition.</translation>
    </message>
    <message>
        <source>There is no Slurm on %1: sbatch is not in PATH.</source>
        <translation>Auf %1 gibt es kein Slurm: sbatch ist nicht in PATH.</translation>
    </message>
    <message>
        <source>Give the login node of the Slurm cluster, or choose another kind of target machine.</source>
        <translation>Geben Sie den Login-Knoten des Slurm-Clusters an, oder wählen Sie eine andere Art von Zielmaschine.</translation>
    </message>
    <message>
        <source>Slurm&apos;s controller does not answer %1: %2</source>
        <translation>Der Controller von Slurm antwortet %1 nicht: %2</translation>
    </message>
    <message>
        <source>Ask the administrator of the cluster.</source>
        <translation>Fragen Sie den Administrator des Clusters.</translation>
    </message>
    <message>
        <source>This Slurm has no default partition, so one must be chosen.</source>
        <translation>Dieses Slurm hat keine Standardpartition, also muss eine gewählt werden.</translation>
    </message>
    <message>
        <source>There is no partition &quot;%1&quot;%2.</source>
        <translation>Es gibt keine Partition „%1“%2.</translation>
    </message>
    <message>
        <source>Choose one of %1.</source>
        <translation>Wählen Sie eine von %1.</translation>
    </message>
    <message>
        <source>partition %1: %2 of %3 nodes idle, %4 processors each, up to %5</source>
        <translation>Partition %1: %2 von %3 Knoten frei, je %4 Prozessoren, bis %5</translation>
    </message>
    <message>
        <source>%1 is on a disk of %2 itself (%3); the nodes need to see it too.</source>
        <translation>%1 liegt auf einem Datenträger von %2 selbst (%3); auch die Knoten müssen es sehen.</translation>
    </message>
    <message>
        <source>Unless it is shared in another way, choose a folder that all nodes see.</source>
        <translation>Wenn es nicht auf anderem Weg geteilt ist, wählen Sie einen Ordner, den alle Knoten sehen.</translation>
    </message>
    <message>
        <source>Correct the target machine.</source>
        <translation>Berichtigen Sie die Zielmaschine.</translation>
    </message>
    <message>
        <source>The target machine has no hosts.</source>
        <translation>Die Zielmaschine hat keine Hosts.</translation>
    </message>
    <message>
        <source>It did not answer in time.</source>
        <translation>Sie antwortete nicht rechtzeitig.</translation>
    </message>
    <message>
        <source>not checked: %1 cannot be used</source>
        <translation>nicht geprüft: %1 ist nicht benutzbar</translation>
    </message>
    <message>
        <source>given hosts</source>
        <translation>angegebene Hosts</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>ssh</source>
        <translation>ssh</translation>
    </message>
    <message>
        <source>Host key</source>
        <translation>Hostschlüssel</translation>
    </message>
    <message>
        <source>Login</source>
        <translation>Anmeldung</translation>
    </message>
    <message>
        <source>PATH</source>
        <translation>PATH</translation>
    </message>
    <message>
        <source>Open MPI</source>
        <translation>Open MPI</translation>
    </message>
    <message>
        <source>Engine</source>
        <translation>Engine</translation>
    </message>
    <message>
        <source>GPUs</source>
        <translation>GPUs</translation>
    </message>
    <message>
        <source>Slots</source>
        <translation>Slots</translation>
    </message>
    <message>
        <source>Data set</source>
        <translation>Datensatz</translation>
    </message>
    <message>
        <source>Disk</source>
        <translation>Datenträger</translation>
    </message>
    <message>
        <source>Shared memory</source>
        <translation>Gemeinsamer Speicher</translation>
    </message>
    <message>
        <source>Clock</source>
        <translation>Uhr</translation>
    </message>
    <message>
        <source>Host to host</source>
        <translation>Host zu Host</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>Netz</translation>
    </message>
    <message>
        <source>Busy</source>
        <translation>Auslastung</translation>
    </message>
    <message>
        <source>Slurm</source>
        <translation>Slurm</translation>
    </message>
    <message>
        <source>(95 % interval %1 to %2)</source>
        <translation>(95-%-Intervall %1 bis %2)</translation>
    </message>
    <message>
        <source>%1: %2 workers are %3 times as fast as %4%5, %6 % of the ideal.</source>
        <translation>%1: %2 Worker sind %3-mal so schnell wie %4%5, %6 % vom Ideal.</translation>
    </message>
    <message>
        <source>More workers bring nothing here: run copies instead, one for each.</source>
        <translation>Mehr Worker bringen hier nichts: Lassen Sie stattdessen Kopien laufen, je Worker eine.</translation>
    </message>
    <message>
        <source>Where several runs are to be done, copies side by side finish more of them than one run on all workers.</source>
        <translation>Wenn mehrere Läufe anstehen, schaffen Kopien nebeneinander mehr davon als ein Lauf auf allen Workern.</translation>
    </message>
    <message>
        <source>%1: no run has reached its target, so there is no speedup; in samples/s %2 workers do %3 times the work of the fewest.</source>
        <translation>%1: Kein Lauf hat sein Ziel erreicht, also gibt es keinen Speedup; in Samples/s leisten %2 Worker das %3-fache der kleinsten Anzahl.</translation>
    </message>
    <message>
        <source>1 run</source>
        <translation>1 Lauf</translation>
    </message>
    <message>
        <source>%1 runs</source>
        <translation>%1 Läufe</translation>
    </message>
    <message>
        <source>%1 shared the hosts with other work (marked disturbed): the times say less than they seem to.</source>
        <translation>%1 mit anderer Arbeit auf denselben Hosts (als gestört markiert): Die Zeiten sagen weniger, als es scheint.</translation>
    </message>
    <message>
        <source>%1 failed.</source>
        <translation>%1 fehlgeschlagen.</translation>
    </message>
    <message>
        <source>%1 computed in another precision than was asked for.</source>
        <translation>%1 in anderem als dem verlangten Zahlenformat gerechnet.</translation>
    </message>
    <message>
        <source>Some worker counts have one run only: differences of a few per cent may be chance. Three repeats give intervals.</source>
        <translation>Für manche Workerzahl gibt es nur einen Lauf: Unterschiede von wenigen Prozent können Zufall sein. Drei Wiederholungen ergeben Intervalle.</translation>
    </message>
    <message>
        <source>series</source>
        <translation>Reihe</translation>
    </message>
    <message>
        <source>workers</source>
        <translation>Worker</translation>
    </message>
    <message>
        <source>nodes</source>
        <translation>Knoten</translation>
    </message>
    <message>
        <source>batch</source>
        <translation>Batch</translation>
    </message>
    <message>
        <source>runs</source>
        <translation>Läufe</translation>
    </message>
    <message>
        <source>mean time</source>
        <translation>mittlere Zeit</translation>
    </message>
    <message>
        <source>± s</source>
        <translation>± s</translation>
    </message>
    <message>
        <source>epochs</source>
        <translation>Epochen</translation>
    </message>
    <message>
        <source>samples/s</source>
        <translation>Samples/s</translation>
    </message>
    <message>
        <source>speedup</source>
        <translation>Speedup</translation>
    </message>
    <message>
        <source>efficiency</source>
        <translation>Effizienz</translation>
    </message>
    <message>
        <source>by epochs</source>
        <translation>durch Epochen</translation>
    </message>
    <message>
        <source>by step time</source>
        <translation>durch Schrittzeit</translation>
    </message>
    <message>
        <source>note</source>
        <translation>Bemerkung</translation>
    </message>
    <message>
        <source>run</source>
        <translation>Lauf</translation>
    </message>
    <message>
        <source>state</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>quality</source>
        <translation>Güte</translation>
    </message>
    <message>
        <source>target</source>
        <translation>Ziel</translation>
    </message>
    <message>
        <source>time to train</source>
        <translation>Trainingszeit</translation>
    </message>
    <message>
        <source>step, ms</source>
        <translation>Schritt, ms</translation>
    </message>
    <message>
        <source>compute, ms</source>
        <translation>Rechnen, ms</translation>
    </message>
    <message>
        <source>exchange, ms</source>
        <translation>Austausch, ms</translation>
    </message>
    <message>
        <source>input, ms</source>
        <translation>Eingabe, ms</translation>
    </message>
    <message>
        <source>other, ms</source>
        <translation>Übriges, ms</translation>
    </message>
    <message>
        <source>read, MB/s</source>
        <translation>gelesen, MB/s</translation>
    </message>
    <message>
        <source>Where a step&apos;s time goes</source>
        <translation>Wohin die Zeit eines Schritts geht</translation>
    </message>
    <message>
        <source>host</source>
        <translation>Host</translation>
    </message>
    <message>
        <source>processors</source>
        <translation>Prozessoren</translation>
    </message>
    <message>
        <source>model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>memory, GB</source>
        <translation>Arbeitsspeicher, GB</translation>
    </message>
    <message>
        <source>system</source>
        <translation>System</translation>
    </message>
    <message>
        <source>kernel</source>
        <translation>Kernel</translation>
    </message>
    <message>
        <source>System</source>
        <translation>System</translation>
    </message>
    <message>
        <source>No run has described its system yet.</source>
        <translation>Noch hat kein Lauf sein System beschrieben.</translation>
    </message>
    <message>
        <source>Imported results; the system is that of their authors.</source>
        <translation>Importierte Ergebnisse; das System ist das ihrer Autoren.</translation>
    </message>
    <message>
        <source>setting</source>
        <translation>Einstellung</translation>
    </message>
    <message>
        <source>path</source>
        <translation>Pfad</translation>
    </message>
    <message>
        <source>values</source>
        <translation>Werte</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Every run trains one network until its quality target is reached; time to train counts from the first byte of the data that is read to the evaluation that reaches the target, evaluations included.</source>
        <translation>Jeder Lauf trainiert ein Netz, bis sein Güteziel erreicht ist; die Trainingszeit zählt vom ersten gelesenen Byte der Daten bis zu der Auswertung, die das Ziel erreicht, Auswertungen eingeschlossen.</translation>
    </message>
    <message>
        <source>Method</source>
        <translation>Methode</translation>
    </message>
    <message>
        <source>study %1</source>
        <translation>Studie %1</translation>
    </message>
    <message>
        <source>Findings</source>
        <translation>Befunde</translation>
    </message>
    <message>
        <source>Time to train and speedup</source>
        <translation>Trainingszeit und Speedup</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>Läufe</translation>
    </message>
    <message>
        <source>Result not verified by MLCommons Association. The charts&apos; numbers are in runs.csv, curves.csv and speedup.csv beside this report; the bundle beside it opens in another Scalebench (scalebench import).</source>
        <translation>Ergebnis nicht von der MLCommons Association verifiziert. Die Zahlen der Diagramme stehen in runs.csv, curves.csv und speedup.csv neben diesem Bericht; das Bündel daneben öffnet sich in einem anderen Scalebench (scalebench import).</translation>
    </message>
    <message>
        <source>&quot;%1&quot; could not be put into &quot;%2&quot;. May the folder be written to?</source>
        <translation>„%1“ konnte nicht in „%2“ abgelegt werden. Darf in den Ordner geschrieben werden?</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is a file; give a folder.</source>
        <translation>„%1“ ist eine Datei; geben Sie einen Ordner an.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; cannot be written to.</source>
        <translation>In „%1“ kann nicht geschrieben werden.</translation>
    </message>
    <message>
        <source>0 complete epochs are kept</source>
        <translation>keine vollständige Epoche blieb erhalten</translation>
    </message>
    <message>
        <source>1 complete epoch is kept, but no checkpoint: resumed, the run begins anew</source>
        <translation>1 vollständige Epoche blieb erhalten, aber kein Checkpoint: Fortgesetzt beginnt der Lauf von vorn</translation>
    </message>
    <message>
        <source>%1 complete epochs are kept, but no checkpoint: resumed, the run begins anew</source>
        <translation>%1 vollständige Epochen blieben erhalten, aber kein Checkpoint: Fortgesetzt beginnt der Lauf von vorn</translation>
    </message>
    <message>
        <source>1 complete epoch is kept; resumed, the run goes on after step %1 (epoch %2)</source>
        <translation>1 vollständige Epoche blieb erhalten; fortgesetzt geht der Lauf nach Schritt %1 weiter (Epoche %2)</translation>
    </message>
    <message>
        <source>%1 complete epochs are kept; resumed, the run goes on after step %2 (epoch %3)</source>
        <translation>%1 vollständige Epochen blieben erhalten; fortgesetzt geht der Lauf nach Schritt %2 weiter (Epoche %3)</translation>
    </message>
    <message>
        <source>in epoch %1</source>
        <translation>in Epoche %1</translation>
    </message>
    <message>
        <source>in epochs %1 to %2</source>
        <translation>in den Epochen %1 bis %2</translation>
    </message>
    <message>
        <source>in %1 epochs from %2 to %3</source>
        <translation>in %1 Epochen von %2 bis %3</translation>
    </message>
    <message>
        <source>other processes kept up to %1 of %2 processors busy %3</source>
        <translation>beschäftigten andere Prozesse bis zu %1 von %2 Prozessoren %3</translation>
    </message>
    <message>
        <source>the hypervisor took up to %1 processors away %2</source>
        <translation>nahm der Hypervisor bis zu %1 Prozessoren weg %2</translation>
    </message>
    <message>
        <source>the host swapped %1 MiB</source>
        <translation>lagerte der Host %1 MiB aus</translation>
    </message>
    <message>
        <source>On %1, %2.</source>
        <translation>Auf %1 %2.</translation>
    </message>
    <message>
        <source>the host</source>
        <translation>dem Host</translation>
    </message>
    <message>
        <source>The GPU of worker 0 was slowed down (%1) in %2 of %3 readings.</source>
        <translation>Die GPU von Worker 0 wurde in %2 von %3 Messungen gebremst (%1).</translation>
    </message>
    <message>
        <source>%1: &quot;%2&quot; must be at most %3 numbers by metric.</source>
        <translation>%1: „%2“ darf höchstens %3 Zahlen nach Metrik haben.</translation>
    </message>
    <message>
        <source>%1: &quot;%2&quot; must be a list of points, %3.</source>
        <translation>%1: „%2“ muss eine Liste von Punkten sein, %3.</translation>
    </message>
    <message>
        <source>%1 at most</source>
        <translation>höchstens %1</translation>
    </message>
    <message>
        <source>each of %1 numbers</source>
        <translation>jeder aus %1 Zahlen</translation>
    </message>
    <message>
        <source>%1: &quot;runs&quot; must be a list of %2 runs at most.</source>
        <translation>%1: „runs“ muss eine Liste von höchstens %2 Läufen sein.</translation>
    </message>
    <message>
        <source>%1: the run &quot;%2&quot; is in it twice.</source>
        <translation>%1: Der Lauf „%2“ steht zweimal darin.</translation>
    </message>
    <message>
        <source>imported: MLPerf log</source>
        <translation>importiert: MLPerf-Protokoll</translation>
    </message>
    <message>
        <source>imported: TensorBoard events</source>
        <translation>importiert: TensorBoard-Ereignisse</translation>
    </message>
    <message>
        <source>From a public MLPerf Training log. What is computed from it here is not verified by MLCommons Association. The MLPerf name and logo are registered and unregistered trademarks of MLCommons Association.</source>
        <translation>Aus einem öffentlichen Protokoll von MLPerf Training. Was hier daraus berechnet wird, ist nicht von der MLCommons Association verifiziert. Name und Logo MLPerf sind eingetragene und nicht eingetragene Marken der MLCommons Association.</translation>
    </message>
    <message>
        <source>%1 has no run &quot;%2&quot;.</source>
        <translation>%1 hat keinen Lauf „%2“.</translation>
    </message>
    <message>
        <source>%1 holds imported results: they are only read.</source>
        <translation>%1 enthält importierte Ergebnisse: Sie werden nur gelesen.</translation>
    </message>
    <message>
        <source>There is no study in %1: it has no study.json.</source>
        <translation>In %1 gibt es keine Studie: study.json fehlt.</translation>
    </message>
    <message>
        <source>%1 was not planned by this user here, or it was changed or copied since: it is only read. To run it, plan it again: scalebench study %1/study.json.</source>
        <translation>%1 wurde nicht von diesem Benutzer hier geplant oder seither geändert oder kopiert: Es wird nur gelesen. Zum Ausführen planen Sie es neu: scalebench study %1/study.json.</translation>
    </message>
    <message>
        <source>The stream in %1 could not be renamed. May the folder be written to?</source>
        <translation>Der Datenstrom in %1 konnte nicht umbenannt werden. Darf in den Ordner geschrieben werden?</translation>
    </message>
    <message>
        <source>Attempt %1 failed, it is tried again: %2</source>
        <translation>Versuch %1 schlug fehl, er wird wiederholt: %2</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>Wartet</translation>
    </message>
    <message>
        <source>Starting</source>
        <translation>Startet</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>Läuft</translation>
    </message>
    <message>
        <source>Stopping</source>
        <translation>Hält an</translation>
    </message>
    <message>
        <source>Completed</source>
        <translation>Abgeschlossen</translation>
    </message>
    <message>
        <source>Not converged</source>
        <translation>Nicht konvergiert</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>Fehlgeschlagen</translation>
    </message>
    <message>
        <source>Cancelled</source>
        <translation>Abgebrochen</translation>
    </message>
    <message>
        <source>%1 threads</source>
        <translation>%1 Threads</translation>
    </message>
    <message>
        <source>%1 (computed in %2)</source>
        <translation>%1 (gerechnet in %2)</translation>
    </message>
    <message>
        <source>resumed</source>
        <translation>fortgesetzt</translation>
    </message>
    <message>
        <source>run again</source>
        <translation>noch einmal gelaufen</translation>
    </message>
    <message>
        <source>disturbed</source>
        <translation>gestört</translation>
    </message>
    <message>
        <source>synthetic data</source>
        <translation>synthetische Daten</translation>
    </message>
    <message>
        <source>computed in %1</source>
        <translation>gerechnet in %1</translation>
    </message>
    <message>
        <source>%1: the plan has more than %2 runs.</source>
        <translation>%1: Der Plan hat mehr als %2 Läufe.</translation>
    </message>
    <message>
        <source>%1: a run is in the plan twice.</source>
        <translation>%1: Ein Lauf steht zweimal im Plan.</translation>
    </message>
    <message>
        <source>Not started: the study was stopped before.</source>
        <translation>Nicht gestartet: Die Studie wurde vorher angehalten.</translation>
    </message>
    <message>
        <source>did not answer, so it is not known whether something is left there</source>
        <translation>antwortete nicht; ob dort etwas übrig ist, ist nicht bekannt</translation>
    </message>
    <message>
        <source>still runs process %1</source>
        <translation>führt noch Prozess %1 aus</translation>
    </message>
    <message>
        <source>had processes left; they were ended</source>
        <translation>hatte noch Prozesse; sie wurden beendet</translation>
    </message>
    <message>
        <source>nothing is left</source>
        <translation>nichts ist übrig</translation>
    </message>
    <message>
        <source>%1 has only %2 MB left where %3 is; a run needs at least %4 MB. Free some space there, or give the machine another folder.</source>
        <translation>%1 hat nur noch %2 MB, wo %3 liegt; ein Lauf braucht mindestens %4 MB. Schaffen Sie dort Platz, oder geben Sie der Maschine einen anderen Ordner.</translation>
    </message>
    <message>
        <source>%1 did not tell a home folder that can be used, so %2 is no path there. Give the machine an absolute folder.</source>
        <translation>%1 nannte kein brauchbares Benutzerverzeichnis, also ist %2 dort kein Pfad. Geben Sie der Maschine einen absoluten Ordner.</translation>
    </message>
    <message>
        <source>%1 exists on %2, and was not made by Scalebench for this run. Look at it, and remove it or give the machine another folder.</source>
        <translation>%1 gibt es auf %2, und Scalebench hat es nicht für diesen Lauf angelegt. Sehen Sie nach, und entfernen Sie es, oder geben Sie der Maschine einen anderen Ordner.</translation>
    </message>
    <message>
        <source>The run&apos;s folder %1 could not be made on %2%3</source>
        <translation>Der Ordner %1 des Laufs konnte auf %2 nicht angelegt werden%3</translation>
    </message>
    <message>
        <source>%1 did not carry out the preparation of the run: %2</source>
        <translation>%1 hat die Vorbereitung des Laufs nicht ausgeführt: %2</translation>
    </message>
    <message>
        <source>The checkpoint in %1 could not be packed: %2</source>
        <translation>Der Checkpoint in %1 konnte nicht gepackt werden: %2</translation>
    </message>
    <message>
        <source>The folder %1 is %2 on %3 and %4 on %5; mpirun needs one path for all. Give the machine an absolute folder.</source>
        <translation>Der Ordner %1 ist auf %3 %2 und auf %5 %4; mpirun braucht einen Pfad für alle. Geben Sie der Maschine einen absoluten Ordner.</translation>
    </message>
    <message>
        <source>Another host failed too.</source>
        <translation>Noch ein Host schlug fehl.</translation>
    </message>
    <message>
        <source>%1 other hosts failed too.</source>
        <translation>%1 weitere Hosts schlugen fehl.</translation>
    </message>
    <message>
        <source>The other host is fine.</source>
        <translation>Der andere Host ist in Ordnung.</translation>
    </message>
    <message>
        <source>The other %1 hosts are fine.</source>
        <translation>Die anderen %1 Hosts sind in Ordnung.</translation>
    </message>
    <message>
        <source>The network interface &quot;%1&quot; exists on %2, but not on %3. Choose one that all hosts have.</source>
        <translation>Die Netzwerkschnittstelle „%1“ gibt es auf %2, aber nicht auf %3. Wählen Sie eine, die alle Hosts haben.</translation>
    </message>
    <message>
        <source>There is no private folder for ssh&apos;s sockets: XDG_RUNTIME_DIR is not set and /tmp/scalebench-%1 belongs to another user.</source>
        <translation>Es gibt keinen privaten Ordner für die Sockets von ssh: XDG_RUNTIME_DIR ist nicht gesetzt, und /tmp/scalebench-%1 gehört einem anderen Benutzer.</translation>
    </message>
    <message>
        <source>The identity (host key) of %1 has changed since it was last used. Somebody may be in between: stop, and ask its administrator.</source>
        <translation>Die Identität (der Hostschlüssel) von %1 hat sich seit der letzten Benutzung geändert. Jemand könnte dazwischen sein: Brechen Sie ab, und fragen Sie den Administrator.</translation>
    </message>
    <message>
        <source>%1 cannot be found: no such name in the ssh config, in /etc/hosts or in DNS. Check the spelling.</source>
        <translation>%1 ist nicht zu finden: Der Name fehlt in der ssh-Konfiguration, in /etc/hosts und im DNS. Prüfen Sie die Schreibweise.</translation>
    </message>
    <message>
        <source>%1 refuses ssh connections: no ssh server is running there, or a firewall rejects them.</source>
        <translation>%1 lehnt ssh-Verbindungen ab: Dort läuft kein ssh-Server, oder eine Firewall weist sie ab.</translation>
    </message>
    <message>
        <source>%1 does not answer: it is switched off or its network is cut.</source>
        <translation>%1 antwortet nicht: Der Host ist ausgeschaltet oder vom Netz getrennt.</translation>
    </message>
    <message>
        <source>%1 cannot be reached: this computer has no network that leads there.</source>
        <translation>%1 ist nicht erreichbar: Dieser Rechner hat kein Netz, das dorthin führt.</translation>
    </message>
    <message>
        <source>%1 does not answer: it is switched off, or a firewall drops the connection.</source>
        <translation>%1 antwortet nicht: Der Host ist ausgeschaltet, oder eine Firewall verwirft die Verbindung.</translation>
    </message>
    <message>
        <source>The connection to %1 broke: it did not answer for 15 s.</source>
        <translation>Die Verbindung zu %1 riss ab: 15 s lang kam keine Antwort.</translation>
    </message>
    <message>
        <source>%1 refuses the login: too many keys were tried. Name the right one in the ssh config (IdentityFile, IdentitiesOnly).</source>
        <translation>%1 lehnt die Anmeldung ab: Es wurden zu viele Schlüssel probiert. Nennen Sie den richtigen in der ssh-Konfiguration (IdentityFile, IdentitiesOnly).</translation>
    </message>
    <message>
        <source>%1 closed the connection.</source>
        <translation>%1 hat die Verbindung geschlossen.</translation>
    </message>
    <message>
        <source>The connection to %1 broke: it went down or its network failed.</source>
        <translation>Die Verbindung zu %1 riss ab: Der Host oder sein Netz ist ausgefallen.</translation>
    </message>
    <message>
        <source>%1 cut the connection.</source>
        <translation>%1 hat die Verbindung getrennt.</translation>
    </message>
    <message>
        <source>%1 closed the connection while logging in.</source>
        <translation>%1 hat die Verbindung bei der Anmeldung geschlossen.</translation>
    </message>
    <message>
        <source>ssh could not connect to %1%2</source>
        <translation>ssh konnte keine Verbindung zu %1 herstellen%2</translation>
    </message>
    <message>
        <source>%1 sent more than %2 MiB where some lines were expected; the connection was cut.</source>
        <translation>%1 hat mehr als %2 MiB gesendet, wo einige Zeilen erwartet wurden; die Verbindung wurde getrennt.</translation>
    </message>
    <message>
        <source>A command on %1 failed (exit code %2): %3</source>
        <translation>Ein Befehl auf %1 schlug fehl (Exit-Code %2): %3</translation>
    </message>
    <message>
        <source>The workload &quot;%1&quot; is given twice at the scale &quot;%2&quot;; use settings with several values for what differs.</source>
        <translation>Der Workload „%1“ ist im Maßstab „%2“ zweimal angegeben; nehmen Sie Einstellungen mit mehreren Werten für das, was verschieden ist.</translation>
    </message>
    <message>
        <source>The precision &quot;%1&quot; is given twice.</source>
        <translation>Das Zahlenformat „%1“ ist zweimal angegeben.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; makes no difference to %2.</source>
        <translation>„%1“ ändert an %2 nichts.</translation>
    </message>
    <message>
        <source>%1 and %2 more</source>
        <translation>%1 und %2 weitere</translation>
    </message>
    <message>
        <source>Left out (%1): %2</source>
        <translation>Ausgelassen (%1): %2</translation>
    </message>
    <message>
        <source>Give at least one worker count, for example 1,2.</source>
        <translation>Geben Sie mindestens eine Workerzahl an, zum Beispiel 1,2.</translation>
    </message>
    <message>
        <source>A run needs at least 1 worker; %1 is not possible.</source>
        <translation>Ein Lauf braucht mindestens 1 Worker; %1 geht nicht.</translation>
    </message>
    <message>
        <source>The worker count %1 is given twice; use repeats for several runs of it.</source>
        <translation>Die Workerzahl %1 ist zweimal angegeben; nehmen Sie Wiederholungen für mehrere Läufe davon.</translation>
    </message>
    <message>
        <source>The shape %1 is given twice; use repeats for several runs of it.</source>
        <translation>Die Form %1 ist zweimal angegeben; nehmen Sie Wiederholungen für mehrere Läufe davon.</translation>
    </message>
    <message>
        <source>The shape %1 needs %2 nodes, and this computer is one. Choose a target machine with that many hosts.</source>
        <translation>Die Form %1 braucht %2 Knoten, und dieser Rechner ist einer. Wählen Sie eine Zielmaschine mit so vielen Hosts.</translation>
    </message>
    <message>
        <source>Other processes keep %1 of %2 processors busy now: times and speedups would be worse than this computer&apos;s, and such runs are marked disturbed. End what runs beside, then start.</source>
        <translation>Andere Prozesse beschäftigen jetzt %1 von %2 Prozessoren: Zeiten und Speedups wären schlechter als die dieses Rechners, und solche Läufe werden als gestört markiert. Beenden Sie, was daneben läuft, und starten Sie dann.</translation>
    </message>
    <message>
        <source>%1 workers are more than any machine can run.</source>
        <translation>%1 Worker sind mehr, als irgendeine Maschine ausführen kann.</translation>
    </message>
    <message>
        <source>SCALEBENCH_ENGINE names %1, which does not exist or cannot be executed, so scalebench-engine was not found.</source>
        <translation>SCALEBENCH_ENGINE nennt %1, das es nicht gibt oder das nicht ausführbar ist; scalebench-engine wurde also nicht gefunden.</translation>
    </message>
    <message>
        <source>The training engine scalebench-engine was not found beside this program or in PATH. Build or install it, or name it in SCALEBENCH_ENGINE.</source>
        <translation>Die Trainings-Engine scalebench-engine wurde weder neben diesem Programm noch in PATH gefunden. Bauen oder installieren Sie sie, oder nennen Sie sie in SCALEBENCH_ENGINE.</translation>
    </message>
    <message>
        <source>CUDA cannot be used here: %1. Choose the device &quot;cpu&quot; to train on this machine&apos;s processors.</source>
        <translation>CUDA ist hier nicht benutzbar: %1. Wählen Sie das Gerät „cpu“, um auf den Prozessoren dieser Maschine zu trainieren.</translation>
    </message>
    <message>
        <source>A failed run can be tried again 0 to 100 times; %1 is not possible.</source>
        <translation>Ein fehlgeschlagener Lauf kann 0- bis 100-mal wiederholt werden; %1 geht nicht.</translation>
    </message>
    <message>
        <source>The batch policy &quot;%1&quot; is not known%2. Known: %3.</source>
        <translation>Die Batchregel „%1“ ist nicht bekannt%2. Bekannt: %3.</translation>
    </message>
    <message>
        <source>The batch must be at least 1; %1 is not possible.</source>
        <translation>Der Batch muss mindestens 1 sein; %1 geht nicht.</translation>
    </message>
    <message>
        <source>A batch of %1 samples is too large.</source>
        <translation>Ein Batch von %1 Samples ist zu groß.</translation>
    </message>
    <message>
        <source>%1 workers × %2 accumulation steps</source>
        <translation>%1 Worker × %2 Akkumulationsschritte</translation>
    </message>
    <message>
        <source>A batch of %1 is smaller than %2: every worker needs at least one sample. Use %3.</source>
        <translation>Ein Batch von %1 ist kleiner als %2: Jeder Worker braucht mindestens ein Sample. Nehmen Sie %3.</translation>
    </message>
    <message>
        <source>A batch of %1 cannot be divided evenly among %2. The nearest that fits is %3.</source>
        <translation>Ein Batch von %1 lässt sich nicht gleichmäßig auf %2 verteilen. Der nächste passende ist %3.</translation>
    </message>
    <message>
        <source>The number of epochs must be between 1 and 100000; %1 is not possible.</source>
        <translation>Die Zahl der Epochen muss zwischen 1 und 100000 liegen; %1 geht nicht.</translation>
    </message>
    <message>
        <source>The number of repeats must be between 1 and 1000; %1 is not possible.</source>
        <translation>Die Zahl der Wiederholungen muss zwischen 1 und 1000 liegen; %1 geht nicht.</translation>
    </message>
    <message>
        <source>The learning rate must be greater than 0; %1 is not possible.</source>
        <translation>Die Lernrate muss größer als 0 sein; %1 geht nicht.</translation>
    </message>
    <message>
        <source>%1 workers with %2 threads each are more than this machine&apos;s %3 processors; they will slow each other down.</source>
        <translation>%1 Worker mit je %2 Threads sind mehr als die %3 Prozessoren dieser Maschine; sie werden sich gegenseitig bremsen.</translation>
    </message>
    <message>
        <source>The target must be greater than 0 and at most 1 (0.8 means 80 %); %1 is not possible.</source>
        <translation>Das Ziel muss größer als 0 und höchstens 1 sein (0.8 bedeutet 80 %); %1 geht nicht.</translation>
    </message>
    <message>
        <source>The target must be greater than 0 and at most 100 (BLEU); %1 is not possible.</source>
        <translation>Das Ziel muss größer als 0 und höchstens 100 sein (BLEU); %1 geht nicht.</translation>
    </message>
    <message>
        <source>The target must be greater than 0; %1 is not possible.</source>
        <translation>Das Ziel muss größer als 0 sein; %1 geht nicht.</translation>
    </message>
    <message>
        <source>Synthetic data is random and only measures speed, so it cannot have a target. Leave the target out or choose other data.</source>
        <translation>Synthetische Daten sind zufällig und messen nur Geschwindigkeit, also können sie kein Ziel haben. Lassen Sie das Ziel weg, oder wählen Sie andere Daten.</translation>
    </message>
    <message>
        <source>%1 makes a difference only on the device %2; these runs train on %3 and will be the same without it.</source>
        <translation>%1 macht nur auf dem Gerät %2 einen Unterschied; diese Läufe trainieren auf %3 und sind ohne dies gleich.</translation>
    </message>
    <message>
        <source>The scale &quot;%1&quot; trains on real data: give its folder or file. %2. Or use &quot;synthetic&quot; to measure speed only.</source>
        <translation>Der Maßstab „%1“ trainiert mit echten Daten: Geben Sie Ordner oder Datei an. %2. Oder nehmen Sie „synthetic“, um nur die Geschwindigkeit zu messen.</translation>
    </message>
    <message>
        <source>The data path &quot;%1&quot; is one on the hosts of &quot;%2&quot;: give it absolute or from the home folder there (~/…).</source>
        <translation>Der Datenpfad „%1“ gilt auf den Hosts von „%2“: Geben Sie ihn absolut oder vom dortigen Benutzerverzeichnis aus an (~/…).</translation>
    </message>
    <message>
        <source>The data folder or file %1 does not exist. Check the path.</source>
        <translation>Den Datenordner oder die Datei %1 gibt es nicht. Prüfen Sie den Pfad.</translation>
    </message>
    <message>
        <source>%1 may not be read by this user. Change its rights.</source>
        <translation>%1 darf von diesem Benutzer nicht gelesen werden. Ändern Sie die Rechte.</translation>
    </message>
    <message>
        <source>The data folder %1 is empty. Expected: %2.</source>
        <translation>Der Datenordner %1 ist leer. Erwartet: %2.</translation>
    </message>
    <message>
        <source>The data file %1 is empty. Expected: %2.</source>
        <translation>Die Datendatei %1 ist leer. Erwartet: %2.</translation>
    </message>
    <message>
        <source>Time-out of a collective</source>
        <translation>Zeitlimit kollektiver Operationen</translation>
    </message>
    <message>
        <source>Batch policy</source>
        <translation>Batchregel</translation>
    </message>
    <message>
        <source>Epochs at most</source>
        <translation>Höchstzahl der Epochen</translation>
    </message>
    <message>
        <source>Threads per worker</source>
        <translation>Threads je Worker</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>Lernrate</translation>
    </message>
    <message>
        <source>Synchronised batch norm</source>
        <translation>Synchronisierte Batch-Norm</translation>
    </message>
    <message>
        <source>Optimizer state shared out</source>
        <translation>Optimiererzustand aufgeteilt</translation>
    </message>
    <message>
        <source>Fused optimizer</source>
        <translation>Fusionierter Optimierer</translation>
    </message>
    <message>
        <source>Evaluation beside training</source>
        <translation>Auswertung neben dem Training</translation>
    </message>
    <message>
        <source>Packed sequences</source>
        <translation>Gepackte Sequenzen</translation>
    </message>
    <message>
        <source>Aligned batch</source>
        <translation>Ausgerichteter Batch</translation>
    </message>
    <message>
        <source>CUDA graphs</source>
        <translation>CUDA-Graphen</translation>
    </message>
    <message>
        <source>Bucket size</source>
        <translation>Bucketgröße</translation>
    </message>
    <message>
        <source>Gradient accumulation</source>
        <translation>Gradientenakkumulation</translation>
    </message>
    <message>
        <source>Epochs between checkpoints</source>
        <translation>Epochen zwischen Checkpoints</translation>
    </message>
    <message>
        <source>Gradient exchange</source>
        <translation>Gradientenaustausch</translation>
    </message>
    <message>
        <source>Hot rows</source>
        <translation>Häufige Zeilen</translation>
    </message>
    <message>
        <source>Input threads</source>
        <translation>Eingabe-Threads</translation>
    </message>
    <message>
        <source>Memory limit</source>
        <translation>Speichergrenze</translation>
    </message>
    <message>
        <source>Loss scale</source>
        <translation>Loss-Skalierung</translation>
    </message>
    <message>
        <source>Weight decay</source>
        <translation>Weight Decay</translation>
    </message>
    <message>
        <source>Label smoothing</source>
        <translation>Label-Smoothing</translation>
    </message>
    <message>
        <source>name several workloads</source>
        <translation>nennen Sie mehrere Workloads</translation>
    </message>
    <message>
        <source>give the study or its workload a scale</source>
        <translation>geben Sie der Studie oder ihrem Workload einen Maßstab</translation>
    </message>
    <message>
        <source>use the worker counts (--workers)</source>
        <translation>nehmen Sie die Workerzahlen (--workers)</translation>
    </message>
    <message>
        <source>use shapes (--shapes)</source>
        <translation>nehmen Sie Formen (--shapes)</translation>
    </message>
    <message>
        <source>choose a machine (--machine)</source>
        <translation>wählen Sie eine Maschine (--machine)</translation>
    </message>
    <message>
        <source>use repeats, each with the next seed (--repeats, --seed)</source>
        <translation>nehmen Sie Wiederholungen, jede mit dem nächsten Seed (--repeats, --seed)</translation>
    </message>
    <message>
        <source>use repeats (--repeats)</source>
        <translation>nehmen Sie Wiederholungen (--repeats)</translation>
    </message>
    <message>
        <source>make a study for each device (--device)</source>
        <translation>machen Sie für jedes Gerät eine Studie (--device)</translation>
    </message>
    <message>
        <source>give the data (--data)</source>
        <translation>geben Sie die Daten an (--data)</translation>
    </message>
    <message>
        <source>on or off</source>
        <translation>an oder aus</translation>
    </message>
    <message>
        <source>a name</source>
        <translation>ein Name</translation>
    </message>
    <message>
        <source>one of %1</source>
        <translation>eines von %1</translation>
    </message>
    <message>
        <source>a whole number from %1 to %2</source>
        <translation>eine ganze Zahl von %1 bis %2</translation>
    </message>
    <message>
        <source>a number from %1 to %2</source>
        <translation>eine Zahl von %1 bis %2</translation>
    </message>
    <message>
        <source>&quot;%1&quot; must be %2, found %3.</source>
        <translation>„%1“ muss %2 sein; gefunden: %3.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not a setting of the recipe: %2.</source>
        <translation>„%1“ ist keine Einstellung des Rezepts: %2.</translation>
    </message>
    <message>
        <source>%1 has no setting &quot;%2&quot;%3. &quot;scalebench workloads %1&quot; lists them.</source>
        <translation>%1 hat keine Einstellung „%2“%3. „scalebench workloads %1“ zählt sie auf.</translation>
    </message>
    <message>
        <source>like %1 of the recipe</source>
        <translation>wie %1 des Rezepts</translation>
    </message>
    <message>
        <source>%1 from %2 to %3</source>
        <translation>%1 von %2 bis %3</translation>
    </message>
    <message>
        <source>%1 from %2</source>
        <translation>%1 ab %2</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 bis %2</translation>
    </message>
    <message>
        <source>%1 with at least %2 entry</source>
        <translation>%1 mit mindestens %2 Eintrag</translation>
    </message>
    <message>
        <source>%1 of %2 to %3 entries</source>
        <translation>%1 mit %2 bis %3 Einträgen</translation>
    </message>
    <message>
        <source>%1 is not allowed here.</source>
        <translation>%1 ist hier nicht erlaubt.</translation>
    </message>
    <message>
        <source>%1 must be %2, found %3.</source>
        <translation>%1 muss %2 sein; gefunden: %3.</translation>
    </message>
    <message>
        <source>%1.%2 is missing.</source>
        <translation>%1.%2 fehlt.</translation>
    </message>
    <message>
        <source>%1: the name of an entry must be %2.</source>
        <translation>%1: Der Name eines Eintrags muss %2 sein.</translation>
    </message>
    <message>
        <source>%1 is not known. Allowed: %2.</source>
        <translation>%1 ist nicht bekannt. Erlaubt: %2.</translation>
    </message>
    <message>
        <source>%1 is not known%2.</source>
        <translation>%1 ist nicht bekannt%2.</translation>
    </message>
    <message>
        <source>Choose a smaller network or fewer workers.</source>
        <translation>Wählen Sie ein kleineres Netz oder weniger Worker.</translation>
    </message>
    <message>
        <source>%1 workers, each on a node with as much, would hold it.</source>
        <translation>%1 Worker, jeder auf einem ebensolchen Knoten, würden es fassen.</translation>
    </message>
    <message>
        <source>about %1 for network and batches on a worker</source>
        <translation>etwa %1 für Netz und Batches auf einem Worker</translation>
    </message>
    <message>
        <source>about %1 for the network on a worker</source>
        <translation>etwa %1 für das Netz auf einem Worker</translation>
    </message>
    <message>
        <source>The %1 &quot;%2&quot; is not known%3. Known: %4.</source>
        <translation>%1 „%2“ ist nicht bekannt%3. Bekannt: %4.</translation>
    </message>
    <message>
        <source>%1 names &quot;%2&quot;, which is no metric of %3. Known: %4.</source>
        <translation>%1 nennt „%2“, das keine Metrik von %3 ist. Bekannt: %4.</translation>
    </message>
    <message>
        <source>%1 must be at most %2 for %3, found the number %4.</source>
        <translation>%1 darf für %3 höchstens %2 sein; gefunden: die Zahl %4.</translation>
    </message>
    <message>
        <source>$.metrics has &quot;%1&quot;; the engine measures %2 in other ways. Leave metrics out.</source>
        <translation>$.metrics enthält „%1“; die Engine misst %2 auf andere Weise. Lassen Sie metrics weg.</translation>
    </message>
    <message>
        <source>$.scales.%1 is a scale of %2 already. Give yours another name.</source>
        <translation>$.scales.%1 ist schon ein Maßstab von %2. Geben Sie Ihrem einen anderen Namen.</translation>
    </message>
    <message>
        <source>$.models.%1 is known with other figures. Leave it out.</source>
        <translation>$.models.%1 ist mit anderen Zahlen bekannt. Lassen Sie es weg.</translation>
    </message>
    <message>
        <source>%1: &quot;target&quot; names %2 metrics; %3 is the most.</source>
        <translation>%1: „target“ nennt %2 Metriken; %3 sind das Höchste.</translation>
    </message>
    <message>
        <source>%1: &quot;target&quot; has &quot;%2&quot;, which is no name of a metric.</source>
        <translation>%1: „target“ enthält „%2“, was kein Name einer Metrik ist.</translation>
    </message>
    <message>
        <source>This plan stands for %L1 runs; %L2 is the most. Give fewer values, shapes or repeats.</source>
        <translation>Dieser Plan steht für %L1 Läufe; %L2 sind das Höchste. Geben Sie weniger Werte, Formen oder Wiederholungen an.</translation>
    </message>
    <message>
        <source>%1 has an empty list; give at least one value, or leave it out.</source>
        <translation>%1 hat eine leere Liste; geben Sie mindestens einen Wert an, oder lassen Sie es weg.</translation>
    </message>
    <message>
        <source>%1 must be true, false, a number, a text or a list of these, found %2.</source>
        <translation>%1 muss true, false, eine Zahl, ein Text oder eine Liste davon sein; gefunden: %2.</translation>
    </message>
    <message>
        <source>%1 has the value %2 twice; use repeats for several runs of it.</source>
        <translation>%1 hat den Wert %2 zweimal; nehmen Sie Wiederholungen für mehrere Läufe davon.</translation>
    </message>
    <message>
        <source>%1 is given twice: &quot;%2&quot; says it too. Leave one of them out.</source>
        <translation>%1 ist zweimal angegeben: Auch „%2“ sagt es. Lassen Sie eines davon weg.</translation>
    </message>
    <message>
        <source>%1: &quot;workloads&quot; must be a list of 1 to %2 names or objects.</source>
        <translation>%1: „workloads“ muss eine Liste von 1 bis %2 Namen oder Objekten sein.</translation>
    </message>
    <message>
        <source>%1: &quot;workload&quot; and &quot;workloads&quot; are both there. Leave one of them out.</source>
        <translation>%1: „workload“ und „workloads“ sind beide da. Lassen Sie eines weg.</translation>
    </message>
    <message>
        <source>%1: &quot;%2&quot; must be a name or an object { … }, found %3.</source>
        <translation>%1: „%2“ muss ein Name oder ein Objekt { … } sein; gefunden: %3.</translation>
    </message>
    <message>
        <source>%1: &quot;%2&quot; has %3 entries; %4 is the most.</source>
        <translation>%1: „%2“ hat %3 Einträge; %4 sind das Höchste.</translation>
    </message>
    <message>
        <source>%1: &quot;shapes&quot; holds &quot;%2&quot;; a shape is nodes x workers per node, for example &quot;2x4&quot;.</source>
        <translation>%1: „shapes“ enthält „%2“; eine Form ist Knoten x Worker je Knoten, zum Beispiel „2x4“.</translation>
    </message>
    <message>
        <source>%1: &quot;batch_table&quot; maps worker counts to batches; &quot;%2&quot; is not a worker count.</source>
        <translation>%1: „batch_table“ ordnet Workerzahlen Batches zu; „%2“ ist keine Workerzahl.</translation>
    </message>
    <message>
        <source>%1: &quot;precisions&quot; is empty. Give at least one precision, or leave it out.</source>
        <translation>%1: „precisions“ ist leer. Geben Sie mindestens ein Zahlenformat an, oder lassen Sie es weg.</translation>
    </message>
    <message>
        <source>%1: &quot;seed&quot; must not be negative.</source>
        <translation>%1: „seed“ darf nicht negativ sein.</translation>
    </message>
    <message>
        <source>%1 is no folder that can be read.</source>
        <translation>%1 ist kein lesbarer Ordner.</translation>
    </message>
    <message>
        <source>%1: only the first %2 of %3 recipes are read.</source>
        <translation>%1: Nur die ersten %2 von %3 Rezepten werden gelesen.</translation>
    </message>
    <message>
        <source>%1: $.id is &quot;%2&quot;, which the engine does not train. Known: %3.</source>
        <translation>%1: $.id ist „%2“, was die Engine nicht trainiert. Bekannt: %3.</translation>
    </message>
    <message>
        <source>signal 9, for example by the system when memory is full</source>
        <translation>Signal 9, zum Beispiel vom System, wenn der Arbeitsspeicher voll ist</translation>
    </message>
    <message>
        <source>signal 15, somebody ended it</source>
        <translation>Signal 15, jemand hat ihn beendet</translation>
    </message>
    <message>
        <source>signal 11, it accessed memory that is not its own</source>
        <translation>Signal 11, Zugriff auf fremden Speicher</translation>
    </message>
    <message>
        <source>signal 6, it gave up on itself</source>
        <translation>Signal 6, er gab selbst auf</translation>
    </message>
    <message>
        <source>signal 7, for example when shared memory or the disk is full</source>
        <translation>Signal 7, zum Beispiel wenn gemeinsamer Speicher oder Datenträger voll ist</translation>
    </message>
    <message>
        <source>signal 4, an instruction this processor does not have</source>
        <translation>Signal 4, ein Befehl, den dieser Prozessor nicht hat</translation>
    </message>
    <message>
        <source>signal 8, an arithmetic error</source>
        <translation>Signal 8, ein Rechenfehler</translation>
    </message>
    <message>
        <source>signal %1</source>
        <translation>Signal %1</translation>
    </message>
    <message>
        <source>before the first step; nothing was trained</source>
        <translation>vor dem ersten Schritt; nichts wurde trainiert</translation>
    </message>
    <message>
        <source>at epoch %1; 1 complete epoch is kept</source>
        <translation>in Epoche %1; 1 vollständige Epoche blieb erhalten</translation>
    </message>
    <message>
        <source>at epoch %1; %2 complete epochs are kept</source>
        <translation>in Epoche %1; %2 vollständige Epochen blieben erhalten</translation>
    </message>
    <message>
        <source>gave up (code %1)</source>
        <translation>gab auf (Code %1)</translation>
    </message>
    <message>
        <source>ended with exit code %1</source>
        <translation>endete mit Exit-Code %1</translation>
    </message>
    <message>
        <source>ended in the midst of its work</source>
        <translation>endete mitten in der Arbeit</translation>
    </message>
    <message>
        <source>lost its connection to another one, which had ended,</source>
        <translation>verlor die Verbindung zu einem anderen, der geendet hatte,</translation>
    </message>
    <message>
        <source>was killed (%1)</source>
        <translation>wurde beendet (%1)</translation>
    </message>
    <message>
        <source>%1 was lost (%2) %3. The other hosts&apos; processes were ended.</source>
        <translation>%1 ging verloren (%2) %3. Die Prozesse der anderen Hosts wurden beendet.</translation>
    </message>
    <message>
        <source>it stopped answering: its network is cut or it was switched off</source>
        <translation>er antwortet nicht mehr: vom Netz getrennt oder ausgeschaltet</translation>
    </message>
    <message>
        <source>the connection to it broke: it went down or its network failed</source>
        <translation>die Verbindung riss ab: der Host oder sein Netz ist ausgefallen</translation>
    </message>
    <message>
        <source>%1 could not connect back to mpirun: a firewall between the hosts rejects it, or the wrong network interface is used. Allow the connections, or name the interface in the target machine.</source>
        <translation>%1 konnte sich nicht mit mpirun zurückverbinden: Eine Firewall zwischen den Hosts weist es ab, oder es wird die falsche Netzwerkschnittstelle benutzt. Erlauben Sie die Verbindungen, oder nennen Sie die Schnittstelle in der Zielmaschine.</translation>
    </message>
    <message>
        <source>it stopped answering: its network is cut, or it was switched off</source>
        <translation>er antwortet nicht mehr: vom Netz getrennt, oder ausgeschaltet</translation>
    </message>
    <message>
        <source>%1; what it has beyond the copy here is fetched when the run is resumed</source>
        <translation>%1; was dort über die hiesige Kopie hinaus liegt, wird geholt, wenn der Lauf fortgesetzt wird</translation>
    </message>
    <message>
        <source>%1 on %2</source>
        <translation>%1 auf %2</translation>
    </message>
    <message>
        <source>the study %1 of %2 from %3</source>
        <translation>die Studie %1 von %2 auf %3</translation>
    </message>
    <message>
        <source>The engine could not be started: %1 is no program for this kind of computer. Build or install it again.</source>
        <translation>Die Engine konnte nicht gestartet werden: %1 ist kein Programm für diese Rechnerart. Bauen oder installieren Sie sie neu.</translation>
    </message>
    <message>
        <source>%1 was not found. Install Open MPI (Debian, Ubuntu: apt install openmpi-bin)</source>
        <translation>%1 wurde nicht gefunden. Installieren Sie Open MPI (Debian, Ubuntu: apt install openmpi-bin)</translation>
    </message>
    <message>
        <source>mpirun could not be started: %1.</source>
        <translation>mpirun konnte nicht gestartet werden: %1.</translation>
    </message>
    <message>
        <source>No run of the study in %1 has failed.</source>
        <translation>Kein Lauf der Studie in %1 ist fehlgeschlagen.</translation>
    </message>
    <message>
        <source>Which runs of the study in %1?</source>
        <translation>Welche Läufe der Studie in %1?</translation>
    </message>
    <message>
        <source>No run of the study in %1 that has ended was disturbed.</source>
        <translation>Kein beendeter Lauf der Studie in %1 wurde gestört.</translation>
    </message>
    <message>
        <source>All runs of the study in %1 have ended by themselves: there is nothing to resume.</source>
        <translation>Alle Läufe der Studie in %1 haben von selbst geendet: Es gibt nichts fortzusetzen.</translation>
    </message>
    <message>
        <source>The run &quot;%1&quot; has not failed.</source>
        <translation>Der Lauf „%1“ ist nicht fehlgeschlagen.</translation>
    </message>
    <message>
        <source>The run &quot;%1&quot; has not ended.</source>
        <translation>Der Lauf „%1“ ist nicht zu Ende.</translation>
    </message>
    <message>
        <source>The run &quot;%1&quot; has not ended, or was not disturbed.</source>
        <translation>Der Lauf „%1“ ist nicht zu Ende, oder er wurde nicht gestört.</translation>
    </message>
    <message>
        <source>The run &quot;%1&quot; has ended by itself: there is nothing to resume.</source>
        <translation>Der Lauf „%1“ hat von selbst geendet: Es gibt nichts fortzusetzen.</translation>
    </message>
    <message>
        <source>The study has no run &quot;%1&quot;. Its runs: %2.</source>
        <translation>Die Studie hat keinen Lauf „%1“. Ihre Läufe: %2.</translation>
    </message>
    <message>
        <source>The study in %1 is running. Wait for it, or stop it first.</source>
        <translation>Die Studie in %1 läuft. Warten Sie, oder halten Sie sie zuerst an.</translation>
    </message>
    <message>
        <source>The checkpoint in %1 could not be removed. May the folder be written to?</source>
        <translation>Der Checkpoint in %1 konnte nicht entfernt werden. Darf in den Ordner geschrieben werden?</translation>
    </message>
    <message>
        <source>%1 of its processes could not be ended.</source>
        <translation>%1 seiner Prozesse konnten nicht beendet werden.</translation>
    </message>
    <message>
        <source>%1 is full: the run ended %2. Free some space and resume it.</source>
        <translation>%1 ist voll: Der Lauf endete %2. Schaffen Sie Platz, und setzen Sie ihn fort.</translation>
    </message>
    <message>
        <source>mpirun was killed (%1) %2.</source>
        <translation>mpirun wurde beendet (%1) %2.</translation>
    </message>
    <message>
        <source>%1 (best %2), target %3</source>
        <translation>%1 (bester Wert %2), Ziel %3</translation>
    </message>
    <message>
        <source>Ended at %1: kept as not converged.</source>
        <translation>Endete bei %1: als nicht konvergiert gespeichert.</translation>
    </message>
    <message>
        <source>All of its processes have ended.</source>
        <translation>Alle seine Prozesse sind beendet.</translation>
    </message>
    <message>
        <source>Stopped %1. %2</source>
        <translation>Angehalten %1. %2</translation>
    </message>
    <message>
        <source>rank %1</source>
        <translation>Rang %1</translation>
    </message>
    <message>
        <source>rank %1 on %2</source>
        <translation>Rang %1 auf %2</translation>
    </message>
    <message>
        <source>The GPU of %1 failed %2. Most likely the card, its power or its driver: the kernel log there has the driver&apos;s line (dmesg | grep Xid). Resume the run, without this GPU if it fails again.</source>
        <translation>Die GPU von %1 ist ausgefallen %2. Am ehesten liegt es an Karte, Stromversorgung oder Treiber: Die Zeile des Treibers steht dort im Kernelprotokoll (dmesg | grep Xid). Setzen Sie den Lauf fort, ohne diese GPU, wenn sie wieder ausfällt.</translation>
    </message>
    <message>
        <source>The GPUs could not exchange gradients: NCCL failed on %1 %2. Most likely another worker ended or NCCL chose a network that does not connect the nodes: the machine&apos;s NCCL settings name one (SOCKET_IFNAME), and DEBUG=WARN tells more.</source>
        <translation>Die GPUs konnten keine Gradienten austauschen: NCCL schlug fehl auf %1 %2. Am ehesten endete ein anderer Worker, oder NCCL wählte ein Netz, das die Knoten nicht verbindet: Die NCCL-Einstellungen der Maschine nennen eines (SOCKET_IFNAME), und DEBUG=WARN sagt mehr.</translation>
    </message>
    <message>
        <source>%1 cannot be computed on the device &quot;%2&quot; of %3. Choose fp32 or bf16, or fp16 on a GPU.</source>
        <translation>%1 kann auf dem Gerät „%2“ von %3 nicht gerechnet werden. Wählen Sie fp32 oder bf16, auf einer GPU auch fp16.</translation>
    </message>
    <message>
        <source>Rank %1: %2</source>
        <translation>Rang %1: %2</translation>
    </message>
    <message>
        <source>The training diverged: %1</source>
        <translation>Das Training divergierte: %1</translation>
    </message>
    <message>
        <source>The engine could not be started: the system cannot execute it; most likely it was built for another kind of computer.</source>
        <translation>Die Engine konnte nicht gestartet werden: Das System kann sie nicht ausführen; am ehesten ist sie für eine andere Rechnerart gebaut.</translation>
    </message>
    <message>
        <source>The engine could not be started on %1: the system cannot execute it; most likely it was built for another kind of computer.</source>
        <translation>Die Engine konnte auf %1 nicht gestartet werden: Das System kann sie nicht ausführen; am ehesten ist sie für eine andere Rechnerart gebaut.</translation>
    </message>
    <message>
        <source>Rank %1 %2 %3.</source>
        <translation>Rang %1 %2 %3.</translation>
    </message>
    <message>
        <source>Rank %1 on %2 %3 %4.</source>
        <translation>Rang %1 auf %2 %3 %4.</translation>
    </message>
    <message>
        <source>The disk is full</source>
        <translation>Der Datenträger ist voll</translation>
    </message>
    <message>
        <source>The disk or shared memory is full</source>
        <translation>Der Datenträger oder der gemeinsame Speicher ist voll</translation>
    </message>
    <message>
        <source>The disk quota is used up</source>
        <translation>Das Speicherkontingent ist erschöpft</translation>
    </message>
    <message>
        <source>The file system is read-only</source>
        <translation>Das Dateisystem ist schreibgeschützt</translation>
    </message>
    <message>
        <source>The network file system was lost</source>
        <translation>Das Netzwerkdateisystem ging verloren</translation>
    </message>
    <message>
        <source>The storage failed</source>
        <translation>Der Datenträger versagte</translation>
    </message>
    <message>
        <source>The memory is full</source>
        <translation>Der Arbeitsspeicher ist voll</translation>
    </message>
    <message>
        <source>%1: the run ended %2.</source>
        <translation>%1: Der Lauf endete %2.</translation>
    </message>
    <message>
        <source>%1 on %2: the run ended %3.</source>
        <translation>%1 auf %2: Der Lauf endete %3.</translation>
    </message>
    <message>
        <source>The engine could not be started: a shared library is missing.</source>
        <translation>Die Engine konnte nicht gestartet werden: Eine Programmbibliothek fehlt.</translation>
    </message>
    <message>
        <source>The engine could not be started: it needs a newer system library.</source>
        <translation>Die Engine konnte nicht gestartet werden: Sie braucht eine neuere Systembibliothek.</translation>
    </message>
    <message>
        <source>The disk or shared memory is full.</source>
        <translation>Der Datenträger oder der gemeinsame Speicher ist voll.</translation>
    </message>
    <message>
        <source>The engine ended without its closing record %1.</source>
        <translation>Die Engine endete ohne ihren abschließenden Eintrag %1.</translation>
    </message>
    <message>
        <source>mpirun was stopped from outside (exit code 1, no message) %1.</source>
        <translation>mpirun wurde von außen angehalten (Exit-Code 1, keine Meldung) %1.</translation>
    </message>
    <message>
        <source>mpirun ended with exit code %1 %2.</source>
        <translation>mpirun endete mit Exit-Code %1 %2.</translation>
    </message>
    <message>
        <source>It said: %1</source>
        <translation>Die Meldung: %1</translation>
    </message>
    <message>
        <source>Its last line: %1</source>
        <translation>Die letzte Zeile: %1</translation>
    </message>
    <message>
        <source>Waits for the study %1 on the same machine.</source>
        <translation>Wartet auf die Studie %1 auf derselben Maschine.</translation>
    </message>
    <message>
        <source>is down, so it is not known whether something is left there</source>
        <translation>ist ausgefallen; ob dort etwas übrig ist, ist nicht bekannt</translation>
    </message>
    <message>
        <source>may still run Slurm job %1; Slurm does not answer</source>
        <translation>führt vielleicht noch Slurm-Job %1 aus; Slurm antwortet nicht</translation>
    </message>
    <message>
        <source>has not yet told Slurm that nothing of job %1 is left</source>
        <translation>hat Slurm noch nicht gemeldet, dass von Job %1 nichts übrig ist</translation>
    </message>
    <message>
        <source>does not answer; job %1 may still run or wait</source>
        <translation>antwortet nicht; Job %1 läuft oder wartet vielleicht noch</translation>
    </message>
    <message>
        <source>%1 does not exist. Install the engine there: scalebench machines deploy %2.</source>
        <translation>%1 gibt es nicht. Installieren Sie dort die Engine: scalebench machines deploy %2.</translation>
    </message>
    <message>
        <source>Submitted to Slurm as job %1</source>
        <translation>Als Job %1 an Slurm übergeben</translation>
    </message>
    <message>
        <source>its time limit is above that of the partition</source>
        <translation>sein Zeitlimit liegt über dem der Partition</translation>
    </message>
    <message>
        <source>it asks for more or fewer nodes than the partition gives to a job</source>
        <translation>er verlangt mehr oder weniger Knoten, als die Partition einem Job gibt</translation>
    </message>
    <message>
        <source>the partition does not have that many nodes or processors</source>
        <translation>die Partition hat nicht so viele Knoten oder Prozessoren</translation>
    </message>
    <message>
        <source>no node is as it asks for</source>
        <translation>kein Knoten ist, wie er ihn verlangt</translation>
    </message>
    <message>
        <source>its account is not known</source>
        <translation>sein Konto ist nicht bekannt</translation>
    </message>
    <message>
        <source>its quality of service is not known</source>
        <translation>seine Dienstgüte (QOS) ist nicht bekannt</translation>
    </message>
    <message>
        <source>its account may not use the partition</source>
        <translation>sein Konto darf die Partition nicht benutzen</translation>
    </message>
    <message>
        <source>its quality of service may not be used in the partition</source>
        <translation>seine Dienstgüte (QOS) darf in der Partition nicht benutzt werden</translation>
    </message>
    <message>
        <source>your account may not have that many nodes in one job</source>
        <translation>Ihr Konto darf nicht so viele Knoten in einem Job haben</translation>
    </message>
    <message>
        <source>your account may not have that many processors in one job</source>
        <translation>Ihr Konto darf nicht so viele Prozessoren in einem Job haben</translation>
    </message>
    <message>
        <source>your account may not ask for so much time</source>
        <translation>Ihr Konto darf nicht so viel Zeit verlangen</translation>
    </message>
    <message>
        <source>the quality of service does not allow that many nodes in one job</source>
        <translation>die Dienstgüte (QOS) erlaubt nicht so viele Knoten in einem Job</translation>
    </message>
    <message>
        <source>the quality of service does not allow that many processors in one job</source>
        <translation>die Dienstgüte (QOS) erlaubt nicht so viele Prozessoren in einem Job</translation>
    </message>
    <message>
        <source>the quality of service does not allow so much time</source>
        <translation>die Dienstgüte (QOS) erlaubt nicht so viel Zeit</translation>
    </message>
    <message>
        <source>an administrator holds it back</source>
        <translation>ein Administrator hält ihn zurück</translation>
    </message>
    <message>
        <source>it is held back; &quot;scontrol release&quot; lets it go</source>
        <translation>er wird zurückgehalten; „scontrol release“ gibt ihn frei</translation>
    </message>
    <message>
        <source>the job it depends on failed</source>
        <translation>der Job, von dem er abhängt, schlug fehl</translation>
    </message>
    <message>
        <source>other jobs come first</source>
        <translation>andere Jobs kommen zuerst</translation>
    </message>
    <message>
        <source>the nodes it needs are busy</source>
        <translation>die nötigen Knoten sind beschäftigt</translation>
    </message>
    <message>
        <source>nodes it needs are down or reserved</source>
        <translation>nötige Knoten sind ausgefallen oder reserviert</translation>
    </message>
    <message>
        <source>its time to begin has not come</source>
        <translation>seine Startzeit ist noch nicht gekommen</translation>
    </message>
    <message>
        <source>another job must end first</source>
        <translation>erst muss ein anderer Job enden</translation>
    </message>
    <message>
        <source>the partition is closed at the moment</source>
        <translation>die Partition ist zurzeit geschlossen</translation>
    </message>
    <message>
        <source>nodes it needs are down</source>
        <translation>nötige Knoten sind ausgefallen</translation>
    </message>
    <message>
        <source>its reservation has not begun</source>
        <translation>seine Reservierung hat noch nicht begonnen</translation>
    </message>
    <message>
        <source>licences it needs are in use</source>
        <translation>nötige Lizenzen sind vergeben</translation>
    </message>
    <message>
        <source>all that your quality of service may use at once is in use</source>
        <translation>alles, was Ihre Dienstgüte (QOS) zugleich benutzen darf, ist vergeben</translation>
    </message>
    <message>
        <source>you may not use more at once in your quality of service</source>
        <translation>mehr dürfen Sie in Ihrer Dienstgüte (QOS) nicht zugleich benutzen</translation>
    </message>
    <message>
        <source>a limit of your quality of service is reached</source>
        <translation>eine Grenze Ihrer Dienstgüte (QOS) ist erreicht</translation>
    </message>
    <message>
        <source>all that your account may use (at once, or in all) is used</source>
        <translation>alles, was Ihr Konto (zugleich oder insgesamt) benutzen darf, ist vergeben</translation>
    </message>
    <message>
        <source>you may not use more at once in your account</source>
        <translation>mehr dürfen Sie in Ihrem Konto nicht zugleich benutzen</translation>
    </message>
    <message>
        <source>a limit of your account is reached</source>
        <translation>eine Grenze Ihres Kontos ist erreicht</translation>
    </message>
    <message>
        <source>the nodes are being prepared</source>
        <translation>die Knoten werden vorbereitet</translation>
    </message>
    <message>
        <source>Waiting: Slurm does not answer at the moment</source>
        <translation>Wartet: Slurm antwortet zurzeit nicht</translation>
    </message>
    <message>
        <source>Slurm prepares the nodes</source>
        <translation>Slurm bereitet die Knoten vor</translation>
    </message>
    <message>
        <source>Slurm has suspended the job</source>
        <translation>Slurm hat den Job angehalten</translation>
    </message>
    <message>
        <source>This job can never start: %1 (%2). Stop it and change the target machine or the plan</source>
        <translation>Dieser Job kann nie starten: %1 (%2). Halten Sie ihn an, und ändern Sie die Zielmaschine oder den Plan</translation>
    </message>
    <message>
        <source>Waiting in Slurm&apos;s queue</source>
        <translation>Wartet in der Warteschlange von Slurm</translation>
    </message>
    <message>
        <source>Waiting in Slurm&apos;s queue: %1</source>
        <translation>Wartet in der Warteschlange von Slurm: %1</translation>
    </message>
    <message>
        <source>Waiting in Slurm&apos;s queue; estimated start %1</source>
        <translation>Wartet in der Warteschlange von Slurm; voraussichtlicher Start %1</translation>
    </message>
    <message>
        <source>Waiting in Slurm&apos;s queue: %1; estimated start %2</source>
        <translation>Wartet in der Warteschlange von Slurm: %1; voraussichtlicher Start %2</translation>
    </message>
    <message>
        <source>sbatch was not found on %1. Is Slurm installed there and in PATH of non-interactive shells? Else name its login node in the target machine.</source>
        <translation>sbatch wurde auf %1 nicht gefunden. Ist Slurm dort installiert und im PATH nicht interaktiver Shells? Sonst nennen Sie in der Zielmaschine seinen Login-Knoten.</translation>
    </message>
    <message>
        <source>Slurm does not know the partition, or it is closed to you. &quot;sinfo&quot; lists the partitions; change it in the target machine.</source>
        <translation>Slurm kennt die Partition nicht, oder sie ist für Sie geschlossen. „sinfo“ zählt die Partitionen auf; ändern Sie sie in der Zielmaschine.</translation>
    </message>
    <message>
        <source>Slurm does not accept the account, or not in this partition. Change the account in the target machine.</source>
        <translation>Slurm nimmt das Konto nicht an, oder nicht in dieser Partition. Ändern Sie das Konto in der Zielmaschine.</translation>
    </message>
    <message>
        <source>Your account may not use this partition. Change the account or the partition in the target machine.</source>
        <translation>Ihr Konto darf diese Partition nicht benutzen. Ändern Sie Konto oder Partition in der Zielmaschine.</translation>
    </message>
    <message>
        <source>Slurm does not have the GPUs that are asked for. Change the GPUs per node in the target machine.</source>
        <translation>Slurm hat die verlangten GPUs nicht. Ändern Sie die GPUs je Knoten in der Zielmaschine.</translation>
    </message>
    <message>
        <source>Slurm refused the job: it exceeds a limit of your account or quality of service (jobs, nodes, GPUs or time).</source>
        <translation>Slurm lehnte den Job ab: Er überschreitet eine Grenze Ihres Kontos oder Ihrer Dienstgüte (Jobs, Knoten, GPUs oder Zeit).</translation>
    </message>
    <message>
        <source>Slurm does not accept the time limit: it is missing, or above what the partition allows. Change it in the target machine.</source>
        <translation>Slurm nimmt das Zeitlimit nicht an: Es fehlt oder liegt über dem, was die Partition erlaubt. Ändern Sie es in der Zielmaschine.</translation>
    </message>
    <message>
        <source>Slurm does not understand the time limit. Write it as hours:minutes:seconds in the target machine.</source>
        <translation>Slurm versteht das Zeitlimit nicht. Schreiben Sie es in der Zielmaschine als Stunden:Minuten:Sekunden.</translation>
    </message>
    <message>
        <source>No node is as this run needs it: too many workers or threads per node, GPUs or memory. Use fewer per node, or another partition.</source>
        <translation>Kein Knoten ist, wie dieser Lauf ihn braucht: zu viele Worker oder Threads je Knoten, GPUs oder Speicher. Nehmen Sie weniger je Knoten oder eine andere Partition.</translation>
    </message>
    <message>
        <source>The partition does not have that many nodes. Use fewer, or another partition.</source>
        <translation>Die Partition hat nicht so viele Knoten. Nehmen Sie weniger oder eine andere Partition.</translation>
    </message>
    <message>
        <source>More processors are asked for than may be used. Use fewer workers or threads.</source>
        <translation>Es werden mehr Prozessoren verlangt, als benutzt werden dürfen. Nehmen Sie weniger Worker oder Threads.</translation>
    </message>
    <message>
        <source>Slurm&apos;s controller does not answer on %1: it is down, or this computer does not belong to the cluster. Try again later, or ask its administrator.</source>
        <translation>Der Controller von Slurm antwortet auf %1 nicht: Er ist ausgefallen, oder dieser Rechner gehört nicht zum Cluster. Versuchen Sie es später, oder fragen Sie den Administrator.</translation>
    </message>
    <message>
        <source>Slurm refused the job: %1</source>
        <translation>Slurm lehnte den Job ab: %1</translation>
    </message>
    <message>
        <source>%1 does not have the run&apos;s folder %2. Slurm&apos;s nodes must share the folder of the study with this computer: choose a results folder on the shared file system.</source>
        <translation>%1 hat den Ordner %2 des Laufs nicht. Slurms Knoten müssen den Ordner der Studie mit diesem Rechner teilen: Wählen Sie einen Ergebnisordner auf dem gemeinsamen Dateisystem.</translation>
    </message>
    <message>
        <source>Slurm&apos;s node</source>
        <translation>Slurms Knoten</translation>
    </message>
    <message>
        <source>Node %1</source>
        <translation>Knoten %1</translation>
    </message>
    <message>
        <source>Node %1 does not have the engine. The folder of the target machine must be on a file system that the nodes share; install it there: scalebench machines deploy.</source>
        <translation>Knoten %1 hat die Engine nicht. Der Ordner der Zielmaschine muss auf einem Dateisystem liegen, das die Knoten teilen; installieren Sie sie dort: scalebench machines deploy.</translation>
    </message>
    <message>
        <source>Node %1 does not have mpirun in the Open MPI folder of the target machine. Correct that folder, or leave it empty to use the engine&apos;s own.</source>
        <translation>Knoten %1 hat kein mpirun im Open-MPI-Ordner der Zielmaschine. Berichtigen Sie den Ordner, oder lassen Sie ihn leer, um das der Engine zu benutzen.</translation>
    </message>
    <message>
        <source>The job reached its time limit in Slurm %1. Give the target machine a longer limit, and resume.</source>
        <translation>Der Job erreichte sein Zeitlimit in Slurm %1. Geben Sie der Zielmaschine ein längeres, und setzen Sie fort.</translation>
    </message>
    <message>
        <source>Slurm ended the job in favour of one with a higher priority %1. Resume it, or use another partition.</source>
        <translation>Slurm beendete den Job zugunsten eines mit höherer Priorität %1. Setzen Sie ihn fort, oder nehmen Sie eine andere Partition.</translation>
    </message>
    <message>
        <source>The job used more memory than Slurm gave it %1. Ask for more with the Slurm option --mem or --mem-per-cpu of the target machine, or use a smaller batch.</source>
        <translation>Der Job brauchte mehr Speicher, als Slurm ihm gab %1. Verlangen Sie mehr mit der Slurm-Option --mem oder --mem-per-cpu der Zielmaschine, oder nehmen Sie einen kleineren Batch.</translation>
    </message>
    <message>
        <source>%1 of the job failed %2. Resume it: Slurm then chooses nodes that work.</source>
        <translation>%1 des Jobs fiel aus %2. Setzen Sie ihn fort: Slurm wählt dann Knoten, die funktionieren.</translation>
    </message>
    <message>
        <source>A node</source>
        <translation>Ein Knoten</translation>
    </message>
    <message>
        <source>Somebody cancelled Slurm job %2 (scancel) %1.</source>
        <translation>Jemand hat den Slurm-Job %2 abgebrochen (scancel) %1.</translation>
    </message>
    <message>
        <source>Slurm job %2 is gone without a word, and Slurm no longer knows how it ended; it was %1.</source>
        <translation>Der Slurm-Job %2 ist ohne ein Wort verschwunden, und Slurm weiß nicht mehr, wie er endete; er war %1.</translation>
    </message>
    <message>
        <source>by %1</source>
        <translation>durch %1</translation>
    </message>
    <message>
        <source>with exit code %1</source>
        <translation>mit Exit-Code %1</translation>
    </message>
    <message>
        <source>Slurm job %2 ended %3 %1.</source>
        <translation>Der Slurm-Job %2 endete %3 %1.</translation>
    </message>
    <message>
        <source>Slurm job %2 ended %3 (Slurm says: %4) %1.</source>
        <translation>Der Slurm-Job %2 endete %3 (Slurm sagt: %4) %1.</translation>
    </message>
    <message>
        <source>after step %1 (epoch %2)</source>
        <translation>nach Schritt %1 (Epoche %2)</translation>
    </message>
    <message>
        <source>before the first step</source>
        <translation>vor dem ersten Schritt</translation>
    </message>
    <message>
        <source>The engine wrote nothing for %1 s after mpirun was started. Its processes may hang while starting; see the messages of mpirun.</source>
        <translation>Die Engine schrieb %1 s lang nichts, nachdem mpirun gestartet war. Vielleicht hängen ihre Prozesse beim Start; sehen Sie die Meldungen von mpirun an.</translation>
    </message>
    <message>
        <source>The engine wrote nothing for %1 s after mpirun was started on %2. Often a firewall drops what the hosts send to one another or to this computer, or the wrong network interface is used: name it in the target machine.</source>
        <translation>Die Engine schrieb %1 s lang nichts, nachdem mpirun auf %2 gestartet war. Oft verwirft eine Firewall, was die Hosts einander oder diesem Rechner senden, oder es wird die falsche Netzwerkschnittstelle benutzt: Nennen Sie sie in der Zielmaschine.</translation>
    </message>
    <message>
        <source>No progress for %1 s %2.</source>
        <translation>Kein Fortschritt seit %1 s %2.</translation>
    </message>
    <message>
        <source>No progress for %1 s %2, while busy with &quot;%3&quot;.</source>
        <translation>Kein Fortschritt seit %1 s %2, beschäftigt mit „%3“.</translation>
    </message>
    <message>
        <source>Rank %1 on %2 is gone.</source>
        <translation>Rang %1 auf %2 ist weg.</translation>
    </message>
    <message>
        <source>Rank %1 on %2 is suspended (SIGSTOP, or a debugger holds it).</source>
        <translation>Rang %1 auf %2 ist angehalten (SIGSTOP, oder ein Debugger hält ihn).</translation>
    </message>
    <message>
        <source>Rank %1 on %2 waits for a disk or the network file system.</source>
        <translation>Rang %1 auf %2 wartet auf einen Datenträger oder das Netzwerkdateisystem.</translation>
    </message>
    <message>
        <source>Rank %1 (process %2)</source>
        <translation>Rang %1 (Prozess %2)</translation>
    </message>
    <message>
        <source>A process of the run (process %1)</source>
        <translation>Ein Prozess des Laufs (Prozess %1)</translation>
    </message>
    <message>
        <source>Rank %1 on %2 (process %3)</source>
        <translation>Rang %1 auf %2 (Prozess %3)</translation>
    </message>
    <message>
        <source>A process of the run on %1 (process %2)</source>
        <translation>Ein Prozess des Laufs auf %1 (Prozess %2)</translation>
    </message>
    <message>
        <source>%1 was suspended (SIGSTOP) and not continued for %2 s; the run stood still %3 and was ended.</source>
        <translation>%1 wurde angehalten (SIGSTOP) und %2 s lang nicht fortgesetzt; der Lauf stand still %3 und wurde beendet.</translation>
    </message>
    <message>
        <source>Not started: %1 had reached the target already.</source>
        <translation>Nicht gestartet: %1 hatte das Ziel schon erreicht.</translation>
    </message>
    <message>
        <source>The program scalebench was not found beside this one or in PATH. Install it again.</source>
        <translation>Das Programm scalebench wurde weder neben diesem noch in PATH gefunden. Installieren Sie es neu.</translation>
    </message>
    <message>
        <source>%1 could not be started: %2.</source>
        <translation>%1 konnte nicht gestartet werden: %2.</translation>
    </message>
    <message>
        <source>%1 has no run that waits to be started.</source>
        <translation>%1 hat keinen Lauf, der auf den Start wartet.</translation>
    </message>
    <message>
        <source>The process that watched over this run was killed, so the run was ended; %1.</source>
        <translation>Der Prozess, der diesen Lauf überwachte, wurde beendet, deshalb wurde auch der Lauf beendet; %1.</translation>
    </message>
    <message>
        <source>The computer was restarted while this run was going on; %1.</source>
        <translation>Der Rechner wurde neu gestartet, während dieser Lauf im Gang war; %1.</translation>
    </message>
    <message>
        <source>Some of its processes could not be ended.</source>
        <translation>Einige seiner Prozesse konnten nicht beendet werden.</translation>
    </message>
    <message>
        <source>%1&apos;s clock is %2 s ahead of that of %3: times are corrected.</source>
        <translation>Die Uhr von %1 geht gegenüber der von %3 um %2 s vor: Zeiten werden berichtigt.</translation>
    </message>
    <message>
        <source>%1&apos;s clock is %2 s behind that of %3: times are corrected.</source>
        <translation>Die Uhr von %1 geht gegenüber der von %3 um %2 s nach: Zeiten werden berichtigt.</translation>
    </message>
    <message>
        <source>The network interface &quot;%1&quot; exists nowhere: not on %2. Choose one that all hosts have.</source>
        <translation>Die Netzwerkschnittstelle „%1“ gibt es nirgends: nicht auf %2. Wählen Sie eine, die alle Hosts haben.</translation>
    </message>
    <message>
        <source>a process of the run (process %1)</source>
        <translation>ein Prozess des Laufs (Prozess %1)</translation>
    </message>
    <message>
        <source>a process of the run on %1 (process %2)</source>
        <translation>ein Prozess des Laufs auf %1 (Prozess %2)</translation>
    </message>
    <message>
        <source>%1 and %2</source>
        <translation>%1 und %2</translation>
    </message>
    <message>
        <source>%1 were suspended (SIGSTOP) and not continued for %2 s; the run stood still %3 and was ended.</source>
        <translation>%1 wurden angehalten (SIGSTOP) und %2 s lang nicht fortgesetzt; der Lauf stand still %3 und wurde beendet.</translation>
    </message>
    <message>
        <source>Quality</source>
        <translation>Güte</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>Zahlenformat</translation>
    </message>
    <message>
        <source>Target</source>
        <translation>Ziel</translation>
    </message>
    <message>
        <source>Overlap</source>
        <translation>Überlappung</translation>
    </message>
    <message>
        <source>Autotuning</source>
        <translation>Autotuning</translation>
    </message>
    <message>
        <source>Momentum</source>
        <translation>Momentum</translation>
    </message>
    <message>
        <source>Dropout</source>
        <translation>Dropout</translation>
    </message>
    <message>
        <source>%1: this is not valid JSON: %2.</source>
        <translation>%1: Das ist kein gültiges JSON: %2.</translation>
    </message>
    <message>
        <source>%1: &quot;%2&quot; is given twice. Leave one of them out.</source>
        <translation>%1: „%2“ ist zweimal angegeben. Lassen Sie eines davon weg.</translation>
    </message>
    <message>
        <source>Marked: %1.</source>
        <translation>Vermerkt: %1.</translation>
    </message>
    <message>
        <source>or</source>
        <translation>oder</translation>
    </message>
    <message>
        <source>%1 is no chart&apos;s CSV: it has no columns series, x and y.</source>
        <translation>%1 ist keine CSV-Datei eines Diagramms: Die Spalten series, x und y fehlen.</translation>
    </message>
    <message>
        <source>line %1: run_start once more; the last one counts</source>
        <translation>Zeile %1: run_start noch einmal; das letzte zählt</translation>
    </message>
    <message>
        <source>Speedup by workers</source>
        <translation>Speedup nach Workern</translation>
    </message>
    <message>
        <source>kept; the workbench draws it: Scaling, Tools, Charts from files</source>
        <translation>behalten; die Werkbank zeichnet es: Skalierung, Werkzeuge, Diagramme aus Dateien</translation>
    </message>
    <message>
        <source>kept; the workbench draws it: Scaling, Tools, Collective bandwidth</source>
        <translation>behalten; die Werkbank zeichnet es: Skalierung, Werkzeuge, Bandbreite kollektiver Operationen</translation>
    </message>
    <message>
        <source>kept; the workbench compares runs with it: Scaling, Tools, Epochs against MLPerf&apos;s reference points</source>
        <translation>behalten; die Werkbank vergleicht Läufe damit: Skalierung, Werkzeuge, Epochen gegen MLPerfs Referenzpunkte</translation>
    </message>
    <message>
        <source>per epoch</source>
        <translation>je Epoche</translation>
    </message>
    <message>
        <source>read %1, decoded %2, augmented %3 ms</source>
        <translation>gelesen %1, dekodiert %2, augmentiert %3 ms</translation>
    </message>
    <message>
        <source>%1.milestones must rise, found %2 after %3.</source>
        <translation>%1.milestones muss steigen; gefunden: %2 nach %3.</translation>
    </message>
    <message>
        <source>%1.%2 must be below &quot;epochs&quot; (%3), found the number %4.</source>
        <translation>%1.%2 muss unter „epochs“ (%3) liegen; gefunden: die Zahl %4.</translation>
    </message>
    <message>
        <source>the time of &quot;%1&quot; is 0</source>
        <translation>die Zeit von „%1“ ist 0</translation>
    </message>
    <message>
        <source>the log names &quot;%1&quot; as the submitter, %2 &quot;%3&quot;</source>
        <translation>das Protokoll nennt „%1“ als Einreicher, %2 „%3“</translation>
    </message>
    <message>
        <source>evaluations after run_stop, which do not count: %1</source>
        <translation>Auswertungen nach run_stop, die nicht zählen: %1</translation>
    </message>
    <message>
        <source>Loss or error</source>
        <translation>Loss oder Fehler</translation>
    </message>
    <message>
        <source>%1 that differ too much; no more than chance</source>
        <translation>%1, die zu verschieden sind; nicht mehr als Zufall</translation>
    </message>
    <message>
        <source>Rank %1 on %2 ended %3; nobody said why.</source>
        <translation>Rang %1 auf %2 endete %3; niemand sagte, warum.</translation>
    </message>
    <message>
        <source>%1 and %2 workers</source>
        <translation>%1 und %2 Worker</translation>
    </message>
    <message>
        <source>Run %1, repeats: %2.</source>
        <translation>Zu messen: %1, Wiederholungen: %2.</translation>
    </message>
    <message>
        <source>With one number of workers there is nothing to compare.</source>
        <translation>Mit einer einzigen Anzahl von Workern gibt es nichts zu vergleichen.</translation>
    </message>
    <message>
        <source>The choice is between these, and without repeats nobody knows what is chance.</source>
        <translation>Zwischen diesen ist zu wählen, und ohne Wiederholungen weiß niemand, was Zufall ist.</translation>
    </message>
    <message>
        <source>The choice is between these, and so many tell them apart.</source>
        <translation>Zwischen diesen ist zu wählen, und so viele unterscheiden sie.</translation>
    </message>
    <message>
        <source>The largest number that was measured is the best one, so a larger one may be better.</source>
        <translation>Die größte gemessene Anzahl ist die beste, also kann eine größere besser sein.</translation>
    </message>
    <message>
        <source>A prediction needs one more number of workers.</source>
        <translation>Eine Vorhersage braucht noch eine Anzahl von Workern.</translation>
    </message>
    <message>
        <source>Results of others, one for each number of workers: how much they scatter is not told.</source>
        <translation>Ergebnisse anderer, eines je Anzahl von Workern: Wie sehr sie streuen, ist nicht angegeben.</translation>
    </message>
    <message>
        <source>Nothing was repeated: how much the times scatter is not known, and differences of a few per cent may be chance.</source>
        <translation>Nichts wurde wiederholt: Wie sehr die Zeiten streuen, ist nicht bekannt, und Unterschiede von einigen Prozent können Zufall sein.</translation>
    </message>
    <message>
        <source>Repeats scatter by %1 %: the %2 runs of each number of workers tell differences of %3 % from chance.</source>
        <translation>Wiederholungen streuen um %1 %: Die %2 Läufe je Anzahl von Workern unterscheiden %3 % vom Zufall.</translation>
    </message>
    <message>
        <source>Repeats scatter by %1 %: to tell a difference of %2 % from chance, each number of workers needs %3 runs; the fewest have %4.</source>
        <translation>Wiederholungen streuen um %1 %: Um einen Unterschied von %2 % vom Zufall zu trennen, braucht jede Anzahl von Workern %3 Läufe; am wenigsten hat eine mit %4.</translation>
    </message>
    <message>
        <source>Other numbers of workers cannot be foretold: that needs three measured ones that tell their epochs and batch.</source>
        <translation>Andere Anzahlen von Workern lassen sich nicht vorhersagen: Dazu braucht es drei gemessene, die Epochen und Batch angeben.</translation>
    </message>
    <message>
        <source>Other numbers of workers are not foretold: these times do not follow the prediction&apos;s rule, which misses counts that are left out by %1 %, at most %2 %.</source>
        <translation>Andere Anzahlen von Workern werden nicht vorhergesagt: Diese Zeiten folgen der Regel nicht; ausgelassene Anzahlen verfehlt sie um %1 %, höchstens um %2 %.</translation>
    </message>
    <message>
        <source>%1 would take %2 by the prediction (90 % interval %3 to %4). It misses counts that are left out by %5 %, at most %6 %.</source>
        <translation>%1: nach der Vorhersage %2 (90-%-Intervall %3 bis %4). Ausgelassene Anzahlen verfehlt sie um %5 %, höchstens um %6 %.</translation>
    </message>
    <message>
        <source>The batch changes with the workers, from %1 to %2: part of the difference is the batch&apos;s, and what another one does to the epochs is not foretold.</source>
        <translation>Der Batch ändert sich mit den Workern, von %1 auf %2: Ein Teil des Unterschieds kommt vom Batch, und was ein anderer bei den Epochen bewirkt, wird nicht vorhergesagt.</translation>
    </message>
    <message>
        <source>%1 and %2 cannot be told apart by these runs.</source>
        <translation>%1 und %2 lassen sich mit diesen Läufen nicht unterscheiden.</translation>
    </message>
    <message>
        <source>This machine has no more than %1.</source>
        <translation>Diese Maschine hat nicht mehr als %1.</translation>
    </message>
    <message>
        <source>Next experiment of “%1”</source>
        <translation>Nächster Versuch zu „%1“</translation>
    </message>
    <message>
        <source>%1 copies on 1 worker each</source>
        <translation>%1 Kopien auf je 1 Worker</translation>
    </message>
    <message>
        <source>%1 copies on %2 workers each</source>
        <translation>%1 Kopien auf je %2 Workern</translation>
    </message>
    <message>
        <source>95 % interval %1 to %2, %3 runs</source>
        <translation>95-%-Intervall %1 bis %2, %3 Läufe</translation>
    </message>
    <message>
        <source>of a single run</source>
        <translation>aus einem einzigen Lauf</translation>
    </message>
    <message>
        <source>measured elsewhere</source>
        <translation>anderswo gemessen</translation>
    </message>
    <message>
        <source>No measured number of workers is done in %1: the fastest, %2, takes %3.</source>
        <translation>Keine gemessene Anzahl von Workern ist in %1 fertig: Die schnellste, %2, braucht %3.</translation>
    </message>
    <message>
        <source>To be done in %1, use %2: %3 a training, the cheapest that makes it (%4). Its interval reaches beyond: it may miss.</source>
        <translation>Um in %1 fertig zu sein, nehmen Sie %2: %3 je Training, am günstigsten von denen, die es schaffen (%4). Das Intervall reicht darüber hinaus: Es kann misslingen.</translation>
    </message>
    <message>
        <source>To be done in %1, use %2: %3 a training, the cheapest that makes it (%4).</source>
        <translation>Um in %1 fertig zu sein, nehmen Sie %2: %3 je Training, am günstigsten von denen, die es schaffen (%4).</translation>
    </message>
    <message>
        <source>Use %1: %2 % of the speed of %3, %4 a training instead of %5.</source>
        <translation>Nehmen Sie %1: %2 % der Geschwindigkeit gegenüber %3, %4 je Training statt %5.</translation>
    </message>
    <message>
        <source>Use %1: %2 a training is the fastest that was measured; with %3 it takes %4.</source>
        <translation>Nehmen Sie %1: %2 je Training ist das Schnellste, was gemessen wurde (%3: %4).</translation>
    </message>
    <message>
        <source>Copies side by side would do no more: %1 trainings a day one after another are the most.</source>
        <translation>Kopien nebeneinander schafften nicht mehr: %1 Trainings am Tag nacheinander sind das Meiste.</translation>
    </message>
    <message>
        <source>To train many, %1 side by side do %2 a day instead of %3: measured together, each takes %4 times as long as alone.</source>
        <translation>Für viele Trainings: %1 nebeneinander schaffen %2 am Tag statt %3. Zusammen gemessen braucht jede %4-mal so lange wie allein.</translation>
    </message>
    <message>
        <source>To train many, %1 side by side would do %2 a day instead of %3. That is from times measured alone: copies on one machine disturb each other.</source>
        <translation>Für viele Trainings: %1 nebeneinander schafften %2 am Tag statt %3. Das folgt aus einzeln gemessenen Zeiten: Kopien auf einer Maschine stören einander.</translation>
    </message>
    <message>
        <source>a training with %1</source>
        <translation>je Training (%1)</translation>
    </message>
    <message>
        <source>trainings a day, one after another</source>
        <translation>Trainings am Tag, nacheinander</translation>
    </message>
    <message>
        <source>%1: %2, measured together</source>
        <translation>%1: %2, zusammen gemessen</translation>
    </message>
    <message>
        <source>%1: %2, if undisturbed</source>
        <translation>%1: %2, wenn ungestört</translation>
    </message>
    <message>
        <source>copies side by side would do no more</source>
        <translation>Kopien nebeneinander schafften nicht mehr</translation>
    </message>
    <message>
        <source>a training, in the price&apos;s currency</source>
        <translation>je Training, in der Währung des Preises</translation>
    </message>
    <message>
        <source>worker-minutes a training</source>
        <translation>Worker-Minuten je Training</translation>
    </message>
    <message>
        <source>worker-hours a training</source>
        <translation>Worker-Stunden je Training</translation>
    </message>
    <message>
        <source>the least of all measured</source>
        <translation>das Wenigste von allem Gemessenen</translation>
    </message>
    <message>
        <source>the least: %1 with %2</source>
        <translation>am wenigsten: %1 (%2)</translation>
    </message>
    <message>
        <source>Most is lost where computing a sample takes longer: %1 % of the time with %2.</source>
        <translation>Am meisten geht verloren, weil ein Sample länger rechnet: %1 % der Zeit (%2).</translation>
    </message>
    <message>
        <source>Most is lost to communication: %1 % of the time with %2.</source>
        <translation>Am meisten geht durch Kommunikation verloren: %1 % der Zeit (%2).</translation>
    </message>
    <message>
        <source>Most is lost waiting for data: %1 % of the time with %2.</source>
        <translation>Am meisten geht durch Warten auf Daten verloren: %1 % der Zeit (%2).</translation>
    </message>
    <message>
        <source>Most is lost to evaluation: %1 % of the time with %2.</source>
        <translation>Am meisten geht durch die Auswertung verloren: %1 % der Zeit (%2).</translation>
    </message>
    <message>
        <source>Most is lost waiting for the slowest worker: %1 % of the time with %2.</source>
        <translation>Am meisten geht durch Warten auf den langsamsten Worker verloren: %1 % der Zeit (%2).</translation>
    </message>
    <message>
        <source>Most is lost to more epochs: %1 % of the time with %2.</source>
        <translation>Am meisten geht durch mehr Epochen verloren: %1 % der Zeit (%2).</translation>
    </message>
    <message>
        <source>Most is lost to the start and what no record names: %1 % of the time with %2.</source>
        <translation>Am meisten geht durch den Start und durch das verloren, was kein Eintrag nennt: %1 % der Zeit (%2).</translation>
    </message>
    <message>
        <source>%1 Wh with %2</source>
        <translation>%1 Wh (%2)</translation>
    </message>
    <message>
        <source>Energy of a training: %1.</source>
        <translation>Energie eines Trainings: %1.</translation>
    </message>
    <message>
        <source>A training costs the least with %1: %2.</source>
        <translation>Am wenigsten kostet ein Training so: %1, %2.</translation>
    </message>
    <message>
        <source>With %1, runs without success that do not count: %2 beside %3 that do.</source>
        <translation>%1: Läufe ohne Erfolg, die nicht zählen: %2, neben %3, die zählen.</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 s</translation>
    </message>
    <message>
        <source>%1 min %2 s</source>
        <translation>%1 min %2 s</translation>
    </message>
    <message>
        <source>%1 h %2 min</source>
        <translation>%1 h %2 min</translation>
    </message>
    <message>
        <source>%1 worker-minutes</source>
        <translation>%1 Worker-Minuten</translation>
    </message>
    <message>
        <source>%1 worker-hours</source>
        <translation>%1 Worker-Stunden</translation>
    </message>
    <message>
        <source>Nothing can be advised: no run reached its target yet.</source>
        <translation>Nichts zu empfehlen: Noch kein Lauf hat sein Ziel erreicht.</translation>
    </message>
    <message>
        <source>Neither side has a time, or samples/s, to compare.</source>
        <translation>Keine Seite hat eine Zeit oder Samples/s zum Vergleichen.</translation>
    </message>
    <message>
        <source>Verified: all %1 items are as fast as the reference, within %2 %.</source>
        <translation>Verifiziert: Alle %1 Posten sind so schnell wie die Referenz, auf %2 % genau.</translation>
    </message>
    <message>
        <source>Items that the reference does not have: %1.</source>
        <translation>Posten, die der Referenz fehlen: %1.</translation>
    </message>
    <message>
        <source>PASS: the 95 % interval of the speed over the reference&apos;s (Welch, on the relative scale) lies above %1 %, the equivalence margin. LOW: it lies below. OPEN: it holds the margin. INVALID: not comparable. Of single runs the ratio itself is judged.</source>
        <translation>PASS: Das 95-%-Intervall der Geschwindigkeit im Verhältnis zur Referenz (Welch, auf der relativen Skala) liegt über %1 %, der Äquivalenzgrenze. LOW: Es liegt darunter. OPEN: Es enthält die Grenze. INVALID: nicht vergleichbar. Bei einzelnen Läufen wird das Verhältnis selbst beurteilt.</translation>
    </message>
    <message>
        <source>%1, %2 workers on %3 nodes</source>
        <translation>%1, %2 Worker auf %3 Knoten</translation>
    </message>
    <message>
        <source>More workers than processors: the time says nothing.</source>
        <translation>Mehr Worker als Prozessoren: Die Zeit sagt nichts.</translation>
    </message>
    <message>
        <source>Other batch: %1 instead of %2.</source>
        <translation>Anderer Batch: %1 statt %2.</translation>
    </message>
    <message>
        <source>Other target: %1 instead of %2.</source>
        <translation>Anderes Ziel: %1 statt %2.</translation>
    </message>
    <message>
        <source>Other data.</source>
        <translation>Andere Daten.</translation>
    </message>
    <message>
        <source>Other scale: %1 instead of %2.</source>
        <translation>Anderer Maßstab: %1 statt %2.</translation>
    </message>
    <message>
        <source>More epochs to the target: %1 instead of %2.</source>
        <translation>Mehr Epochen bis zum Ziel: %1 statt %2.</translation>
    </message>
    <message>
        <source>Waiting for data takes %1 % of the steps&apos; time.</source>
        <translation>Warten auf Daten nimmt %1 % der Zeit der Schritte.</translation>
    </message>
    <message>
        <source>One worker is slower: the others wait for it for %1 % of the steps&apos; time.</source>
        <translation>Ein Worker ist langsamer: Die anderen warten %1 % der Zeit der Schritte auf ihn.</translation>
    </message>
    <message>
        <source>Communication that no computing hides takes %1 % of the steps&apos; time.</source>
        <translation>Kommunikation, die kein Rechnen verdeckt, nimmt %1 % der Zeit der Schritte.</translation>
    </message>
    <message>
        <source>Other precision: %1 instead of %2.</source>
        <translation>Anderes Zahlenformat: %1 statt %2.</translation>
    </message>
    <message>
        <source>The records name no cause: compare settings and environment on the Compare page.</source>
        <translation>Die Einträge nennen keine Ursache: Vergleichen Sie Einstellungen und Umgebung auf der Seite Vergleich.</translation>
    </message>
    <message>
        <source>runs without success: %1</source>
        <translation>Läufe ohne Erfolg: %1</translation>
    </message>
    <message>
        <source>no interval: single runs</source>
        <translation>kein Intervall: einzelne Läufe</translation>
    </message>
    <message>
        <source>of samples/s</source>
        <translation>der Samples/s</translation>
    </message>
    <message>
        <source>reference only: other implementation</source>
        <translation>nur zum Vergleich: andere Implementierung</translation>
    </message>
    <message>
        <source>several systems in the reference: %1</source>
        <translation>mehrere Systeme in der Referenz: %1</translation>
    </message>
    <message>
        <source>Epochs against MLPerf&apos;s reference convergence points: %1</source>
        <translation>Epochen gegen die Referenz-Konvergenzpunkte von MLPerf: %1</translation>
    </message>
    <message>
        <source>item</source>
        <translation>Posten</translation>
    </message>
    <message>
        <source>verdict</source>
        <translation>Urteil</translation>
    </message>
    <message>
        <source>speed</source>
        <translation>Geschwindigkeit</translation>
    </message>
    <message>
        <source>from</source>
        <translation>von</translation>
    </message>
    <message>
        <source>to</source>
        <translation>bis</translation>
    </message>
    <message>
        <source>reference</source>
        <translation>Referenz</translation>
    </message>
    <message>
        <source>likely cause</source>
        <translation>wahrscheinliche Ursache</translation>
    </message>
    <message>
        <source>%1 against %2</source>
        <translation>%1 gegen %2</translation>
    </message>
    <message>
        <source>Verification: %1</source>
        <translation>Verifikation: %1</translation>
    </message>
    <message>
        <source>Reference: %1</source>
        <translation>Referenz: %1</translation>
    </message>
    <message>
        <source>Result not verified by MLCommons Association.</source>
        <translation>Ergebnis nicht von der MLCommons Association verifiziert.</translation>
    </message>
    <message>
        <source>%1, on %2</source>
        <translation>%1, auf %2</translation>
    </message>
    <message>
        <source>%1, against %2</source>
        <translation>%1, gegen %2</translation>
    </message>
    <message>
        <source>%1, against %2 systems</source>
        <translation>%1, gegen %2 Systeme</translation>
    </message>
    <message>
        <source>What is said is of the first of %1 systems of the reference; none of them can be compared.</source>
        <translation>Gesagt ist, was für das erste von %1 Systemen der Referenz gilt; vergleichbar ist keines.</translation>
    </message>
    <message>
        <source>Further %1 systems of the reference cannot be compared.</source>
        <translation>Weitere %1 Systeme der Referenz sind nicht vergleichbar.</translation>
    </message>
    <message>
        <source>There is no batch table. Give each number of workers its batch, such as %1:%2 (in a terminal: --batch %1:%2).</source>
        <translation>Es gibt keine Batchtabelle. Geben Sie zu jeder Zahl von Workern den Batch an, etwa %1:%2 (in einem Terminal: --batch %1:%2).</translation>
    </message>
    <message>
        <source>The batch table has no batch for 1 worker. Add it, such as 1:%1.</source>
        <translation>Die Batchtabelle hat keinen Batch für 1 Worker. Ergänzen Sie ihn, etwa 1:%1.</translation>
    </message>
    <message>
        <source>The batch table has no batch for %1 workers. Add it, such as %1:%2.</source>
        <translation>Die Batchtabelle hat keinen Batch für %1 Worker. Ergänzen Sie ihn, etwa %1:%2.</translation>
    </message>
    <message>
        <source>One rank %1 %2.</source>
        <translation>Ein Rang %1 %2.</translation>
    </message>
    <message>
        <source>The process on this computer that connects mpirun with a host was ended, most likely by somebody or because memory was full. Resume the run.</source>
        <translation>Der Prozess auf diesem Rechner, der mpirun mit einem Host verbindet, wurde beendet, am ehesten von jemandem oder weil der Arbeitsspeicher voll war. Setzen Sie den Lauf fort.</translation>
    </message>
    <message>
        <source>the workbench scalebench-gui is not installed</source>
        <translation>die Werkbank scalebench-gui ist nicht installiert</translation>
    </message>
    <message>
        <source>One rank ended %1. mpirun noticed it, but did not say which, and did not end by itself.</source>
        <translation>Ein Rang endete %1. mpirun bemerkte es, sagte aber nicht, welcher, und endete selbst nicht.</translation>
    </message>
    <message>
        <source>Workers on the processors of one node share the optimizer&apos;s state out anyway, unless their tables have sparse gradients: these runs will be the same without &quot;Optimizer state shared out&quot;.</source>
        <translation>Auf den Prozessoren eines Knotens teilen die Worker den Optimiererzustand ohnehin auf, außer bei Tabellen mit dünn besetzten Gradienten: Ohne „Optimiererzustand aufgeteilt“ werden diese Läufe dieselben.</translation>
    </message>
    <message>
        <source>Threads bound to cores</source>
        <translation>Threads an Kerne gebunden</translation>
    </message>
    <message>
        <source>other number of nodes</source>
        <translation>andere Knotenzahl</translation>
    </message>
    <message>
        <source>%1 more</source>
        <translation>%1 weitere</translation>
    </message>
    <message>
        <source>Only in %1, so not compared with %2: %3.</source>
        <translation>Nur in %1 und deshalb nicht mit %2 verglichen: %3.</translation>
    </message>
    <message>
        <source>1 node</source>
        <translation>1 Knoten</translation>
    </message>
    <message>
        <source>%1 nodes</source>
        <translation>%1 Knoten</translation>
    </message>
    <message>
        <source>Nothing to verify: the reference has no run of the same workload on the same number of workers, or of several settings not this one.</source>
        <translation>Nichts zu verifizieren: Die Referenz hat keinen Lauf desselben Workloads mit derselben Workerzahl und denselben Einstellungen.</translation>
    </message>
    <message>
        <source>at batch %1</source>
        <translation>bei Batch %1</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is no time: a number above 0 is expected, of seconds or minutes</source>
        <translation>„%1“ ist keine Zeit: Erwartet wird eine Zahl über 0, von Sekunden oder Minuten</translation>
    </message>
    <message>
        <source>Line %1: %2.</source>
        <translation>Zeile %1: %2.</translation>
    </message>
    <message>
        <source>Line %1 tells samples/s, but no time to train.</source>
        <translation>Zeile %1 nennt Samples/s, aber keine Trainingszeit.</translation>
    </message>
    <message>
        <source>Line %1 does not call this run completed, but &quot;%2&quot;.</source>
        <translation>Zeile %1 nennt diesen Lauf nicht abgeschlossen, sondern „%2“.</translation>
    </message>
    <message>
        <source>Line %1: the quality is below the target.</source>
        <translation>Zeile %1: Die Güte liegt unter dem Ziel.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; counts %2 on one side and %3 on the other: give both in the same unit.</source>
        <translation>„%1“ zählt auf der einen Seite %2 und auf der anderen %3: Nennen Sie beide in derselben Einheit.</translation>
    </message>
    <message>
        <source>left out, as their streams contradict them: %1</source>
        <translation>ausgelassen, weil ihre Datenströme ihnen widersprechen: %1</translation>
    </message>
    <message>
        <source>No run counts: its stream contradicts it.</source>
        <translation>Kein Lauf zählt: Sein Datenstrom widerspricht ihm.</translation>
    </message>
    <message>
        <source>records lost</source>
        <translation>Einträge verloren</translation>
    </message>
    <message>
        <source>contradictory</source>
        <translation>widersprüchlich</translation>
    </message>
    <message>
        <source>Epoch %1 of its stream tells a time or samples/s below 0.</source>
        <translation>Epoche %1 seines Datenstroms nennt eine Zeit oder Samples/s unter 0.</translation>
    </message>
    <message>
        <source>An evaluation in its stream tells a quality that cannot be: %1.</source>
        <translation>Eine Auswertung in seinem Datenstrom nennt eine Güte, die es nicht gibt: %1.</translation>
    </message>
    <message>
        <source>Its stream begins %1 times (run_start), as if it were that of several runs.</source>
        <translation>Sein Datenstrom beginnt %1-mal (run_start), als wäre er der mehrerer Läufe.</translation>
    </message>
    <message>
        <source>It is called completed, but its stream ended with &quot;%1&quot;.</source>
        <translation>Er heißt abgeschlossen, aber sein Datenstrom endete mit „%1“.</translation>
    </message>
    <message>
        <source>It is called completed, but its stream has no end (run_stop).</source>
        <translation>Er heißt abgeschlossen, aber sein Datenstrom hat kein Ende (run_stop).</translation>
    </message>
    <message>
        <source>Its stream ends before it begins.</source>
        <translation>Sein Datenstrom endet, bevor er beginnt.</translation>
    </message>
    <message>
        <source>It is called completed, but no evaluation in its stream reaches the target.</source>
        <translation>Er heißt abgeschlossen, aber keine Auswertung in seinem Datenstrom erreicht das Ziel.</translation>
    </message>
    <message>
        <source>Of its stream, records that are missing: %1, that came twice: %2, lines that are no record: %3. Its figures may be wrong.</source>
        <translation>In seinem Datenstrom fehlende Einträge: %1, doppelte: %2, Zeilen, die kein Eintrag sind: %3. Seine Zahlen können falsch sein.</translation>
    </message>
    <message>
        <source>%1 It counts for no mean.</source>
        <translation>%1 Er zählt bei keinem Mittelwert mit.</translation>
    </message>
    <message>
        <source>no NVIDIA driver: libcuda.so.1 not found</source>
        <translation>kein NVIDIA-Treiber: libcuda.so.1 nicht gefunden</translation>
    </message>
    <message>
        <source>the NVIDIA driver&apos;s library cannot be loaded: %1</source>
        <translation>die Bibliothek des NVIDIA-Treibers lässt sich nicht laden: %1</translation>
    </message>
    <message>
        <source>the NVIDIA driver is too old: it knows CUDA %1, and this build needs CUDA %2 (driver %3 or newer)</source>
        <translation>der NVIDIA-Treiber ist zu alt: er kennt CUDA %1, und dieses Programm braucht CUDA %2 (Treiber %3 oder neuer)</translation>
    </message>
    <message>
        <source>%1 is in compute mode &quot;prohibited&quot;: nvidia-smi -c 0 (as administrator) allows work on it</source>
        <translation>%1 ist im Compute-Modus „prohibited“: nvidia-smi -c 0 (als Administrator) erlaubt, darauf zu rechnen</translation>
    </message>
    <message>
        <source>1 thread</source>
        <translation>1 Thread</translation>
    </message>
    <message>
        <source>its plug-in is missing: %1 is not in %2</source>
        <translation>ihr Plug-in fehlt: %1 liegt nicht in %2</translation>
    </message>
    <message>
        <source>this Scalebench has no CUDA plug-in: %1</source>
        <translation>dieses Scalebench hat kein CUDA-Plug-in: %1</translation>
    </message>
    <message>
        <source>its plug-in cannot be loaded: %1</source>
        <translation>ihr Plug-in lässt sich nicht laden: %1</translation>
    </message>
    <message>
        <source>the library %1 is missing: install %2, or add its folder to LD_LIBRARY_PATH</source>
        <translation>die Bibliothek %1 fehlt: Installieren Sie %2, oder nehmen Sie ihren Ordner in LD_LIBRARY_PATH auf</translation>
    </message>
    <message>
        <source>no GPU found: the NVIDIA driver runs, but no device is there (nvidia-smi -L)</source>
        <translation>keine GPU gefunden: Der NVIDIA-Treiber läuft, aber es ist kein Gerät da (nvidia-smi -L)</translation>
    </message>
    <message>
        <source>the driver&apos;s library and kernel module are of different versions (%1): restart the machine, or reload the module</source>
        <translation>Bibliothek und Kernelmodul des Treibers haben verschiedene Versionen (%1): Starten Sie die Maschine neu, oder laden Sie das Modul neu</translation>
    </message>
    <message>
        <source>%1 The library lists every study, also one whose results go to another folder: another library is named by --library.</source>
        <translation>%1 Die Bibliothek führt jede Studie auf, auch wenn ihre Ergebnisse in einen anderen Ordner kommen: --library nennt eine andere Bibliothek.</translation>
    </message>
    <message>
        <source>What has not ended in %1 was left out by the study&apos;s limits. To run it all the same, name it: %2.</source>
        <translation>Was in %1 nicht beendet ist, haben die Grenzen der Studie ausgelassen. Um es trotzdem laufen zu lassen, nennen Sie es: %2.</translation>
    </message>
    <message>
        <source>%1/supervisor.lock could not be locked, so nothing was started. May the folder be written to?</source>
        <translation>%1/supervisor.lock ließ sich nicht sperren, daher wurde nichts gestartet. Darf in den Ordner geschrieben werden?</translation>
    </message>
    <message>
        <source>Not started: the study&apos;s runs had taken their %1 min. It can still be resumed by its name.</source>
        <translation>Nicht gestartet: Die Läufe der Studie hatten ihre %1 min verbraucht. Mit seinem Namen lässt er sich noch fortsetzen.</translation>
    </message>
    <message>
        <source>%1 in the price&apos;s currency</source>
        <translation>%1 in der Währung des Preises</translation>
    </message>
    <message>
        <source>No series has a run on one node that could be the baseline: give a number of workers.</source>
        <translation>Keine Reihe hat einen Lauf auf einem Knoten, der die Basis sein könnte: Geben Sie eine Zahl von Workern an.</translation>
    </message>
    <message>
        <source>No run has a time, so that none can be the baseline.</source>
        <translation>Kein Lauf hat eine Zeit, also kann keiner die Basis sein.</translation>
    </message>
    <message>
        <source>No series has runs on %1 workers that could be the baseline; there are runs on %2.</source>
        <translation>Keine Reihe hat Läufe mit %1 Workern, die die Basis sein könnten; es gibt Läufe mit %2.</translation>
    </message>
    <message>
        <source>one worker</source>
        <translation>ein Worker</translation>
    </message>
    <message>
        <source>the most workers on one node</source>
        <translation>die meisten Worker auf einem Knoten</translation>
    </message>
    <message>
        <source>the smallest worker count</source>
        <translation>die kleinste Workerzahl</translation>
    </message>
    <message>
        <source>From %1 to %2 %3 the time went from %4 to %5: %6 times as fast, %7 % of the ideal %8.</source>
        <translation>Von %1 auf %2 %3 ging die Zeit von %4 auf %5: %6-mal so schnell, %7 % vom Ideal %8.</translation>
    </message>
    <message>
        <source>Not verified: the one item is too slow.</source>
        <translation>Nicht verifiziert: Der eine Posten ist zu langsam.</translation>
    </message>
    <message>
        <source>Not verified: the one item is open, more repeats tell.</source>
        <translation>Nicht verifiziert: Der eine Posten ist offen; mehr Wiederholungen klären es.</translation>
    </message>
    <message>
        <source>Not verified: the one item cannot be compared with the reference.</source>
        <translation>Nicht verifiziert: Der eine Posten ist mit der Referenz nicht vergleichbar.</translation>
    </message>
    <message>
        <source>Verified: the one item is as fast as the reference, within %1 %.</source>
        <translation>Verifiziert: Der eine Posten ist so schnell wie die Referenz, auf %1 % genau.</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keines</translation>
    </message>
    <message>
        <source>Other epochs, without a target: %1 instead of %2.</source>
        <translation>Andere Epochen, ohne ein Ziel: %1 statt %2.</translation>
    </message>
    <message>
        <source>Interrupted: the files that were not whole yet were removed.</source>
        <translation>Unterbrochen: Die Dateien, die noch nicht vollständig waren, wurden entfernt.</translation>
    </message>
    <message>
        <source>In &quot;%1&quot; there is a folder of the name &quot;%2&quot;, which a file shall have. Move it away, or give another folder.</source>
        <translation>In „%1“ liegt ein Ordner mit dem Namen „%2“, den eine Datei bekommen soll. Verschieben Sie ihn, oder geben Sie einen anderen Ordner an.</translation>
    </message>
    <message>
        <source>%1: with %2, fewer than the baseline&apos;s %3, it is %4 times as fast%5.</source>
        <translation>%1: Mit %2, weniger als den %3 der Basis, ist es %4-mal so schnell%5.</translation>
    </message>
    <message>
        <source>%1: no run has reached its target, so there is no speedup.</source>
        <translation>%1: Kein Lauf hat sein Ziel erreicht, also gibt es keinen Speedup.</translation>
    </message>
    <message>
        <source>%1 lost records of the stream: the figures may be wrong.</source>
        <translation>%1 mit verlorenen Einträgen im Datenstrom: Die Zahlen können falsch sein.</translation>
    </message>
    <message>
        <source>%1 counted for no mean: the stream contradicts what the run is called.</source>
        <translation>%1 ohne Beitrag zu einem Mittel: Der Datenstrom widerspricht dem, was der Lauf heißt.</translation>
    </message>
    <message>
        <source>%1 had more workers than processors and counted for no speedup.</source>
        <translation>%1 mit mehr Workern als Prozessoren, ohne Beitrag zum Speedup.</translation>
    </message>
    <message>
        <source>%1 did not reach the target and counted for no time.</source>
        <translation>%1 ohne das Ziel zu erreichen, ohne Beitrag zu einer Zeit.</translation>
    </message>
    <message>
        <source>%1 ended as cancelled.</source>
        <translation>%1 abgebrochen.</translation>
    </message>
    <message>
        <source>%1 had not ended: this report is of what was there.</source>
        <translation>%1 noch nicht zu Ende: Dieser Bericht gilt für das, was da war.</translation>
    </message>
    <message>
        <source>%1 used synthetic data, which measures speed and claims no quality.</source>
        <translation>%1 mit synthetischen Daten, was Geschwindigkeit misst und keine Güte behauptet.</translation>
    </message>
    <message>
        <source>%1 learned from data that Scalebench generated; the quality compares with no public data set.</source>
        <translation>%1 mit Daten, die Scalebench erzeugt hat; die Güte ist mit keinem öffentlichen Datensatz vergleichbar.</translation>
    </message>
    <message>
        <source>%1 went on from a checkpoint after an interruption; the pause is not counted.</source>
        <translation>%1 unterbrochen und von einem Checkpoint fortgesetzt; die Pause zählt nicht mit.</translation>
    </message>
    <message>
        <source>Every run trains one network for a number of epochs, as no quality target was set; time to train counts from the first byte of the data that is read to the end of the last epoch, evaluations included.</source>
        <translation>Jeder Lauf trainiert ein Netz über eine Zahl von Epochen, da kein Güteziel gesetzt war; die Trainingszeit zählt vom ersten gelesenen Byte der Daten bis zum Ende der letzten Epoche, Auswertungen eingeschlossen.</translation>
    </message>
    <message>
        <source>Every run trains one network until its quality target is reached, or for a number of epochs where it has none; time to train counts from the first byte of the data that is read to that end, evaluations included.</source>
        <translation>Jeder Lauf trainiert ein Netz, bis sein Güteziel erreicht ist, oder über eine Zahl von Epochen, wo er keines hat; die Trainingszeit zählt vom ersten gelesenen Byte der Daten bis zu diesem Ende, Auswertungen eingeschlossen.</translation>
    </message>
    <message>
        <source>The time of a worker count is the mean of its completed runs; from five runs up the best and the worst are left out (olympic mean). Intervals are 95 % Student intervals; from five runs up those of a trimmed mean (Tukey and McLaughlin). Speedup is the mean time of the baseline (%1) over that of the worker count, and the product of the ratio of epochs and the ratio of the time of an epoch. Runs that failed, did not converge or had more workers than processors count for neither.</source>
        <translation>Die Zeit einer Workerzahl ist der Mittelwert ihrer abgeschlossenen Läufe; ab fünf Läufen bleiben der beste und der schlechteste weg (olympisches Mittel). Intervalle sind 95-%-Intervalle nach Student; ab fünf Läufen die eines gestutzten Mittels (Tukey und McLaughlin). Der Speedup ist die mittlere Zeit der Basis (%1) durch die der Workerzahl und das Produkt aus dem Verhältnis der Epochen und dem der Zeit je Epoche. Läufe, die fehlschlugen, nicht konvergierten oder mehr Worker als Prozessoren hatten, zählen für beides nicht.</translation>
    </message>
    <message>
        <source>The charts of speedup and efficiency are of the time of an epoch.</source>
        <translation>Die Diagramme von Speedup und Effizienz sind von der Zeit einer Epoche.</translation>
    </message>
    <message>
        <source>The charts of speedup and efficiency are of samples/s.</source>
        <translation>Die Diagramme von Speedup und Effizienz zeigen den Durchsatz (Samples/s).</translation>
    </message>
    <message>
        <source>Nothing can be advised: the number of workers is not known; import the files again with --accelerators.</source>
        <translation>Nichts zu empfehlen: Die Anzahl der Worker ist nicht bekannt; importieren Sie die Dateien noch einmal mit --accelerators.</translation>
    </message>
    <message>
        <source>number of workers not known</source>
        <translation>Anzahl der Worker nicht bekannt</translation>
    </message>
    <message>
        <source>%1, number of workers not known</source>
        <translation>%1, Anzahl der Worker nicht bekannt</translation>
    </message>
    <message>
        <source>its epochs are millions of samples</source>
        <translation>seine Epochen sind Millionen Samples</translation>
    </message>
    <message>
        <source>number of workers not known: no speedup</source>
        <translation>Anzahl der Worker nicht bekannt: kein Speedup</translation>
    </message>
    <message>
        <source>How many workers trained it is not known, so the time says nothing about scaling.</source>
        <translation>Wie viele Worker trainiert haben, ist nicht bekannt; darum sagt die Zeit nichts über die Skalierung.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; in the column &quot;%2&quot;</source>
        <translation>„%1“ in der Spalte „%2“</translation>
    </message>
    <message>
        <source>%1 is no number from %2 to %3: it was left out</source>
        <translation>%1 ist keine Zahl von %2 bis %3: ausgelassen</translation>
    </message>
    <message>
        <source>%1 is no whole number from %2 to %3: it was left out</source>
        <translation>%1 ist keine ganze Zahl von %2 bis %3: ausgelassen</translation>
    </message>
    <message>
        <source>several columns are called &quot;%1&quot;: the first one is read</source>
        <translation>mehrere Spalten heißen „%1“: Die erste wird gelesen</translation>
    </message>
    <message>
        <source>the columns &quot;%1&quot; and &quot;%2&quot; mean the same and differ, first in line %3: &quot;%1&quot; is read; say with --columns which one counts</source>
        <translation>die Spalten „%1“ und „%2“ bedeuten dasselbe und unterscheiden sich, zuerst in Zeile %3: „%1“ wird gelesen; sagen Sie mit --columns, welche gilt</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is no time of a training: it is shorter than a millisecond or longer than 30 years</source>
        <translation>„%1“ ist keine Zeit eines Trainings: Sie ist kürzer als eine Millisekunde oder länger als 30 Jahre</translation>
    </message>
    <message>
        <source>%1 and %2 are two times: which one it took is not known</source>
        <translation>%1 und %2 sind zwei Zeiten: Welche davon es dauerte, ist nicht bekannt</translation>
    </message>
    <message>
        <source>%1 is neither a share of 1 nor per cent: it was left out</source>
        <translation>%1 ist weder ein Anteil von 1 noch Prozent: ausgelassen</translation>
    </message>
    <message>
        <source>%1 is no number of workers: a whole number from 1 to 1000000 is expected</source>
        <translation>%1 ist keine Anzahl von Workern: Erwartet wird eine ganze Zahl von 1 bis 1000000</translation>
    </message>
    <message>
        <source>&quot;%1&quot; at step %2 is %3, no number between -1e15 and 1e15: that point was left out</source>
        <translation>„%1“ ist bei Schritt %2 %3, keine Zahl zwischen -1e15 und 1e15: Dieser Punkt wurde ausgelassen</translation>
    </message>
    <message>
        <source>%1 Nothing was stored in the study %2, which is as it was; import the other files without this one.</source>
        <translation>%1 In der Studie %2 wurde nichts gespeichert, sie ist wie zuvor; importieren Sie die anderen Dateien ohne diese.</translation>
    </message>
    <message>
        <source>line %1: epoch_num is no number between -1e15 and 1e15</source>
        <translation>Zeile %1: epoch_num ist keine Zahl zwischen -1e15 und 1e15</translation>
    </message>
    <message>
        <source>line %1: eval_accuracy has no number between -1e15 and 1e15</source>
        <translation>Zeile %1: eval_accuracy hat keine Zahl zwischen -1e15 und 1e15</translation>
    </message>
    <message>
        <source>imported: Scalebench log</source>
        <translation>importiert: Scalebench-Protokoll</translation>
    </message>
    <message>
        <source>A warm-up (&quot;%1&quot;) of %2 epochs leaves nothing of a training of %3. Give less than %3, or more epochs.</source>
        <translation>Eine Aufwärmphase („%1“) von %2 Epochen lässt von einem Training von %3 nichts übrig. Geben Sie weniger als %3 an oder mehr Epochen.</translation>
    </message>
    <message>
        <source>A batch of %1 is larger than the %2 samples there are to train on. Use at most %2, or more data.</source>
        <translation>Ein Batch von %1 ist größer als die %2 Samples, mit denen trainiert wird. Nehmen Sie höchstens %2 oder mehr Daten.</translation>
    </message>
    <message>
        <source>The device &quot;%1&quot; does not train in %2. It has: %3.</source>
        <translation>Das Gerät „%1“ trainiert nicht in %2. Es hat: %3.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; must be a whole number from %2 to %3; %4 is not possible.</source>
        <translation>„%1“ muss eine ganze Zahl von %2 bis %3 sein; %4 geht nicht.</translation>
    </message>
    <message>
        <source>A study&apos;s minutes at most must be between 1 and %1; %2 is not possible.</source>
        <translation>Die Höchstdauer einer Studie muss zwischen 1 und %1 Minuten liegen; %2 geht nicht.</translation>
    </message>
    <message>
        <source>The scale &quot;%1&quot; of %2 trains on files (%3), and no set of its size is generated. Leave the scale out for the set of &quot;%4&quot;, and give settings of data for another size.</source>
        <translation>Der Maßstab „%1“ von %2 trainiert mit Dateien (%3); ein Datensatz dieser Größe wird nicht erzeugt. Lassen Sie den Maßstab weg, um den von „%4“ zu erzeugen, und geben Sie für eine andere Größe Einstellungen unter data an.</translation>
    </message>
    <message>
        <source>%1 is no ordinary file (a folder, a pipe or a device); it is not written to. Choose another name.</source>
        <translation>%1 ist keine gewöhnliche Datei (sondern Ordner, Pipe oder Gerät) und wird nicht beschrieben. Wählen Sie einen anderen Namen.</translation>
    </message>
    <message>
        <source>the hosts have not been checked yet (scalebench machines check %1)</source>
        <translation>die Hosts wurden noch nicht geprüft (scalebench machines check %1)</translation>
    </message>
    <message>
        <source>The price of a node per hour must be 0 or more.</source>
        <translation>Der Preis eines Knotens je Stunde muss 0 oder mehr sein.</translation>
    </message>
    <message>
        <source>Scalebench is not installed on %1 (looked in %2). Install it there: scalebench machines deploy %3.</source>
        <translation>Scalebench ist auf %1 nicht installiert (gesucht in %2). Installieren Sie es dort: scalebench machines deploy %3.</translation>
    </message>
    <message>
        <source>%1 has Scalebench %2, this computer has %3. Install the same version there: scalebench machines deploy %4.</source>
        <translation>%1 hat Scalebench %2, dieser Rechner %3. Installieren Sie dort dieselbe Version: scalebench machines deploy %4.</translation>
    </message>
    <message>
        <source>%1 has only %2 MB left, so nothing more is copied from %3 until it has %4 MB. The run is not touched by this; free some space.</source>
        <translation>%1 hat nur noch %2 MB frei; von %3 wird erst wieder kopiert, wenn es %4 MB sind. Der Lauf ist davon nicht berührt; schaffen Sie Platz.</translation>
    </message>
    <message>
        <source>%1 could not be written: %2. The run is not touched by this; free some space.</source>
        <translation>%1 konnte nicht geschrieben werden: %2. Der Lauf ist davon nicht berührt; schaffen Sie Platz.</translation>
    </message>
    <message>
        <source>If &quot;ssh %1&quot; lets you in, a login script hangs there: look at its ~/.bashrc.</source>
        <translation>Kommen Sie mit „ssh %1“ hinein, hängt dort ein Anmeldeskript: sehen Sie sich ~/.bashrc an.</translation>
    </message>
    <message>
        <source>Ask the administrator of %1. If the change was meant: %2, then check again with --trust.</source>
        <translation>Fragen Sie den Administrator von %1. War die Änderung gewollt: %2, dann mit --trust erneut prüfen.</translation>
    </message>
    <message>
        <source>Correct what ssh names (its config, the network), until &quot;ssh %1&quot; lets you in.</source>
        <translation>Berichtigen Sie, was ssh nennt (seine Konfiguration, das Netz), bis „ssh %1“ Sie hineinlässt.</translation>
    </message>
    <message>
        <source>On %1: %2</source>
        <translation>Auf %1: %2</translation>
    </message>
    <message>
        <source>it runs no commands</source>
        <translation>es führt keine Befehle aus</translation>
    </message>
    <message>
        <source>found</source>
        <translation>gefunden</translation>
    </message>
    <message>
        <source>answers</source>
        <translation>antwortet</translation>
    </message>
    <message>
        <source>known</source>
        <translation>bekannt</translation>
    </message>
    <message>
        <source>Look at the login scripts of %1 (~/.bashrc): where nobody sits at a terminal they must not read input, exit or hang. Else ask its administrator for a normal login shell.</source>
        <translation>Sehen Sie sich die Anmeldeskripte von %1 an (~/.bashrc): wo niemand an einem Terminal sitzt, dürfen sie weder Eingaben lesen noch sich beenden oder hängen. Sonst bitten Sie den Administrator um eine normale Login-Shell.</translation>
    </message>
    <message>
        <source>The engine is missing on %1 (looked in %2). Install it there: scalebench machines deploy %3.</source>
        <translation>Die Engine fehlt auf %1 (gesucht in %2). Installieren Sie sie dort: scalebench machines deploy %3.</translation>
    </message>
    <message>
        <source>%1 and %2 have different builds of the engine; runs would hang or give wrong timings. Install the same one: scalebench machines deploy %3.</source>
        <translation>%1 und %2 haben verschiedene Builds der Engine; Läufe würden hängen oder falsche Zeiten ergeben. Installieren Sie denselben: scalebench machines deploy %3.</translation>
    </message>
    <message>
        <source>%1 is not known to ssh yet: its host key has to be looked at and accepted once (scalebench machines check NAME --trust).</source>
        <translation>%1 kennt ssh noch nicht: Der Hostschlüssel muss einmal angesehen und angenommen werden (scalebench machines check NAME --trust).</translation>
    </message>
    <message>
        <source>%1 refuses the login. Add this user&apos;s public key to ~/.ssh/authorized_keys there (ssh-copy-id %1), load the key into the agent (ssh-add), or, where a password is asked for, log in once: scalebench machines login NAME.</source>
        <translation>%1 lehnt die Anmeldung ab. Fügen Sie den öffentlichen Schlüssel dieses Benutzers dort in ~/.ssh/authorized_keys ein (ssh-copy-id %1), laden Sie den Schlüssel in den Agenten (ssh-add), oder melden Sie sich, wo ein Passwort verlangt wird, einmal an: scalebench machines login NAME.</translation>
    </message>
    <message>
        <source>Items compared by samples/s alone, for want of times: %1.</source>
        <translation>Nur nach Samples/s verglichene Posten, weil Zeiten fehlen: %1.</translation>
    </message>
    <message>
        <source>%1 not readable</source>
        <translation>%1 nicht lesbar</translation>
    </message>
    <message>
        <source>Not readable</source>
        <translation>Nicht lesbar</translation>
    </message>
    <message>
        <source>%1 of %2 bandwidths are of wrong results (#wrong): what was reduced or moved there is not right. Check the links, the driver and the library.</source>
        <translation>%1 von %2 Bandbreiten gehören zu falschen Ergebnissen (#wrong): Was dort summiert oder bewegt wurde, stimmt nicht. Prüfen Sie die Verbindungen, den Treiber und die Bibliothek.</translation>
    </message>
    <message>
        <source>Open MPI&apos;s daemon could not be started on %1: %2. Install the engine there (scalebench machines deploy NAME), or correct the machine&apos;s MPI folder.</source>
        <translation>Der Daemon von Open MPI konnte auf %1 nicht gestartet werden: %2. Installieren Sie dort die Engine (scalebench machines deploy NAME), oder berichtigen Sie den MPI-Ordner der Maschine.</translation>
    </message>
    <message>
        <source>On this computer %1; runs in bf16 are marked so.</source>
        <translation>Auf diesem Rechner gilt: %1. Läufe in bf16 sind so gekennzeichnet.</translation>
    </message>
    <message>
        <source>Synthetic data is made in memory during a run: it has nothing to check. Give the path of a data set.</source>
        <translation>Synthetische Daten entstehen während eines Laufs im Speicher: Daran gibt es nichts zu prüfen. Geben Sie den Pfad eines Datensatzes an.</translation>
    </message>
    <message>
        <source>A generated set is made when a run needs it. &quot;scalebench data make %1 FOLDER&quot; writes one into a folder: give that.</source>
        <translation>Ein erzeugter Datensatz entsteht, wenn ein Lauf ihn braucht. „scalebench data make %1 ORDNER“ schreibt einen in einen Ordner: Geben Sie diesen an.</translation>
    </message>
    <message>
        <source>The price of a node does not count: on how many nodes the runs trained is not known. A table tells it in a column &quot;nodes&quot;.</source>
        <translation>Der Preis eines Knotens zählt nicht: Auf wie vielen Knoten die Läufe trainiert haben, ist nicht bekannt. Eine Tabelle sagt es in einer Spalte „nodes“.</translation>
    </message>
    <message>
        <source>Nothing above %1 was measured.</source>
        <translation>Über %1 hinaus wurde nichts gemessen.</translation>
    </message>
    <message>
        <source>Only one number of workers was measured: %1, %2 a training. Whether more or fewer are better is not known.</source>
        <translation>Nur eine Anzahl von Workern wurde gemessen: %1, %2 je Training. Ob mehr oder weniger besser sind, ist nicht bekannt.</translation>
    </message>
    <message>
        <source>whether copies would do more is not known</source>
        <translation>ob Kopien mehr schaffen würden, ist nicht bekannt</translation>
    </message>
    <message>
        <source>A claim has two whole counts, the smaller one first, and two times, for example &quot;8→32 GPUs, 31.5→10.67 min&quot; or &quot;1 to 4 nodes, 90 to 26 s&quot;.</source>
        <translation>Eine Behauptung hat zwei ganze Anzahlen, die kleinere zuerst, und zwei Zeiten, zum Beispiel „8→32 GPUs, 31.5→10.67 min“ oder „1 to 4 nodes, 90 to 26 s“.</translation>
    </message>
    <message>
        <source>%1 reached its target at epoch %2, suspiciously early: %3 needed %4 on average (%5 runs). Is the evaluation data kept apart, and the target the same?</source>
        <translation>%1 hat sein Ziel bei Epoche %2 erreicht, verdächtig früh: %3 brauchten im Mittel %4 (%5 Läufe). Sind die Auswertungsdaten getrennt gehalten, und ist das Ziel dasselbe?</translation>
    </message>
    <message>
        <source>%1 reached its target at epoch %2, suspiciously late: %3 needed %4 on average (%5 runs). Does every worker see its own part of the data, in another order each epoch?</source>
        <translation>%1 hat sein Ziel bei Epoche %2 erreicht, verdächtig spät: %3 brauchten im Mittel %4 (%5 Läufe). Sieht jeder Worker seinen eigenen Teil der Daten, in jeder Epoche in anderer Reihenfolge?</translation>
    </message>
    <message>
        <source>Not verified. Items: %1; that pass: %2, too slow: %3, open: %4, that say nothing: %5.</source>
        <translation>Nicht verifiziert. Posten: %1, davon bestanden: %2, zu langsam: %3, offen: %4, ohne Aussage: %5.</translation>
    </message>
    <message>
        <source>%1 was read as per cent</source>
        <translation>%1 wurde als Prozent gelesen</translation>
    </message>
    <message>
        <source>%1: which column is the number of workers? Give --columns workers=COLUMN. It has: %2.</source>
        <translation>%1: Welche Spalte ist die Anzahl der Worker? Geben Sie --columns workers=SPALTE an. Vorhanden: %2.</translation>
    </message>
    <message>
        <source>%1: which column is the time to train? Give --columns minutes=COLUMN or seconds=COLUMN. It has: %2.</source>
        <translation>%1: Welche Spalte ist die Trainingszeit? Geben Sie --columns minutes=SPALTE oder seconds=SPALTE an. Vorhanden: %2.</translation>
    </message>
    <message>
        <source>It is called completed, but its stream is empty, missing or without its beginning (run_start).</source>
        <translation>Er heißt abgeschlossen, aber sein Datenstrom ist leer, fehlt oder hat keinen Anfang (run_start).</translation>
    </message>
    <message>
        <source>With %1, runs left out as their streams contradict them: %2.</source>
        <translation>Mit %1, Läufe, die nicht zählen, weil ihr Datenstrom ihnen widerspricht: %2.</translation>
    </message>
    <message>
        <source>(the limit of a control group, as of a container)</source>
        <translation>(die Grenze einer Control Group, etwa eines Containers)</translation>
    </message>
    <message>
        <source>imported: CSV</source>
        <translation>importiert: CSV</translation>
    </message>
    <message>
        <source>imported: bundle</source>
        <translation>importiert: Bündel</translation>
    </message>
    <message>
        <source>imported</source>
        <translation>importiert</translation>
    </message>
    <message>
        <source>A batch of about %1 fits; this one does where gradients are accumulated over %2 micro-batches.</source>
        <translation>Ein Batch von etwa %1 passt; dieser passt, wenn Gradienten über %2 Mikro-Batches gesammelt werden.</translation>
    </message>
    <message>
        <source>Nothing to verify: the runs do not tell on how many accelerators. Import them again with --accelerators N.</source>
        <translation>Nichts zu verifizieren: Die Läufe nennen nicht, auf wie vielen Beschleunigern. Importieren Sie sie noch einmal mit --accelerators N.</translation>
    </message>
    <message>
        <source>language: en</source>
        <translation>language: de</translation>
    </message>
    <message>
        <source>Runs cannot take turns here: %1 may not be used</source>
        <translation>Läufe können sich hier nicht abwechseln: %1 darf nicht benutzt werden</translation>
    </message>
    <message>
        <source>Whoever owns it, or an administrator, should remove it: until then runs may disturb one another.</source>
        <translation>Wem die Datei gehört oder wer den Rechner verwaltet, sollte sie entfernen: bis dahin können Läufe einander stören.</translation>
    </message>
    <message>
        <source>%1 is not Open MPI&apos;s: it says &quot;%2&quot;</source>
        <translation>%1 gehört nicht zu Open MPI: Es meldet „%2“</translation>
    </message>
    <message>
        <source>%1 does not answer to --probe: %2</source>
        <translation>%1 antwortet nicht auf --probe: %2</translation>
    </message>
    <message>
        <source>Install what is missing, or start it by hand to see more (ldd shows its libraries).</source>
        <translation>Installieren Sie, was fehlt, oder starten Sie es von Hand, um mehr zu sehen (ldd zeigt seine Bibliotheken).</translation>
    </message>
    <message>
        <source>It lists the studies that may run here: let it be written, or set XDG_DATA_HOME to another folder.</source>
        <translation>Die Datei führt die Studien auf, die hier laufen dürfen: Machen Sie sie beschreibbar, oder setzen Sie XDG_DATA_HOME auf einen anderen Ordner.</translation>
    </message>
    <message>
        <source>signal %1 ended it</source>
        <translation>Signal %1 hat sie beendet</translation>
    </message>
    <message>
        <source>it ended with code %1 and told nothing</source>
        <translation>sie endete mit Code %1 und meldete nichts</translation>
    </message>
    <message>
        <source>it said nothing for %1 s</source>
        <translation>sie meldete %1 s lang nichts</translation>
    </message>
    <message>
        <source>it cannot be executed here (%1)</source>
        <translation>sie lässt sich hier nicht ausführen (%1)</translation>
    </message>
    <message>
        <source>%1 could not be written, the small file that lists the studies which may run here, wherever their results are. Let it be written, or set XDG_DATA_HOME to another folder.</source>
        <translation>%1 konnte nicht geschrieben werden, die kleine Datei, die alle Studien aufführt, die hier laufen dürfen, wo auch immer deren Ergebnisse liegen. Machen Sie sie beschreibbar, oder setzen Sie XDG_DATA_HOME auf einen anderen Ordner.</translation>
    </message>
    <message>
        <source>The training engine %1 does not start: %2. Mend that, then start this program again.</source>
        <translation>Die Trainings-Engine %1 startet nicht: %2. Beheben Sie das, und starten Sie dieses Programm dann neu.</translation>
    </message>
    <message>
        <source>mpirun could not make a folder where TMPDIR says (else in /tmp). Let TMPDIR name a folder that exists and that you may write to.</source>
        <translation>mpirun konnte keinen Ordner anlegen, wo TMPDIR es vorgibt (sonst in /tmp). Lassen Sie TMPDIR einen Ordner nennen, den es gibt und in den Sie schreiben dürfen.</translation>
    </message>
    <message>
        <source>Generated ratings need at least %1 items (&quot;data.items&quot;), twice &quot;data.ratings_per_user&quot; and 200 more; there are %2.</source>
        <translation>Erzeugte Bewertungen brauchen mindestens %1 Objekte („data.items“), das Doppelte von „data.ratings_per_user“ und 200 mehr; es sind %2.</translation>
    </message>
    <message numerus="yes">
        <source>%n worker(s) against %1</source>
        <translation>
            <numerusform>%n Worker gegen %1</numerusform>
            <numerusform>%n Worker gegen %1</numerusform>
        </translation>
    </message>
    <message>
        <source>every epoch is trained %1 times as fast, and the number of epochs is the same.</source>
        <translation>Jede Epoche läuft %1-mal so schnell, und die Zahl der Epochen ist dieselbe.</translation>
    </message>
    <message>
        <source>every epoch is trained %1 times as fast, and %2 % fewer epochs were needed, which is not the hardware&apos;s doing.</source>
        <translation>Jede Epoche läuft %1-mal so schnell, und es waren %2 % weniger Epochen nötig, was nicht an der Hardware liegt.</translation>
    </message>
    <message>
        <source>every epoch takes %1 times as long, and %2 % fewer epochs were needed, which is not the hardware&apos;s doing.</source>
        <translation>Jede Epoche braucht %1-mal so lange, und es waren %2 % weniger Epochen nötig, was nicht an der Hardware liegt.</translation>
    </message>
    <message>
        <source>every epoch is trained %1 times as fast, but %2 times as many epochs were needed.</source>
        <translation>Jede Epoche läuft %1-mal so schnell, aber es waren %2-mal so viele Epochen nötig.</translation>
    </message>
    <message>
        <source>every epoch takes %1 times as long, and %2 times as many epochs were needed.</source>
        <translation>Jede Epoche braucht %1-mal so lange, und es waren %2-mal so viele Epochen nötig.</translation>
    </message>
    <message>
        <source>%1 is no ordinary file (a link, a folder, a pipe), so it cannot be locked. Remove it and try again.</source>
        <translation>%1 ist keine gewöhnliche Datei (sondern Verknüpfung, Ordner oder Pipe) und lässt sich deshalb nicht sperren. Entfernen Sie sie, und versuchen Sie es noch einmal.</translation>
    </message>
    <message>
        <source>Another program has locked %1.</source>
        <translation>Ein anderes Programm hat %1 gesperrt.</translation>
    </message>
    <message>
        <source>%1: &quot;%2&quot; cannot be %3: that is out of all range.</source>
        <translation>%1: „%2“ kann nicht %3 sein: Das liegt außerhalb jedes Bereichs.</translation>
    </message>
    <message>
        <source>%1 is a zip file, but no bundle of Scalebench, which begins with manifest.json. To import logs in it, unpack it and give the folder.</source>
        <translation>%1 ist eine Zip-Datei, aber kein Bündel von Scalebench, das mit manifest.json beginnt. Um Protokolle darin zu importieren, packen Sie sie aus, und geben Sie den Ordner an.</translation>
    </message>
    <message>
        <source>it is packed: unpack it and import what is in it</source>
        <translation>gepackt: Packen Sie die Datei aus, und importieren Sie, was darin ist</translation>
    </message>
    <message>
        <source>it is no archive, though its name says so: it was damaged on its way</source>
        <translation>kein Archiv, obwohl der Name es sagt: Die Datei wurde unterwegs beschädigt</translation>
    </message>
    <message>
        <source>rates of storage, which the workbench lays beside a study&apos;s: Scaling, Measured</source>
        <translation>Raten von Speichermedien, die die Werkbank neben die einer Studie legt: Skalierung, Gemessen</translation>
    </message>
    <message>
        <source>a benchmark of `scalebench bench`, which is no training: nothing of it is kept</source>
        <translation>ein Benchmark von `scalebench bench`, der kein Training ist: Nichts davon wird aufbewahrt</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) compared, %1 suspicious.</source>
        <translation>
            <numerusform>%n Lauf verglichen, %1 verdächtig.</numerusform>
            <numerusform>%n Läufe verglichen, %1 verdächtig.</numerusform>
        </translation>
    </message>
    <message>
        <source>Another program writes the notes of %1. Try again.</source>
        <translation>Ein anderes Programm schreibt gerade die Notizen von %1. Versuchen Sie es noch einmal.</translation>
    </message>
    <message numerus="yes">
        <source>%n GPU(s): %1.</source>
        <translation>
            <numerusform>%n GPU: %1.</numerusform>
            <numerusform>%n GPUs: %1.</numerusform>
        </translation>
    </message>
    <message>
        <source>Open MPI %1 (%2), but OPAL_PREFIX names another one, in %3</source>
        <translation>Open MPI %1 (%2), aber OPAL_PREFIX nennt ein anderes, in %3</translation>
    </message>
    <message>
        <source>Unset OPAL_PREFIX, or put the mpirun that belongs to it first in PATH.</source>
        <translation>Entfernen Sie OPAL_PREFIX aus der Umgebung, oder stellen Sie das mpirun, das dazu gehört, in PATH an den Anfang.</translation>
    </message>
    <message numerus="yes">
        <source>%n processor(s): %1, %2</source>
        <translation>
            <numerusform>%n Prozessor: %1, %2</numerusform>
            <numerusform>%n Prozessoren: %1, %2</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 has %n NVIDIA GPU(s), but the driver is not loaded.</source>
        <translation>
            <numerusform>%1 hat %n NVIDIA-GPU, aber der Treiber ist nicht geladen.</numerusform>
            <numerusform>%1 hat %n NVIDIA-GPUs, aber der Treiber ist nicht geladen.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The shape %1 needs %2 nodes; the machine &quot;%3&quot; has %n host(s). Add hosts or use fewer nodes.</source>
        <translation>
            <numerusform>Die Form %1 braucht %2 Knoten; die Maschine „%3“ hat %n Host. Fügen Sie Hosts hinzu, oder nehmen Sie weniger Knoten.</numerusform>
            <numerusform>Die Form %1 braucht %2 Knoten; die Maschine „%3“ hat %n Hosts. Fügen Sie Hosts hinzu, oder nehmen Sie weniger Knoten.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The shape %1 puts %2 workers on each node; %3 has %n slot(s). Use fewer workers per node, or give the host more slots if it has them.</source>
        <translation>
            <numerusform>Die Form %1 setzt %2 Worker auf jeden Knoten; %3 hat %n Slot. Nehmen Sie weniger Worker je Knoten, oder geben Sie dem Host mehr Slots, wenn er sie hat.</numerusform>
            <numerusform>Die Form %1 setzt %2 Worker auf jeden Knoten; %3 hat %n Slots. Nehmen Sie weniger Worker je Knoten, oder geben Sie dem Host mehr Slots, wenn er sie hat.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 workers share %n GPU(s): the run is marked oversubscribed and gives no speedup.</source>
        <translation>
            <numerusform>%1 Worker teilen sich %n GPU: Der Lauf wird als überbucht markiert und ergibt keinen Speedup.</numerusform>
            <numerusform>%1 Worker teilen sich %n GPUs: Der Lauf wird als überbucht markiert und ergibt keinen Speedup.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>You ask for %1 workers; this machine has %n GPU(s), and every worker needs one. Use at most %n, or let them share GPUs (oversubscribe, with the gradient exchange &quot;staged&quot;): such runs are marked and give no speedup.</source>
        <translation>
            <numerusform>Sie verlangen %1 Worker; diese Maschine hat %n GPU, und jeder Worker braucht eine. Nehmen Sie höchstens %n, oder lassen Sie sie GPUs teilen (Überbuchung, mit dem Gradientenaustausch „staged“): Solche Läufe werden markiert und ergeben keinen Speedup.</numerusform>
            <numerusform>Sie verlangen %1 Worker; diese Maschine hat %n GPUs, und jeder Worker braucht eine. Nehmen Sie höchstens %n, oder lassen Sie sie GPUs teilen (Überbuchung, mit dem Gradientenaustausch „staged“): Solche Läufe werden markiert und ergeben keinen Speedup.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>You ask for %1 workers; this machine has %n processor(s). Use at most %n, or allow more workers than processors (oversubscribe): such runs are marked and give no speedup.</source>
        <translation>
            <numerusform>Sie verlangen %1 Worker; diese Maschine hat %n Prozessor. Nehmen Sie höchstens %n, oder erlauben Sie mehr Worker als Prozessoren (Überbuchung): Solche Läufe werden markiert und ergeben keinen Speedup.</numerusform>
            <numerusform>Sie verlangen %1 Worker; diese Maschine hat %n Prozessoren. Nehmen Sie höchstens %n, oder erlauben Sie mehr Worker als Prozessoren (Überbuchung): Solche Läufe werden markiert und ergeben keinen Speedup.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 workers share %n processor(s): the run is marked oversubscribed and gives no speedup.</source>
        <translation>
            <numerusform>%1 Worker teilen sich %n Prozessor: Der Lauf wird als überbucht markiert und ergibt keinen Speedup.</numerusform>
            <numerusform>%1 Worker teilen sich %n Prozessoren: Der Lauf wird als überbucht markiert und ergibt keinen Speedup.</numerusform>
        </translation>
    </message>
    <message>
        <source>The name of a study has at most %1 characters; this one has %2.</source>
        <translation>Der Name einer Studie hat höchstens %1 Zeichen; dieser hat %2.</translation>
    </message>
    <message numerus="yes">
        <source>%1 with %n worker(s) needs about %2 of memory for its network and batches on each worker; a node with %3 of them has %4. %5</source>
        <translation>
            <numerusform>%1 mit %n Worker braucht etwa %2 Speicher für Netz und Batches auf jedem Worker; ein Knoten mit %3 davon hat %4. %5</numerusform>
            <numerusform>%1 mit %n Workern braucht etwa %2 Speicher für Netz und Batches auf jedem Worker; ein Knoten mit %3 davon hat %4. %5</numerusform>
        </translation>
    </message>
    <message>
        <source>Install Open MPI (Debian, Ubuntu: apt install openmpi-bin).</source>
        <translation>Installieren Sie Open MPI (Debian, Ubuntu: apt install openmpi-bin).</translation>
    </message>
    <message>
        <source>%1 does not start, since OPAL_PREFIX names another Open MPI, in %2</source>
        <translation>%1 startet nicht, da OPAL_PREFIX ein anderes Open MPI nennt, in %2</translation>
    </message>
    <message>
        <source>%1 does not answer to --version: %2</source>
        <translation>%1 antwortet nicht auf --version: %2</translation>
    </message>
    <message>
        <source>Install Open MPI again (Debian, Ubuntu: apt install --reinstall openmpi-bin).</source>
        <translation>Installieren Sie Open MPI neu (Debian, Ubuntu: apt install --reinstall openmpi-bin).</translation>
    </message>
    <message>
        <source>Install Open MPI (Debian, Ubuntu: apt install openmpi-bin) and put its folder first in PATH.</source>
        <translation>Installieren Sie Open MPI (Debian, Ubuntu: apt install openmpi-bin), und stellen Sie dessen Ordner in PATH an den Anfang.</translation>
    </message>
    <message numerus="yes">
        <source>%1: &quot;hosts&quot; has %2 names for %n node(s).</source>
        <translation>
            <numerusform>%1: „hosts“ hat %2 Namen für %n Knoten.</numerusform>
            <numerusform>%1: „hosts“ hat %2 Namen für %n Knoten.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 workers cannot be spread evenly over %n host(s) of at most %2 each. Use other counts, give shapes, or more slots per host.</source>
        <translation>
            <numerusform>%1 Worker lassen sich nicht auf %n Host mit höchstens %2 verteilen. Nehmen Sie andere Anzahlen, geben Sie Formen an oder mehr Slots je Host.</numerusform>
            <numerusform>%1 Worker lassen sich nicht gleichmäßig auf %n Hosts mit höchstens je %2 verteilen. Nehmen Sie andere Anzahlen, geben Sie Formen an oder mehr Slots je Host.</numerusform>
        </translation>
    </message>
    <message>
        <source>%1: no workload is named. Add for example &quot;workload&quot;: &quot;resnet&quot;.</source>
        <translation>%1: Es ist kein Workload genannt. Ergänzen Sie zum Beispiel &quot;workload&quot;: &quot;resnet&quot;.</translation>
    </message>
    <message>
        <source>Speed of each series over that of its baseline</source>
        <translation>Geschwindigkeit jeder Reihe im Verhältnis zu der ihrer Basis</translation>
    </message>
    <message>
        <source>Means of the completed runs of each series and number of workers</source>
        <translation>Mittel der abgeschlossenen Läufe jeder Reihe und Workerzahl</translation>
    </message>
    <message>
        <source>Every run, and how it ended</source>
        <translation>Jeder Lauf und wie er endete</translation>
    </message>
    <message>
        <source>Means over epochs and ranks</source>
        <translation>Mittel über Epochen und Ränge</translation>
    </message>
    <message>
        <source>What the runs were told to do</source>
        <translation>Was den Läufen aufgetragen war</translation>
    </message>
    <message>
        <source>Hosts that trained</source>
        <translation>Hosts, die trainiert haben</translation>
    </message>
    <message>
        <source>What was compared with the reference</source>
        <translation>Was mit der Referenz verglichen wurde</translation>
    </message>
    <message>
        <source>Permission denied</source>
        <translation>Zugriff verweigert</translation>
    </message>
    <message>
        <source>Operation not permitted</source>
        <translation>Vorgang nicht erlaubt</translation>
    </message>
    <message>
        <source>No such file or directory</source>
        <translation>Datei oder Ordner nicht gefunden</translation>
    </message>
    <message>
        <source>Is a directory</source>
        <translation>Es ist ein Ordner</translation>
    </message>
    <message>
        <source>Not a directory</source>
        <translation>Es ist kein Ordner</translation>
    </message>
    <message>
        <source>File exists</source>
        <translation>Die Datei gibt es schon</translation>
    </message>
    <message>
        <source>File name too long</source>
        <translation>Der Dateiname ist zu lang</translation>
    </message>
    <message>
        <source>Too many levels of symbolic links</source>
        <translation>Zu viele Links hintereinander</translation>
    </message>
    <message>
        <source>Too many open files</source>
        <translation>Zu viele offene Dateien</translation>
    </message>
    <message>
        <source>No space left on device</source>
        <translation>Kein Platz auf dem Datenträger</translation>
    </message>
    <message>
        <source>Disk quota exceeded</source>
        <translation>Speicherkontingent erschöpft</translation>
    </message>
    <message>
        <source>Read-only file system</source>
        <translation>Schreibgeschütztes Dateisystem</translation>
    </message>
    <message>
        <source>Input/output error</source>
        <translation>Ein-/Ausgabefehler</translation>
    </message>
    <message>
        <source>Stale file handle</source>
        <translation>Die Verbindung zur Datei ist veraltet</translation>
    </message>
    <message>
        <source>Device or resource busy</source>
        <translation>Gerät oder Datei ist belegt</translation>
    </message>
    <message>
        <source>Exec format error</source>
        <translation>Kein Programm für diese Rechnerart</translation>
    </message>
    <message>
        <source>Cannot allocate memory</source>
        <translation>Kein Arbeitsspeicher frei</translation>
    </message>
    <message>
        <source>Resource temporarily unavailable</source>
        <translation>Zurzeit nicht verfügbar</translation>
    </message>
</context>
<context>
    <name>LiveStudy</name>
    <message>
        <source>Run %1 of %2 waits: %3</source>
        <translation>Lauf %1 von %2 wartet: %3</translation>
    </message>
    <message>
        <source>Stopping run %1 of %2: %3</source>
        <translation>Lauf %1 von %2 wird angehalten: %3</translation>
    </message>
    <message>
        <source>Run %1 of %2: %3</source>
        <translation>Lauf %1 von %2: %3</translation>
    </message>
    <message>
        <source>%1, preparing data</source>
        <translation>%1, Daten werden vorbereitet</translation>
    </message>
    <message>
        <source>%1, starting</source>
        <translation>%1, startet</translation>
    </message>
    <message>
        <source>Starting…</source>
        <translation>Startet …</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) wait until you continue the queue</source>
        <translation>
            <numerusform>%n Lauf wartet, bis Sie die Warteschlange fortsetzen</numerusform>
            <numerusform>%n Läufe warten, bis Sie die Warteschlange fortsetzen</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>LossChart</name>
    <message>
        <source>What is lost of the ideal</source>
        <translation>Was vom Ideal verloren geht</translation>
    </message>
    <message>
        <source>Share of the time</source>
        <translation>Anteil an der Zeit</translation>
    </message>
    <message>
        <source>Needs runs on two numbers of workers that reached their target and recorded where the time of their steps went.</source>
        <translation>Braucht Läufe mit zwei Workerzahlen, die ihr Ziel erreichten und aufzeichneten, wohin die Zeit ihrer Schritte ging.</translation>
    </message>
    <message>
        <source>ideal</source>
        <translation>ideal</translation>
    </message>
    <message>
        <source>slower computing</source>
        <translation>langsameres Rechnen</translation>
    </message>
    <message>
        <source>exposed communication</source>
        <translation>nicht verdeckte Kommunikation</translation>
    </message>
    <message>
        <source>waiting for the slowest</source>
        <translation>Warten auf den Langsamsten</translation>
    </message>
    <message>
        <source>input wait</source>
        <translation>Warten auf Eingabe</translation>
    </message>
    <message>
        <source>evaluation</source>
        <translation>Auswertung</translation>
    </message>
    <message>
        <source>more epochs</source>
        <translation>mehr Epochen</translation>
    </message>
    <message>
        <source>rest</source>
        <translation>Rest</translation>
    </message>
    <message>
        <source>below 0: less than at the baseline, a gain</source>
        <translation>unter 0: weniger als bei der Basis, ein Gewinn</translation>
    </message>
    <message>
        <source>unknown system</source>
        <translation>unbekanntes System</translation>
    </message>
    <message>
        <source>measured here</source>
        <translation>hier gemessen</translation>
    </message>
    <message>
        <source>Other machines</source>
        <translation>Andere Maschinen</translation>
    </message>
    <message>
        <source>Workers (GPUs)</source>
        <translation>Worker (GPUs)</translation>
    </message>
    <message>
        <source>Time to train (min)</source>
        <translation>Trainingszeit (min)</translation>
    </message>
    <message>
        <source>of several series of one system, the fastest</source>
        <translation>von mehreren Reihen eines Systems die schnellste</translation>
    </message>
    <message>
        <source>published</source>
        <translation>veröffentlicht</translation>
    </message>
    <message>
        <source>imported</source>
        <translation>importiert</translation>
    </message>
    <message>
        <source>Needs runs of this study that reached their target.</source>
        <translation>Braucht Läufe dieser Studie, die ihr Ziel erreicht haben.</translation>
    </message>
    <message>
        <source>reference only</source>
        <translation>nur zum Vergleich</translation>
    </message>
    <message>
        <source>target %1</source>
        <translation>Ziel %1</translation>
    </message>
    <message>
        <source>target not known</source>
        <translation>Ziel nicht bekannt</translation>
    </message>
    <message>
        <source>reference only: published or imported, a different implementation and maybe other data</source>
        <translation>nur zum Vergleich: veröffentlicht oder importiert, eine andere Implementierung und vielleicht andere Daten</translation>
    </message>
    <message>
        <source>generated data</source>
        <translation>erzeugte Daten</translation>
    </message>
    <message>
        <source>synthetic data</source>
        <translation>synthetische Daten</translation>
    </message>
    <message>
        <source>real data</source>
        <translation>echte Daten</translation>
    </message>
    <message>
        <source>this study trained on generated data</source>
        <translation>diese Studie hat mit erzeugten Daten trainiert</translation>
    </message>
</context>
<context>
    <name>MachineForm</name>
    <message>
        <source>There is a target machine “%1” already.</source>
        <translation>Eine Zielmaschine „%1“ gibt es schon.</translation>
    </message>
</context>
<context>
    <name>Pages</name>
    <message>
        <source>&amp;Home</source>
        <translation>&amp;Startseite</translation>
    </message>
    <message>
        <source>&amp;Plan</source>
        <translation>P&amp;lan</translation>
    </message>
    <message>
        <source>Settin&amp;gs</source>
        <translation>&amp;Optionen</translation>
    </message>
    <message>
        <source>M&amp;achines</source>
        <translation>&amp;Maschinen</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>L&amp;auf</translation>
    </message>
    <message>
        <source>Re&amp;sults</source>
        <translation>E&amp;rgebnisse</translation>
    </message>
    <message>
        <source>&amp;Compare</source>
        <translation>V&amp;ergleich</translation>
    </message>
    <message>
        <source>Scal&amp;ing</source>
        <translation>S&amp;kalierung</translation>
    </message>
    <message>
        <source>Ad&amp;vice</source>
        <translation>Ra&amp;t</translation>
    </message>
    <message>
        <source>Verif&amp;y</source>
        <translation>Veri&amp;fikation</translation>
    </message>
</context>
<context>
    <name>PlanEstimate</name>
    <message>
        <source>minutes each on two cores (first run here)</source>
        <translation>je einige Minuten auf zwei Kernen (erster Lauf hier)</translation>
    </message>
    <message>
        <source>time unknown before the first run here</source>
        <translation>Zeit vor dem ersten Lauf hier unbekannt</translation>
    </message>
    <message>
        <source>%1 if all epochs are needed, from the speed of earlier runs here</source>
        <translation>%1, wenn alle Epochen nötig sind, nach der Geschwindigkeit früherer Läufe hier</translation>
    </message>
    <message>
        <source>%1, from earlier runs here</source>
        <translation>%1, nach früheren Läufen hier</translation>
    </message>
    <message numerus="yes">
        <source>no run begins after %n minute(s), so not all will</source>
        <translation>
            <numerusform>nach %n Minute beginnt kein Lauf mehr, also nicht alle</numerusform>
            <numerusform>nach %n Minuten beginnt kein Lauf mehr, also nicht alle</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>no run begins after %n minute(s)</source>
        <translation>
            <numerusform>nach %n Minute beginnt kein Lauf mehr</numerusform>
            <numerusform>nach %n Minuten beginnt kein Lauf mehr</numerusform>
        </translation>
    </message>
    <message>
        <source>less once a target is reached</source>
        <translation>weniger, sobald ein Ziel erreicht ist</translation>
    </message>
    <message>
        <source>checkpoints up to %1</source>
        <translation>Checkpoints bis %1</translation>
    </message>
    <message>
        <source>time unknown before the first run on %1</source>
        <translation>Zeit vor dem ersten Lauf auf %1 unbekannt</translation>
    </message>
    <message numerus="yes">
        <source>%1 and what %n run(s) take that are new on %2</source>
        <translation>
            <numerusform>%1 und die Zeit für %n Lauf, der auf %2 neu ist</numerusform>
            <numerusform>%1 und die Zeit für %n Läufe, die auf %2 neu sind</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 and what %n run(s) take that are new here</source>
        <translation>
            <numerusform>%1 und die Zeit für %n Lauf, der hier neu ist</numerusform>
            <numerusform>%1 und die Zeit für %n Läufe, die hier neu sind</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 if all epochs are needed, from the speed of earlier runs on %2</source>
        <translation>%1, wenn alle Epochen nötig sind, nach der Geschwindigkeit früherer Läufe auf %2</translation>
    </message>
    <message>
        <source>%1, from earlier runs on %2</source>
        <translation>%1, nach früheren Läufen auf %2</translation>
    </message>
    <message numerus="yes">
        <source>about %1 for the %n run(s) whose kind told its energy before</source>
        <translation>
            <numerusform>etwa %1 für den %n Lauf, dessen Art ihre Energie schon nannte</numerusform>
            <numerusform>etwa %1 für die %n Läufe, deren Art ihre Energie schon nannte</numerusform>
        </translation>
    </message>
    <message>
        <source>about %1</source>
        <translation>etwa %1</translation>
    </message>
</context>
<context>
    <name>QPlatformTheme</name>
    <message>
        <source>OK</source>
        <translation>OK</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Speichern</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>&amp;Yes</source>
        <translation>&amp;Ja</translation>
    </message>
    <message>
        <source>&amp;No</source>
        <translation>&amp;Nein</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>Anwenden</translation>
    </message>
    <message>
        <source>Retry</source>
        <translation>Wiederholen</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>Verwerfen</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>Hilfe</translation>
    </message>
</context>
<context>
    <name>Recipes</name>
    <message>
        <source>336,226,108 parameters, and the vocabulary filled up to 30,528; MLPerf starts from a phase-1 checkpoint, this from fresh weights</source>
        <translation>336.226.108 Parameter, und das Vokabular auf 30.528 aufgefüllt; MLPerf beginnt mit einem Checkpoint der Phase 1, dies mit neuen Gewichten</translation>
    </message>
    <message>
        <source>AP of boxes that overlap by half</source>
        <translation>AP von Rahmen mit halber Überdeckung</translation>
    </message>
    <message>
        <source>AP of masks that overlap by half</source>
        <translation>AP von Masken mit halber Überdeckung</translation>
    </message>
    <message>
        <source>BCCD (blood cells), COCO&apos;s tree or a Pascal VOC tree; name the evaluated part in data.eval</source>
        <translation>BCCD (Blutzellen), COCO-Baum oder Pascal-VOC-Baum; nennen Sie den ausgewerteten Teil in data.eval</translation>
    </message>
    <message>
        <source>BERT-base, 12 layers of 768</source>
        <translation>BERT-base, 12 Schichten mit 768</translation>
    </message>
    <message>
        <source>BERT-large, 24 layers of 1024</source>
        <translation>BERT-large, 24 Schichten mit 1024</translation>
    </message>
    <message>
        <source>BERT-mini on text of your own, one workstation</source>
        <translation>BERT-mini mit eigenem Text, eine Workstation</translation>
    </message>
    <message>
        <source>BERT-mini, 4 layers of 256</source>
        <translation>BERT-mini, 4 Schichten mit 256</translation>
    </message>
    <message>
        <source>BERT-small on text of your own, one workstation</source>
        <translation>BERT-small mit eigenem Text, eine Workstation</translation>
    </message>
    <message>
        <source>BERT-small, 4 layers of 512</source>
        <translation>BERT-small, 4 Schichten mit 512</translation>
    </message>
    <message>
        <source>BERT-tiny, 2 layers of 128</source>
        <translation>BERT-tiny, 2 Schichten mit 128</translation>
    </message>
    <message>
        <source>BLEU</source>
        <translation>BLEU</translation>
    </message>
    <message>
        <source>CIFAR-10 binary files, class folders of JPEG/PNG, or a tar of either</source>
        <translation>CIFAR-10-Binärdateien, Klassenordner mit JPEG/PNG oder ein tar davon</translation>
    </message>
    <message>
        <source>CIFAR-10 or class folders of small pictures, one workstation</source>
        <translation>CIFAR-10 oder Klassenordner kleiner Bilder, eine Workstation</translation>
    </message>
    <message>
        <source>CIFAR-10 to 94 % with the nine-layer network</source>
        <translation>CIFAR-10 bis 94 % mit dem neunschichtigen Netz</translation>
    </message>
    <message>
        <source>CIFAR-10 with ResNet-18 at 32x32</source>
        <translation>CIFAR-10 mit ResNet-18 bei 32x32</translation>
    </message>
    <message>
        <source>CIFAR-10: binary files, class folders of JPEG/PNG, or a tar of either</source>
        <translation>CIFAR-10: Binärdateien, Klassenordner mit JPEG/PNG oder ein tar davon</translation>
    </message>
    <message>
        <source>COCO 2017: annotations/instances_train2017.json and instances_val2017.json, train2017/, val2017/</source>
        <translation>COCO 2017: annotations/instances_train2017.json und instances_val2017.json, train2017/, val2017/</translation>
    </message>
    <message>
        <source>COCO mAP of boxes</source>
        <translation>COCO-mAP der Rahmen</translation>
    </message>
    <message>
        <source>COCO mAP of masks</source>
        <translation>COCO-mAP der Masken</translation>
    </message>
    <message>
        <source>COCO&apos;s annotations (instances_train*.json and instances_val*.json) with their pictures, a Pascal VOC tree, or folders images and masks (PNGs with a number per object); as a folder or a tar</source>
        <translation>COCO-Annotationen (instances_train*.json und instances_val*.json) mit ihren Bildern, ein Pascal-VOC-Baum oder Ordner images und masks (PNGs mit einer Zahl je Objekt); als Ordner oder tar</translation>
    </message>
    <message>
        <source>COCO&apos;s annotations with polygons or run lengths (instances_train*.json and instances_val*.json) with their pictures, a Pascal VOC tree with SegmentationObject, or folders images and masks (PNGs with a number per object); as a folder or a tar</source>
        <translation>COCO-Annotationen mit Polygonen oder Lauflängen (instances_train*.json und instances_val*.json) mit ihren Bildern, ein Pascal-VOC-Baum mit SegmentationObject oder Ordner images und masks (PNGs mit einer Zahl je Objekt); als Ordner oder tar</translation>
    </message>
    <message>
        <source>COCO&apos;s tree with masks; name the evaluated part in data.eval</source>
        <translation>COCO-Baum mit Masken; nennen Sie den ausgewerteten Teil in data.eval</translation>
    </message>
    <message>
        <source>Commerce</source>
        <translation>Handel</translation>
    </message>
    <message>
        <source>Criteo&apos;s click logs as text (Kaggle&apos;s train.txt), or train.bin with test.bin</source>
        <translation>Criteos Klickprotokolle als Text (train.txt von Kaggle) oder train.bin mit test.bin</translation>
    </message>
    <message>
        <source>Criteo&apos;s text, one workstation</source>
        <translation>Criteos Text, eine Workstation</translation>
    </message>
    <message>
        <source>DLRM</source>
        <translation>DLRM</translation>
    </message>
    <message>
        <source>English Wikipedia as MLPerf cleans it (part-*-of-*, a sentence a line), eval.txt and vocab.txt in one folder</source>
        <translation>Englische Wikipedia, wie MLPerf sie bereinigt (part-*-of-*, je Zeile ein Satz), eval.txt und vocab.txt in einem Ordner</translation>
    </message>
    <message>
        <source>Four minutes on one CPU core, drawn scenes</source>
        <translation>Vier Minuten auf einem CPU-Kern, gezeichnete Szenen</translation>
    </message>
    <message>
        <source>GNMT v2, 4 + 4 layers, width 1024</source>
        <translation>GNMT v2, 4 + 4 Schichten, Breite 1024</translation>
    </message>
    <message>
        <source>GNMT, 2 + 2 layers, width 128</source>
        <translation>GNMT, 2 + 2 Schichten, Breite 128</translation>
    </message>
    <message>
        <source>GNMT, 2 + 2 layers, width 512</source>
        <translation>GNMT, 2 + 2 Schichten, Breite 512</translation>
    </message>
    <message>
        <source>Half a minute on one CPU core, generated clicks</source>
        <translation>Eine halbe Minute auf einem CPU-Kern, erzeugte Klicks</translation>
    </message>
    <message>
        <source>Half a minute on one CPU core, generated preferences</source>
        <translation>Eine halbe Minute auf einem CPU-Kern, erzeugte Vorlieben</translation>
    </message>
    <message>
        <source>Hit rate in the first 10</source>
        <translation>Trefferrate unter den ersten 10</translation>
    </message>
    <message>
        <source>Image classification</source>
        <translation>Bildklassifikation</translation>
    </message>
    <message>
        <source>ImageNet-1k as class folders: train/&lt;class&gt;/*.JPEG and val/&lt;class&gt;/*.JPEG</source>
        <translation>ImageNet-1k als Klassenordner: train/&lt;Klasse&gt;/*.JPEG und val/&lt;Klasse&gt;/*.JPEG</translation>
    </message>
    <message>
        <source>Instance segmentation</source>
        <translation>Instanzsegmentierung</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>Sprache</translation>
    </message>
    <message>
        <source>Language pre-training</source>
        <translation>Sprach-Vortraining</translation>
    </message>
    <message>
        <source>MLPerf ResNet-50 on ImageNet-1k, LARS at batch 3264</source>
        <translation>MLPerf: ResNet-50 auf ImageNet-1k, LARS mit Batch 3264</translation>
    </message>
    <message>
        <source>MLPerf ResNet-50 on ImageNet-1k, SGD</source>
        <translation>MLPerf: ResNet-50 auf ImageNet-1k, SGD</translation>
    </message>
    <message>
        <source>MLPerf v0.5: MovieLens-20M</source>
        <translation>MLPerf v0.5: MovieLens-20M</translation>
    </message>
    <message>
        <source>MLPerf v0.5: Transformer big, WMT17 English to German</source>
        <translation>MLPerf v0.5: Transformer big, WMT17 Englisch-Deutsch</translation>
    </message>
    <message>
        <source>MLPerf v0.5: WMT16, English to German</source>
        <translation>MLPerf v0.5: WMT16, Englisch-Deutsch</translation>
    </message>
    <message>
        <source>MLPerf v0.7 to v2.1: Criteo&apos;s terabyte of click logs</source>
        <translation>MLPerf v0.7 bis v2.1: Criteos Terabyte an Klickprotokollen</translation>
    </message>
    <message>
        <source>MLPerf v1.1: SSD-ResNet34 on COCO 2017</source>
        <translation>MLPerf v1.1: SSD-ResNet34 auf COCO 2017</translation>
    </message>
    <message>
        <source>MLPerf v2.0: BERT-large, phase 2, batch 3072 (64 or 128 GPUs)</source>
        <translation>MLPerf v2.0: BERT-large, Phase 2, Batch 3072 (64 oder 128 GPUs)</translation>
    </message>
    <message>
        <source>MLPerf v2.0: BERT-large, phase 2, batch 448</source>
        <translation>MLPerf v2.0: BERT-large, Phase 2, Batch 448</translation>
    </message>
    <message>
        <source>MLPerf v2.0: BERT-large, phase 2, batch 92 (one GPU)</source>
        <translation>MLPerf v2.0: BERT-large, Phase 2, Batch 92 (eine GPU)</translation>
    </message>
    <message>
        <source>MLPerf v2.0: Mask R-CNN on COCO 2017, 800x1333</source>
        <translation>MLPerf v2.0: Mask R-CNN auf COCO 2017, 800x1333</translation>
    </message>
    <message>
        <source>MLPerf v2.0: RetinaNet on OpenImages, 800x800</source>
        <translation>MLPerf v2.0: RetinaNet auf OpenImages, 800x800</translation>
    </message>
    <message>
        <source>Mask R-CNN on ResNet-18</source>
        <translation>Mask R-CNN auf ResNet-18</translation>
    </message>
    <message>
        <source>Mask R-CNN on ResNet-18 and a public set with masks, one workstation</source>
        <translation>Mask R-CNN auf ResNet-18 und ein öffentlicher Datensatz mit Masken, eine Workstation</translation>
    </message>
    <message>
        <source>Mask R-CNN on ResNet-50, MLPerf&apos;s</source>
        <translation>Mask R-CNN auf ResNet-50, das von MLPerf</translation>
    </message>
    <message>
        <source>Masked words found</source>
        <translation>Gefundene maskierte Wörter</translation>
    </message>
    <message>
        <source>Minutes on two CPU cores, pictures drawn by Scalebench</source>
        <translation>Minuten auf zwei CPU-Kernen, von Scalebench gezeichnete Bilder</translation>
    </message>
    <message>
        <source>MovieLens (u.data or ratings.csv), or X.train.rating with X.test.rating and X.test.negative</source>
        <translation>MovieLens (u.data oder ratings.csv) oder X.train.rating mit X.test.rating und X.test.negative</translation>
    </message>
    <message>
        <source>MovieLens-100k (u.data), ratings.csv, or the NCF paper&apos;s files: give their common stem</source>
        <translation>MovieLens-100k (u.data), ratings.csv oder die Dateien der NCF-Arbeit: Geben Sie den gemeinsamen Stamm an</translation>
    </message>
    <message>
        <source>MovieLens-20M: ratings.csv</source>
        <translation>MovieLens-20M: ratings.csv</translation>
    </message>
    <message>
        <source>Multi30k as published: train.en.gz, train.de.gz and test_2016_flickr of both</source>
        <translation>Multi30k wie veröffentlicht: train.en.gz, train.de.gz und test_2016_flickr von beiden</translation>
    </message>
    <message>
        <source>Multi30k, English to German, 3 + 3 layers, one workstation</source>
        <translation>Multi30k, Englisch-Deutsch, 3 + 3 Schichten, eine Workstation</translation>
    </message>
    <message>
        <source>Multi30k, English to German, 6 + 6 layers, one workstation</source>
        <translation>Multi30k, Englisch-Deutsch, 6 + 6 Schichten, eine Workstation</translation>
    </message>
    <message>
        <source>Multi30k, English to German, one workstation</source>
        <translation>Multi30k, Englisch-Deutsch, eine Workstation</translation>
    </message>
    <message>
        <source>Multi30k, task 1, raw: train.en.gz, train.de.gz and test_2016_flickr in one folder; or train.LANGUAGE of your own (set data.eval and the languages)</source>
        <translation>Multi30k, Aufgabe 1, roh: train.en.gz, train.de.gz und test_2016_flickr in einem Ordner; oder eigenes train.SPRACHE (setzen Sie data.eval und die Sprachen)</translation>
    </message>
    <message>
        <source>NAME.LANGUAGE or NAME.LANGUAGE.gz for both languages, or NAME.tsv; codes (subword-nmt) if there are any</source>
        <translation>NAME.SPRACHE oder NAME.SPRACHE.gz für beide Sprachen oder NAME.tsv; codes (subword-nmt), wenn es welche gibt</translation>
    </message>
    <message>
        <source>NDCG of the first 10</source>
        <translation>NDCG der ersten 10</translation>
    </message>
    <message>
        <source>NeuMF</source>
        <translation>NeuMF</translation>
    </message>
    <message>
        <source>Next sentences told</source>
        <translation>Erkannte Folgesätze</translation>
    </message>
    <message>
        <source>Not trained to its target by Scalebench yet: about 1.1 GFLOP forward a picture want a GPU</source>
        <translation>Von Scalebench noch nicht bis zum Ziel trainiert: Etwa 1,1 GFLOP vorwärts je Bild verlangen eine GPU</translation>
    </message>
    <message>
        <source>Object detection</source>
        <translation>Objekterkennung</translation>
    </message>
    <message>
        <source>Object detection, dense</source>
        <translation>Objekterkennung, dicht</translation>
    </message>
    <message>
        <source>OpenImages v6, MLPerf&apos;s subset of 264 categories, as COCO&apos;s tree (instances_train*.json and instances_val*.json)</source>
        <translation>OpenImages v6, MLPerfs Auswahl von 264 Kategorien, als COCO-Baum (instances_train*.json und instances_val*.json)</translation>
    </message>
    <message>
        <source>Public sets of the field, one workstation</source>
        <translation>Öffentliche Datensätze des Fachs, eine Workstation</translation>
    </message>
    <message>
        <source>ROC AUC</source>
        <translation>ROC-AUC</translation>
    </message>
    <message>
        <source>Recommendation</source>
        <translation>Empfehlung</translation>
    </message>
    <message>
        <source>Recommendation at scale</source>
        <translation>Empfehlung im großen Maßstab</translation>
    </message>
    <message>
        <source>Recurrent translation</source>
        <translation>Rekurrente Übersetzung</translation>
    </message>
    <message>
        <source>ResNet-18 (small pictures)</source>
        <translation>ResNet-18 (kleine Bilder)</translation>
    </message>
    <message>
        <source>ResNet-20 (CIFAR)</source>
        <translation>ResNet-20 (CIFAR)</translation>
    </message>
    <message>
        <source>ResNet-32 (CIFAR)</source>
        <translation>ResNet-32 (CIFAR)</translation>
    </message>
    <message>
        <source>ResNet-50 v1.5</source>
        <translation>ResNet-50 v1.5</translation>
    </message>
    <message>
        <source>ResNet-56 (CIFAR)</source>
        <translation>ResNet-56 (CIFAR)</translation>
    </message>
    <message>
        <source>ResNet-9 (CIFAR)</source>
        <translation>ResNet-9 (CIFAR)</translation>
    </message>
    <message>
        <source>RetinaNet on ResNeXt-50 32x4d, MLPerf&apos;s</source>
        <translation>RetinaNet auf ResNeXt-50 32x4d, das von MLPerf</translation>
    </message>
    <message>
        <source>RetinaNet on ResNet-18</source>
        <translation>RetinaNet auf ResNet-18</translation>
    </message>
    <message>
        <source>RetinaNet on ResNet-18 and a public set, one workstation</source>
        <translation>RetinaNet auf ResNet-18 und ein öffentlicher Datensatz, eine Workstation</translation>
    </message>
    <message>
        <source>RetinaNet on ResNet-50</source>
        <translation>RetinaNet auf ResNet-50</translation>
    </message>
    <message>
        <source>SSD-ResNet18, 300x300, 8,732 boxes</source>
        <translation>SSD-ResNet18, 300x300, 8.732 Rahmen</translation>
    </message>
    <message>
        <source>SSD-ResNet34, 300x300, 8,732 boxes</source>
        <translation>SSD-ResNet34, 300x300, 8.732 Rahmen</translation>
    </message>
    <message>
        <source>SSD300 on a public set, one workstation</source>
        <translation>SSD300 auf einem öffentlichen Datensatz, eine Workstation</translation>
    </message>
    <message>
        <source>Small Mask R-CNN, four stages of one block</source>
        <translation>Kleines Mask R-CNN, vier Stufen zu einem Block</translation>
    </message>
    <message>
        <source>Small RetinaNet, four stages of one block</source>
        <translation>Kleines RetinaNet, vier Stufen zu einem Block</translation>
    </message>
    <message>
        <source>Small SSD, 128x128, 1,360 boxes</source>
        <translation>Kleines SSD, 128x128, 1.360 Rahmen</translation>
    </message>
    <message>
        <source>Small pictures of a public set with masks, one workstation</source>
        <translation>Kleine Bilder eines öffentlichen Datensatzes mit Masken, eine Workstation</translation>
    </message>
    <message>
        <source>Small pictures of a public set, one workstation</source>
        <translation>Kleine Bilder eines öffentlichen Datensatzes, eine Workstation</translation>
    </message>
    <message>
        <source>The published run starts from ImageNet weights of the backbone, whose first stages and batch norms stay as they are</source>
        <translation>Der veröffentlichte Lauf beginnt mit ImageNet-Gewichten des Backbones, dessen erste Stufen und Batch-Normen bleiben, wie sie sind</translation>
    </message>
    <message>
        <source>The published run starts from ImageNet weights of the backbone: name their file in model.weights (torchvision&apos;s ResNet-34 as safetensors, on every host). From random weights the target is not to be expected</source>
        <translation>Der veröffentlichte Lauf beginnt mit ImageNet-Gewichten des Backbones: Nennen Sie deren Datei in model.weights (torchvisions ResNet-34 als safetensors, auf jedem Host). Mit zufälligen Gewichten ist das Ziel nicht zu erwarten</translation>
    </message>
    <message>
        <source>Three minutes on one CPU core, drawn scenes</source>
        <translation>Drei Minuten auf einem CPU-Kern, gezeichnete Szenen</translation>
    </message>
    <message>
        <source>Three minutes on one CPU core, generated languages</source>
        <translation>Drei Minuten auf einem CPU-Kern, erzeugte Sprachen</translation>
    </message>
    <message>
        <source>Three minutes on one CPU core, generated text</source>
        <translation>Drei Minuten auf einem CPU-Kern, erzeugter Text</translation>
    </message>
    <message>
        <source>Top-1 accuracy</source>
        <translation>Top-1-Genauigkeit</translation>
    </message>
    <message>
        <source>Transformer base, d 512</source>
        <translation>Transformer base, d 512</translation>
    </message>
    <message>
        <source>Transformer big, d 1024</source>
        <translation>Transformer big, d 1024</translation>
    </message>
    <message>
        <source>Transformer, 2 + 2 layers, d 128</source>
        <translation>Transformer, 2 + 2 Schichten, d 128</translation>
    </message>
    <message>
        <source>Transformer, d 256</source>
        <translation>Transformer, d 256</translation>
    </message>
    <message>
        <source>Translation</source>
        <translation>Übersetzung</translation>
    </message>
    <message>
        <source>Two minutes on one CPU core, drawn scenes</source>
        <translation>Zwei Minuten auf einem CPU-Kern, gezeichnete Szenen</translation>
    </message>
    <message>
        <source>Vision</source>
        <translation>Bildverarbeitung</translation>
    </message>
    <message>
        <source>WMT16 en-de: train.en, train.de, newstest2014.en, newstest2014.de, and codes of 32,000 merges if you have them</source>
        <translation>WMT16 en-de: train.en, train.de, newstest2014.en, newstest2014.de und codes mit 32.000 Verschmelzungen, wenn vorhanden</translation>
    </message>
    <message>
        <source>WMT17 English-German: train.en, train.de (europarl v7, commoncrawl, news commentary v12), newstest2014.en and .de in one folder</source>
        <translation>WMT17 Englisch-Deutsch: train.en, train.de (europarl v7, commoncrawl, news commentary v12), newstest2014.en und .de in einem Ordner</translation>
    </message>
    <message>
        <source>a folder with vocab.txt (WordPiece) and text, in folders below it too: a sentence a line with a blank line between documents, or WikiExtractor&apos;s; eval* files are held out</source>
        <translation>ein Ordner mit vocab.txt (WordPiece) und Text, auch in Unterordnern: je Zeile ein Satz, Leerzeile zwischen Dokumenten, oder der von WikiExtractor; eval* sind zurückgehalten</translation>
    </message>
    <message>
        <source>a folder with vocab.txt and text, for instance English Wikipedia from WikiExtractor</source>
        <translation>ein Ordner mit vocab.txt und Text, zum Beispiel englische Wikipedia von WikiExtractor</translation>
    </message>
    <message>
        <source>click logs: train.bin with test.bin (40 32-bit numbers a row), or Criteo&apos;s text as train.txt with test.txt, or one such text</source>
        <translation>Klickprotokolle: train.bin mit test.bin (je Zeile 40 32-Bit-Zahlen) oder Criteos Text als train.txt mit test.txt oder ein solcher Text</translation>
    </message>
    <message>
        <source>drawn by Scalebench (scalebench-shapes-v1), not a public data set</source>
        <translation>von Scalebench gezeichnet (scalebench-shapes-v1), kein öffentlicher Datensatz</translation>
    </message>
    <message>
        <source>made by Scalebench (scalebench-clicks-v1), not a public data set</source>
        <translation>von Scalebench gemacht (scalebench-clicks-v1), kein öffentlicher Datensatz</translation>
    </message>
    <message>
        <source>made by Scalebench (scalebench-language-pair-v1, two invented languages), not a public data set</source>
        <translation>von Scalebench gemacht (scalebench-language-pair-v1, zwei erfundene Sprachen), kein öffentlicher Datensatz</translation>
    </message>
    <message>
        <source>made by Scalebench (scalebench-preferences-v1), not a public data set</source>
        <translation>von Scalebench gemacht (scalebench-preferences-v1), kein öffentlicher Datensatz</translation>
    </message>
    <message>
        <source>made by Scalebench (scalebench-prose-v1), not a public data set</source>
        <translation>von Scalebench gemacht (scalebench-prose-v1), kein öffentlicher Datensatz</translation>
    </message>
    <message>
        <source>made by Scalebench (scalebench-scenes-v1: up to six shapes a picture), not a public data set</source>
        <translation>von Scalebench gemacht (scalebench-scenes-v1: bis zu sechs Formen je Bild), kein öffentlicher Datensatz</translation>
    </message>
    <message>
        <source>train.bin and test.bin of the terabyte log: 40 32-bit numbers a row, shuffled already</source>
        <translation>train.bin und test.bin des Terabyte-Protokolls: je Zeile 40 32-Bit-Zahlen, schon gemischt</translation>
    </message>
</context>
<context>
    <name>ResultsImport</name>
    <message numerus="yes">
        <source>Refused: %n bundle(s).</source>
        <translation>
            <numerusform>Abgelehnt: %n Bündel.</numerusform>
            <numerusform>Abgelehnt: %n Bündel.</numerusform>
        </translation>
    </message>
    <message>
        <source>Cancelled: nothing was stored.</source>
        <translation>Abgebrochen: Nichts wurde gespeichert.</translation>
    </message>
    <message numerus="yes">
        <source>Imported %n run(s).</source>
        <translation>
            <numerusform>%n Lauf importiert.</numerusform>
            <numerusform>%n Läufe importiert.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>There already: %n run(s).</source>
        <translation>
            <numerusform>Schon vorhanden: %n Lauf.</numerusform>
            <numerusform>Schon vorhanden: %n Läufe.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Kept %n file(s) of reference points.</source>
        <translation>
            <numerusform>%n Datei mit Referenzpunkten gespeichert.</numerusform>
            <numerusform>%n Dateien mit Referenzpunkten gespeichert.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Damaged: %n file(s).</source>
        <translation>
            <numerusform>Beschädigt: %n Datei.</numerusform>
            <numerusform>Beschädigt: %n Dateien.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Without results, so skipped: %n file(s).</source>
        <translation>
            <numerusform>Ohne Ergebnisse und deshalb übersprungen: %n Datei.</numerusform>
            <numerusform>Ohne Ergebnisse und deshalb übersprungen: %n Dateien.</numerusform>
        </translation>
    </message>
    <message>
        <source>Nothing that holds results was found.</source>
        <translation>Es wurde nichts gefunden, das Ergebnisse enthält.</translation>
    </message>
    <message numerus="yes">
        <source>Kept already: %n file(s) of reference points.</source>
        <translation>
            <numerusform>Schon vorhanden: %n Datei mit Referenzpunkten.</numerusform>
            <numerusform>Schon vorhanden: %n Dateien mit Referenzpunkten.</numerusform>
        </translation>
    </message>
    <message>
        <source>Data to train on is chosen on the Plan page: Data.</source>
        <translation>Daten zum Trainieren wählt man auf der Seite Plan: Daten.</translation>
    </message>
</context>
<context>
    <name>RunCharts</name>
    <message>
        <source>range of the repeats</source>
        <translation>Spanne der Wiederholungen</translation>
    </message>
    <message>
        <source>Training samples seen</source>
        <translation>Gesehene Trainingssamples</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>Time since start (s)</source>
        <translation>Zeit seit dem Start (s)</translation>
    </message>
    <message>
        <source>Time of day</source>
        <translation>Uhrzeit</translation>
    </message>
    <message>
        <source>Epoch</source>
        <translation>Epoche</translation>
    </message>
    <message numerus="yes">
        <source>%1 (%n run(s))</source>
        <translation>
            <numerusform>%1 (%n Lauf)</numerusform>
            <numerusform>%1 (%n Läufe)</numerusform>
        </translation>
    </message>
    <message>
        <source>The first points appear soon: speed within seconds, quality at the end of the first epoch.</source>
        <translation>Die ersten Punkte erscheinen bald: die Geschwindigkeit nach Sekunden, die Güte am Ende der ersten Epoche.</translation>
    </message>
    <message>
        <source>Nothing of this was recorded.</source>
        <translation>Davon wurde nichts aufgezeichnet.</translation>
    </message>
    <message>
        <source>by epoch</source>
        <translation>nach Epoche</translation>
    </message>
    <message>
        <source>by samples</source>
        <translation>nach Samples</translation>
    </message>
    <message>
        <source>by step</source>
        <translation>nach Schritt</translation>
    </message>
    <message>
        <source>by time</source>
        <translation>nach Zeit</translation>
    </message>
    <message>
        <source>by time of day</source>
        <translation>nach Uhrzeit</translation>
    </message>
    <message numerus="yes">
        <source>%n workload(s)</source>
        <translation>
            <numerusform>%n Workload</numerusform>
            <numerusform>%n Workloads</numerusform>
        </translation>
    </message>
    <message>
        <source> and </source>
        <translation> und </translation>
    </message>
    <message>
        <source>%1 vs samples</source>
        <translation>%1 über Samples</translation>
    </message>
    <message>
        <source>%1 vs step</source>
        <translation>%1 über Schritten</translation>
    </message>
    <message>
        <source>%1 vs time</source>
        <translation>%1 über Zeit</translation>
    </message>
    <message>
        <source>%1 by time of day</source>
        <translation>%1 nach Uhrzeit</translation>
    </message>
    <message>
        <source>%1 vs epoch</source>
        <translation>%1 über Epochen</translation>
    </message>
    <message>
        <source>%1 (%)</source>
        <translation>%1 (%)</translation>
    </message>
    <message>
        <source>target of %1: %2</source>
        <translation>Ziel von %1: %2</translation>
    </message>
    <message>
        <source>target %1</source>
        <translation>Ziel %1</translation>
    </message>
    <message>
        <source>Accuracy</source>
        <translation>Genauigkeit</translation>
    </message>
    <message>
        <source>Throughput</source>
        <translation>Durchsatz</translation>
    </message>
    <message>
        <source>Samples/s</source>
        <translation>Samples/s</translation>
    </message>
    <message>
        <source>Training loss</source>
        <translation>Trainings-Loss</translation>
    </message>
    <message>
        <source>Where a step&apos;s time goes</source>
        <translation>Wohin die Zeit eines Schritts geht</translation>
    </message>
    <message>
        <source>ms per step</source>
        <translation>ms je Schritt</translation>
    </message>
    <message>
        <source>compute</source>
        <translation>Rechnen</translation>
    </message>
    <message>
        <source>communication</source>
        <translation>Kommunikation</translation>
    </message>
    <message>
        <source>rows of tables</source>
        <translation>Tabellenzeilen</translation>
    </message>
    <message>
        <source>input wait</source>
        <translation>Warten auf Eingabe</translation>
    </message>
    <message>
        <source>other</source>
        <translation>Übriges</translation>
    </message>
    <message>
        <source>%1, %2 % comm.</source>
        <translation>%1, %2 % Komm.</translation>
    </message>
    <message>
        <source>all runs</source>
        <translation>alle Läufe</translation>
    </message>
    <message numerus="yes">
        <source>%1: %n run(s)</source>
        <translation>
            <numerusform>%1: %n Lauf</numerusform>
            <numerusform>%1: %n Läufe</numerusform>
        </translation>
    </message>
    <message>
        <source>GPU</source>
        <translation>GPU</translation>
    </message>
    <message numerus="yes">
        <source>CPU, %n thread(s) per worker</source>
        <translation>
            <numerusform>CPU, %n Thread je Worker</numerusform>
            <numerusform>CPU, %n Threads je Worker</numerusform>
        </translation>
    </message>
    <message>
        <source>global batch %1</source>
        <translation>globaler Batch %1</translation>
    </message>
    <message numerus="yes">
        <source>%n worker(s)</source>
        <translation>
            <numerusform>%n Worker</numerusform>
            <numerusform>%n Worker</numerusform>
        </translation>
    </message>
    <message>
        <source>unknown number of workers</source>
        <translation>unbekannte Workerzahl</translation>
    </message>
    <message numerus="yes">
        <source>%n node(s)</source>
        <translation>
            <numerusform>%n Knoten</numerusform>
            <numerusform>%n Knoten</numerusform>
        </translation>
    </message>
    <message>
        <source>run %1</source>
        <translation>Lauf %1</translation>
    </message>
    <message>
        <source>seed %1</source>
        <translation>Seed %1</translation>
    </message>
    <message>
        <source>%1, batch %2</source>
        <translation>%1, Batch %2</translation>
    </message>
    <message>
        <source>No study is shown. Start one on the Plan page, or open one on the Results page.</source>
        <translation>Es wird keine Studie gezeigt. Starten Sie eine auf der Seite Plan, oder öffnen Sie eine auf der Seite Ergebnisse.</translation>
    </message>
    <message>
        <source>Nothing is recorded yet: no run is training.</source>
        <translation>Noch ist nichts aufgezeichnet: Kein Lauf trainiert.</translation>
    </message>
    <message>
        <source>Input made beside a step: %1</source>
        <translation>Eingabe, während eines Schritts vorbereitet: %1</translation>
    </message>
    <message>
        <source>Training samples (millions)</source>
        <translation>Gesehene Trainingssamples (Millionen)</translation>
    </message>
    <message>
        <source>CPU</source>
        <translation>CPU</translation>
    </message>
    <message numerus="yes">
        <source>not in this chart: %n run(s) of %1 workloads</source>
        <translation>
            <numerusform>nicht in diesem Diagramm: %n Lauf von %1 Workloads</numerusform>
            <numerusform>nicht in diesem Diagramm: %n Läufe von %1 Workloads</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>not in this chart: %n run(s) of %1</source>
        <translation>
            <numerusform>nicht in diesem Diagramm: %n Lauf von %1</numerusform>
            <numerusform>nicht in diesem Diagramm: %n Läufe von %1</numerusform>
        </translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>Loss</translation>
    </message>
    <message>
        <source>d MMM yyyy</source>
        <translation>d. MMM yyyy</translation>
    </message>
    <message>
        <source>After how many epochs is not known; by time it is shown.</source>
        <translation>Nach wie vielen Epochen, ist nicht bekannt; nach Zeit wird es gezeigt.</translation>
    </message>
</context>
<context>
    <name>RunProperties</name>
    <message>
        <source>started</source>
        <translation>begonnen</translation>
    </message>
    <message>
        <source>ended</source>
        <translation>beendet</translation>
    </message>
    <message>
        <source>training time</source>
        <translation>Trainingszeit</translation>
    </message>
    <message>
        <source>run</source>
        <translation>Lauf</translation>
    </message>
    <message>
        <source>study</source>
        <translation>Studie</translation>
    </message>
    <message>
        <source>state</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>why</source>
        <translation>warum</translation>
    </message>
    <message>
        <source>from</source>
        <translation>Herkunft</translation>
    </message>
    <message>
        <source>workers</source>
        <translation>Worker</translation>
    </message>
    <message>
        <source>epochs trained</source>
        <translation>trainierte Epochen</translation>
    </message>
    <message>
        <source>best quality</source>
        <translation>beste Güte</translation>
    </message>
    <message>
        <source>target</source>
        <translation>Ziel</translation>
    </message>
    <message>
        <source>samples per second</source>
        <translation>Samples pro Sekunde</translation>
    </message>
    <message>
        <source>energy</source>
        <translation>Energie</translation>
    </message>
    <message>
        <source>%1 kWh</source>
        <translation>%1 kWh</translation>
    </message>
    <message>
        <source>disturbed</source>
        <translation>gestört</translation>
    </message>
    <message>
        <source>devices</source>
        <translation>Geräte</translation>
    </message>
    <message>
        <source>folder</source>
        <translation>Ordner</translation>
    </message>
    <message>
        <source>settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>environment</source>
        <translation>Umgebung</translation>
    </message>
    <message>
        <source>the same in all of them</source>
        <translation>bei allen gleich</translation>
    </message>
    <message>
        <source>name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>machine</source>
        <translation>Maschine</translation>
    </message>
    <message>
        <source>runs</source>
        <translation>Läufe</translation>
    </message>
    <message>
        <source>processor</source>
        <translation>Prozessor</translation>
    </message>
    <message>
        <source>processors</source>
        <translation>Prozessoren</translation>
    </message>
    <message>
        <source>memory</source>
        <translation>Arbeitsspeicher</translation>
    </message>
    <message>
        <source>GPUs</source>
        <translation>GPUs</translation>
    </message>
    <message>
        <source>why no GPU</source>
        <translation>warum keine GPU</translation>
    </message>
    <message>
        <source>system</source>
        <translation>System</translation>
    </message>
    <message>
        <source>engine</source>
        <translation>Engine</translation>
    </message>
    <message>
        <source>stream</source>
        <translation>Datenstrom</translation>
    </message>
    <message>
        <source>%1, with pauses %2</source>
        <translation>%1, mit Pausen %2</translation>
    </message>
</context>
<context>
    <name>ScalingCharts</name>
    <message>
        <source>Workers</source>
        <translation>Worker</translation>
    </message>
    <message>
        <source>%1 per node</source>
        <translation>%1 je Knoten</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 bis %2</translation>
    </message>
    <message>
        <source>the batch changes with the workers (%1)</source>
        <translation>der Batch ändert sich mit den Workern (%1)</translation>
    </message>
    <message>
        <source>the epochs to the target differ (%1)</source>
        <translation>die Epochen bis zum Ziel unterscheiden sich (%1)</translation>
    </message>
    <message>
        <source>beyond the ideal: fewer epochs were needed, and steps are faster than their share (caches, or a slow baseline)</source>
        <translation>über dem Ideal: Es waren weniger Epochen nötig, und die Schritte sind schneller als ihr Anteil (Caches oder eine langsame Basis)</translation>
    </message>
    <message>
        <source>beyond the ideal: fewer epochs were needed, not the hardware&apos;s doing</source>
        <translation>über dem Ideal: Es waren weniger Epochen nötig, das liegt nicht an der Hardware</translation>
    </message>
    <message>
        <source>beyond the ideal: steps are faster than their share (caches, or a slow baseline)</source>
        <translation>über dem Ideal: Die Schritte sind schneller als ihr Anteil (Caches oder eine langsame Basis)</translation>
    </message>
    <message>
        <source>The speedup appears as runs end.</source>
        <translation>Der Speedup erscheint, sobald Läufe enden.</translation>
    </message>
    <message>
        <source>Speedup</source>
        <translation>Speedup</translation>
    </message>
    <message>
        <source>Speedup vs %1</source>
        <translation>Speedup gegenüber %1</translation>
    </message>
    <message>
        <source>Speedup of an epoch vs %1</source>
        <translation>Speedup einer Epoche gegenüber %1</translation>
    </message>
    <message>
        <source>Samples/s vs %1 (×)</source>
        <translation>Samples/s gegenüber %1 (×)</translation>
    </message>
    <message>
        <source>Ratios appear as runs with two numbers of workers measure them.</source>
        <translation>Verhältnisse erscheinen, sobald Läufe mit zwei Workerzahlen sie messen.</translation>
    </message>
    <message>
        <source>measured</source>
        <translation>gemessen</translation>
    </message>
    <message>
        <source>Scaling efficiency</source>
        <translation>Skalierungseffizienz</translation>
    </message>
    <message>
        <source>Speedup / workers</source>
        <translation>Speedup / Worker</translation>
    </message>
    <message>
        <source>%1 (reference only)</source>
        <translation>%1 (nur zum Vergleich)</translation>
    </message>
    <message>
        <source>Time to train</source>
        <translation>Trainingszeit</translation>
    </message>
    <message>
        <source>Time to train (min)</source>
        <translation>Trainingszeit (min)</translation>
    </message>
    <message>
        <source>Time to train (s)</source>
        <translation>Trainingszeit (s)</translation>
    </message>
    <message>
        <source>mean</source>
        <translation>Mittelwert</translation>
    </message>
    <message>
        <source>ideal</source>
        <translation>ideal</translation>
    </message>
    <message>
        <source>%1, target missed</source>
        <translation>%1, Ziel verfehlt</translation>
    </message>
    <message>
        <source>target missed</source>
        <translation>Ziel verfehlt</translation>
    </message>
    <message>
        <source>Where the speedup comes from</source>
        <translation>Woher der Speedup kommt</translation>
    </message>
    <message>
        <source>Ratio (×)</source>
        <translation>Verhältnis (×)</translation>
    </message>
    <message>
        <source>step-time ratio (hardware)</source>
        <translation>Verhältnis der Schrittzeit (Hardware)</translation>
    </message>
    <message>
        <source>epochs ratio (convergence)</source>
        <translation>Verhältnis der Epochen (Konvergenz)</translation>
    </message>
    <message>
        <source>speedup = product</source>
        <translation>Speedup = Produkt</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation>
            <numerusform>%n Lauf</numerusform>
            <numerusform>%n Läufe</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 and %2</source>
        <translation>%1 und %2</translation>
    </message>
    <message>
        <source>No run reached its target, so there is no time to train to compare.</source>
        <translation>Kein Lauf hat sein Ziel erreicht, also gibt es keine Trainingszeit zum Vergleichen.</translation>
    </message>
    <message>
        <source>%1 did not reach the target: no time to train to compare.</source>
        <translation>%1 hat das Ziel nicht erreicht: keine Trainingszeit zum Vergleichen.</translation>
    </message>
    <message>
        <source>No run reached the target of %1 (best: %2), so there is no time to train to compare.</source>
        <translation>Kein Lauf hat das Ziel von %1 erreicht (bester Wert: %2), also gibt es keine Trainingszeit zum Vergleichen.</translation>
    </message>
    <message>
        <source>%1 did not reach the target of %2: no time to train to compare.</source>
        <translation>Das Ziel von %2 nicht erreicht: %1. Keine Trainingszeit zum Vergleichen.</translation>
    </message>
    <message>
        <source>Plan it again with more epochs or a lower target, or tick “train all epochs”.</source>
        <translation>Planen Sie es mit mehr Epochen oder niedrigerem Ziel neu, oder kreuzen Sie „alle Epochen“ an.</translation>
    </message>
    <message>
        <source>%1 failed: nothing to compare with. The log tells why; “Run again” on the Results page plans it anew.</source>
        <translation>Fehlgeschlagen: %1. Nichts zum Vergleichen. Das Protokoll sagt, warum; „Noch einmal“ auf der Seite Ergebnisse plant es neu.</translation>
    </message>
    <message>
        <source>%1 stopped before the end: nothing to compare with.</source>
        <translation>Vor dem Ende angehalten: %1. Nichts zum Vergleichen.</translation>
    </message>
    <message>
        <source>A speedup needs at least two worker counts: tick 1 and 2 on the Plan page.</source>
        <translation>Ein Speedup braucht mindestens zwei Workerzahlen: Kreuzen Sie auf der Seite Plan 1 und 2 an.</translation>
    </message>
    <message>
        <source>The speedup appears as further runs end.</source>
        <translation>Der Speedup erscheint, sobald weitere Läufe enden.</translation>
    </message>
    <message numerus="yes">
        <source>%1 on %n node(s)</source>
        <translation>
            <numerusform>%1 auf %n Knoten</numerusform>
            <numerusform>%1 auf %n Knoten</numerusform>
        </translation>
    </message>
    <message>
        <source>The runs do not tell their samples/s.</source>
        <translation>Die Läufe nennen ihre Samples/s nicht.</translation>
    </message>
    <message>
        <source>The number of workers of these runs is not known; import the files again with --accelerators.</source>
        <translation>Die Anzahl der Worker dieser Läufe ist nicht bekannt; importieren Sie die Dateien noch einmal mit --accelerators.</translation>
    </message>
    <message numerus="yes">
        <source>not in this chart: %n run(s) on an unknown number of workers</source>
        <translation>
            <numerusform>nicht in diesem Diagramm: %n Lauf mit unbekannter Anzahl von Workern</numerusform>
            <numerusform>nicht in diesem Diagramm: %n Läufe mit unbekannter Anzahl von Workern</numerusform>
        </translation>
    </message>
    <message>
        <source>How many epochs these runs needed is not known: their speedup has no parts.</source>
        <translation>Wie viele Epochen diese Läufe brauchten, ist nicht bekannt: Ihr Speedup lässt sich nicht zerlegen.</translation>
    </message>
</context>
<context>
    <name>SeriesColors</name>
    <message>
        <source>colour of “%1”</source>
        <translation>Farbe von „%1“</translation>
    </message>
    <message>
        <source>As &amp;usual</source>
        <translation>Wie &amp;üblich</translation>
    </message>
    <message>
        <source>Colour &amp;%1</source>
        <translation>Farbe &amp;%1</translation>
    </message>
    <message>
        <source>&amp;Another…</source>
        <translation>&amp;Andere …</translation>
    </message>
    <message>
        <source>Colour of “%1”</source>
        <translation>Farbe von „%1“</translation>
    </message>
</context>
<context>
    <name>ShapeChart</name>
    <message>
        <source>Scale-out against scale-up</source>
        <translation>Scale-out gegen Scale-up</translation>
    </message>
    <message>
        <source>Samples/s over those on the fewest nodes (×)</source>
        <translation>Samples/s gegenüber denen auf den wenigsten Knoten (×)</translation>
    </message>
    <message>
        <source>Needs runs of one number of workers on several numbers of nodes.</source>
        <translation>Braucht Läufe einer Workerzahl auf mehreren Knotenzahlen.</translation>
    </message>
    <message numerus="yes">
        <source>on %n node(s)</source>
        <translation>
            <numerusform>auf %n Knoten</numerusform>
            <numerusform>auf %n Knoten</numerusform>
        </translation>
    </message>
    <message>
        <source>fewest nodes</source>
        <translation>wenigste Knoten</translation>
    </message>
    <message>
        <source>Bars with their 95 % interval</source>
        <translation>Balken mit ihrem 95-%-Intervall</translation>
    </message>
    <message>
        <source>%1 × %2 against %3</source>
        <translation>%1 × %2 gegen %3</translation>
    </message>
    <message>
        <source>Difference in samples/s</source>
        <translation>Unterschied in Samples/s</translation>
    </message>
    <message>
        <source>%1, %2 (reference only)</source>
        <translation>%1, %2 (nur zum Vergleich)</translation>
    </message>
    <message>
        <source>which of the two is faster is not told</source>
        <translation>welches von beiden schneller ist, ist nicht gesagt</translation>
    </message>
    <message>
        <source>%1 GPUs do %2 times the work of %3</source>
        <translation>%1 GPUs leisten das %2-fache von %3</translation>
    </message>
    <message>
        <source>%1: %2 % apart (reference only)</source>
        <translation>%1: %2 % Unterschied (nur zum Vergleich)</translation>
    </message>
    <message>
        <source>published gaps: which shape is faster is not told</source>
        <translation>veröffentlichte Unterschiede: welche Form schneller ist, ist nicht gesagt</translation>
    </message>
</context>
<context>
    <name>StudyExport</name>
    <message>
        <source>Speedup: %1</source>
        <translation>Speedup: %1</translation>
    </message>
    <message>
        <source>--export needs --out DIR.</source>
        <translation>--export braucht --out ORDNER.</translation>
    </message>
    <message>
        <source>there is no folder “%1”.</source>
        <translation>es gibt keinen Ordner „%1“.</translation>
    </message>
    <message>
        <source>“%1” cannot be read.</source>
        <translation>„%1“ ist nicht lesbar.</translation>
    </message>
</context>
<context>
    <name>StudyJournal</name>
    <message>
        <source>Waits: %1</source>
        <translation>Wartet: %1</translation>
    </message>
    <message numerus="yes">
        <source>Starts with %n worker(s)</source>
        <translation>
            <numerusform>Startet mit %n Worker</numerusform>
            <numerusform>Startet mit %n Workern</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Trains on %n worker(s)</source>
        <translation>
            <numerusform>Trainiert auf %n Worker</numerusform>
            <numerusform>Trainiert auf %n Workern</numerusform>
        </translation>
    </message>
    <message>
        <source>Is being stopped</source>
        <translation>Wird angehalten</translation>
    </message>
    <message>
        <source>%1 after %2 s, %3 epochs</source>
        <translation>%1 nach %2 s, %3 Epochen</translation>
    </message>
    <message>
        <source>Disturbed: %1</source>
        <translation>Gestört: %1</translation>
    </message>
    <message>
        <source>Warning: %1</source>
        <translation>Warnung: %1</translation>
    </message>
    <message>
        <source>Epoch %1: %2</source>
        <translation>Epoche %1: %2</translation>
    </message>
    <message>
        <source>study</source>
        <translation>Studie</translation>
    </message>
</context>
<context>
    <name>SystemFolder</name>
    <message>
        <source>%1 shows what the system does and keeps no files. Choose another folder.</source>
        <translation>%1 zeigt, was das System tut, und bewahrt keine Dateien auf. Wählen Sie einen anderen Ordner.</translation>
    </message>
</context>
<context>
    <name>VerifyChart</name>
    <message>
        <source>Speed over the reference&apos;s</source>
        <translation>Geschwindigkeit zur Referenz</translation>
    </message>
    <message>
        <source>95 % interval; of the reference least and most</source>
        <translation>95-%-Intervall; bei der Referenz Kleinstes und Größtes</translation>
    </message>
    <message>
        <source>Needs a reference with runs of the same workload on the same number of workers.</source>
        <translation>Braucht eine Referenz mit Läufen desselben Workloads und derselben Workerzahl.</translation>
    </message>
    <message>
        <source>this study</source>
        <translation>diese Studie</translation>
    </message>
    <message>
        <source>reference</source>
        <translation>Referenz</translation>
    </message>
    <message>
        <source>Nothing of it can be compared: the table says why.</source>
        <translation>Nichts davon ist vergleichbar: Die Tabelle sagt, warum.</translation>
    </message>
    <message>
        <source>margin: %1 % slower</source>
        <translation>Grenze: %1 % langsamer</translation>
    </message>
</context>
<context>
    <name>scalebench::AdvicePage</name>
    <message>
        <source>Copies side by side or one job</source>
        <translation>Kopien nebeneinander oder ein einziger Lauf</translation>
    </message>
    <message>
        <source>Time to train, measured and predicted</source>
        <translation>Trainingszeit, gemessen und vorhergesagt</translation>
    </message>
    <message>
        <source>&amp;Add to the plan</source>
        <translation>In den &amp;Plan</translation>
    </message>
    <message>
        <source>Nothing to advise on yet</source>
        <translation>Noch nichts zu empfehlen</translation>
    </message>
    <message>
        <source>How many workers to use follows from measured times.</source>
        <translation>Wie viele Worker sich lohnen, folgt aus gemessenen Zeiten.</translation>
    </message>
    <message>
        <source>Train a workload on two numbers of workers or more, a few times each.</source>
        <translation>Trainieren Sie einen Workload mit zwei oder mehr Workerzahlen, jede einige Male.</translation>
    </message>
    <message>
        <source>&amp;Plan a study</source>
        <translation>Studie &amp;planen</translation>
    </message>
    <message>
        <source>St&amp;udy</source>
        <translation>St&amp;udie</translation>
    </message>
    <message>
        <source>What is trained</source>
        <translation>Was trainiert wird</translation>
    </message>
    <message>
        <source>&amp;Trained</source>
        <translation>&amp;Trainiert</translation>
    </message>
    <message>
        <source>A training must be done within</source>
        <translation>Ein Training muss fertig sein in</translation>
    </message>
    <message>
        <source>no limit</source>
        <translation>ohne Grenze</translation>
    </message>
    <message>
        <source> min</source>
        <translation> min</translation>
    </message>
    <message>
        <source>To be &amp;done in</source>
        <translation>Fe&amp;rtig in</translation>
    </message>
    <message>
        <source>A difference to be told from chance</source>
        <translation>Ein Unterschied, der vom Zufall zu trennen ist</translation>
    </message>
    <message>
        <source> %</source>
        <translation> %</translation>
    </message>
    <message>
        <source>Advice</source>
        <translation>Rat</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>Warum</translation>
    </message>
    <message>
        <source>What would change it</source>
        <translation>Was den Rat ändern würde</translation>
    </message>
    <message>
        <source>Next: %1</source>
        <translation>Als Nächstes: %1</translation>
    </message>
    <message>
        <source>See an e&amp;xample</source>
        <translation>Beispi&amp;el ansehen</translation>
    </message>
    <message>
        <source>Differences that &amp;matter, from</source>
        <translation>&amp;Wichtige Unterschiede ab</translation>
    </message>
</context>
<context>
    <name>scalebench::AnnotationDialog</name>
    <message>
        <source>Tags and note</source>
        <translation>Schlagwörter und Notiz</translation>
    </message>
    <message>
        <source>good, H100, before the driver update</source>
        <translation>gut, H100, vor dem Treiber-Update</translation>
    </message>
    <message>
        <source>&amp;Tags, with commas</source>
        <translation>&amp;Schlagwörter, durch Kommas getrennt</translation>
    </message>
    <message>
        <source>&amp;Note</source>
        <translation>&amp;Notiz</translation>
    </message>
    <message>
        <source>Kept in your library, not in the study&apos;s folder: exports and bundles do not hold them.</source>
        <translation>Steht in Ihrer Bibliothek, nicht im Ordner der Studie: Exporte und Bündel enthalten es nicht.</translation>
    </message>
    <message>
        <source>A note has at most %1 characters; this one has %2.</source>
        <translation>Eine Notiz hat höchstens %1 Zeichen; diese hat %2.</translation>
    </message>
</context>
<context>
    <name>scalebench::ChartFilesDialog</name>
    <message>
        <source>Charts from files</source>
        <translation>Diagramme aus Dateien</translation>
    </message>
    <message>
        <source>C&amp;hart</source>
        <translation>&amp;Diagramm</translation>
    </message>
    <message>
        <source>Chart</source>
        <translation>Diagramm</translation>
    </message>
    <message>
        <source>&amp;Add files…</source>
        <translation>Dateien &amp;hinzufügen …</translation>
    </message>
    <message>
        <source>Add the CSV of a chart: what “Export picture or data” wrote, or any table of series, x and y. Imported ones are offered here.</source>
        <translation>Fügen Sie die CSV-Datei eines Diagramms hinzu: was „Bild oder Daten exportieren“ geschrieben hat, oder eine Tabelle mit series, x und y. Importierte stehen hier zur Wahl.</translation>
    </message>
    <message>
        <source>Charts that were exported as CSV</source>
        <translation>Als CSV exportierte Diagramme</translation>
    </message>
    <message>
        <source>Tables (*.csv *.tsv);;All files (*)</source>
        <translation>Tabellen (*.csv *.tsv);;Alle Dateien (*)</translation>
    </message>
</context>
<context>
    <name>scalebench::ChartPanel</name>
    <message>
        <source>Follow</source>
        <translation>Folgen</translation>
    </message>
    <message>
        <source>Show all data again and follow new points (Home)</source>
        <translation>Wieder alle Daten zeigen und neuen Punkten folgen (Pos1)</translation>
    </message>
    <message>
        <source>Chart</source>
        <translation>Diagramm</translation>
    </message>
    <message>
        <source>%1: show the chart</source>
        <translation>%1: das Diagramm zeigen</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>Daten</translation>
    </message>
    <message>
        <source>%1: show the values as a table</source>
        <translation>%1: die Werte als Tabelle zeigen</translation>
    </message>
    <message>
        <source>Export, axes and views of this chart</source>
        <translation>Export, Achsen und Ansichten dieses Diagramms</translation>
    </message>
    <message>
        <source>%1: export and view</source>
        <translation>%1: Export und Ansicht</translation>
    </message>
    <message>
        <source>&amp;Export picture or data…</source>
        <translation>Bild oder Daten &amp;exportieren …</translation>
    </message>
    <message>
        <source>&amp;Copy picture</source>
        <translation>Bild &amp;kopieren</translation>
    </message>
    <message>
        <source>Copy &amp;data</source>
        <translation>&amp;Daten kopieren</translation>
    </message>
    <message>
        <source>&amp;Fit to data (Home)</source>
        <translation>Auf Daten ein&amp;passen (Pos1)</translation>
    </message>
    <message>
        <source>View &amp;before (Backspace)</source>
        <translation>&amp;Vorige Ansicht (Rücktaste)</translation>
    </message>
    <message>
        <source>&amp;Next view</source>
        <translation>&amp;Nächste Ansicht</translation>
    </message>
    <message>
        <source>Logarithmic &amp;x axis</source>
        <translation>Logarithmische &amp;x-Achse</translation>
    </message>
    <message>
        <source>Logarithmic &amp;y axis</source>
        <translation>Logarithmische &amp;y-Achse</translation>
    </message>
    <message>
        <source>&amp;Legend</source>
        <translation>&amp;Legende</translation>
    </message>
    <message>
        <source>N writes a note, Delete takes it away; notes and legend can be dragged</source>
        <translation>N schreibt eine Notiz, Entf nimmt sie weg; Notizen und Legende lassen sich ziehen</translation>
    </message>
    <message>
        <source>&amp;Above the axes</source>
        <translation>&amp;Über den Achsen</translation>
    </message>
    <message>
        <source>At the top &amp;left</source>
        <translation>Oben &amp;links</translation>
    </message>
    <message>
        <source>At the top &amp;right</source>
        <translation>Oben &amp;rechts</translation>
    </message>
    <message>
        <source>At the &amp;bottom left</source>
        <translation>&amp;Unten links</translation>
    </message>
    <message>
        <source>At the botto&amp;m right</source>
        <translation>U&amp;nten rechts</translation>
    </message>
    <message>
        <source>Drag moves, Shift and drag frames, Ctrl and wheel zoom, click pins</source>
        <translation>Ziehen verschiebt, Umschalt und Ziehen rahmt einen Ausschnitt, Strg und Rad zoomen, ein Klick heftet an</translation>
    </message>
</context>
<context>
    <name>scalebench::ChartTableModel</name>
    <message>
        <source>Series</source>
        <translation>Reihe</translation>
    </message>
    <message>
        <source>Low (%1)</source>
        <translation>Unten (%1)</translation>
    </message>
    <message>
        <source>High (%1)</source>
        <translation>Oben (%1)</translation>
    </message>
</context>
<context>
    <name>scalebench::ChartWidget</name>
    <message>
        <source>(%1: %2 to %3, n = %4)</source>
        <translation>(%1: %2 bis %3, n = %4)</translation>
    </message>
    <message>
        <source>(%1: %2 to %3)</source>
        <translation>(%1: %2 bis %3)</translation>
    </message>
    <message>
        <source>(n = %1)</source>
        <translation>(n = %1)</translation>
    </message>
    <message>
        <source>scale of “%1”</source>
        <translation>Achse von „%1“</translation>
    </message>
    <message>
        <source>lines of “%1”</source>
        <translation>Linien von „%1“</translation>
    </message>
    <message>
        <source>pin on “%1”</source>
        <translation>Anheften in „%1“</translation>
    </message>
    <message>
        <source>note on “%1”</source>
        <translation>Notiz in „%1“</translation>
    </message>
    <message>
        <source>pins of “%1”</source>
        <translation>angeheftete Punkte von „%1“</translation>
    </message>
    <message>
        <source>Note on a point</source>
        <translation>Notiz an einem Punkt</translation>
    </message>
    <message>
        <source>Shown beside the point, here and in exported pictures; up to %1 characters.</source>
        <translation>Steht neben dem Punkt, hier und in exportierten Bildern; höchstens %1 Zeichen.</translation>
    </message>
    <message>
        <source>place of a note on “%1”</source>
        <translation>Ort einer Notiz in „%1“</translation>
    </message>
    <message>
        <source>legend of “%1”</source>
        <translation>Legende von „%1“</translation>
    </message>
    <message>
        <source>&amp;Change the note… (N)</source>
        <translation>Notiz &amp;ändern … (N)</translation>
    </message>
    <message>
        <source>Write a &amp;note… (N)</source>
        <translation>&amp;Notiz schreiben … (N)</translation>
    </message>
    <message>
        <source>&amp;Pin what this point says</source>
        <translation>Angaben des &amp;Punkts anheften</translation>
    </message>
    <message>
        <source>&amp;Take away (Delete)</source>
        <translation>&amp;Wegnehmen (Entf)</translation>
    </message>
    <message>
        <source>&amp;Colour of “%1”</source>
        <translation>&amp;Farbe von „%1“</translation>
    </message>
    <message>
        <source>Note at %1: %2</source>
        <translation>Notiz bei %1: %2</translation>
    </message>
    <message>
        <source>There is too little room here.</source>
        <translation>Hier ist zu wenig Platz.</translation>
    </message>
</context>
<context>
    <name>scalebench::CheckModel</name>
    <message>
        <source>OK</source>
        <translation>OK</translation>
    </message>
    <message>
        <source>Warn</source>
        <translation>Warnung</translation>
    </message>
    <message>
        <source>Fail</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>Nothing is installed here.</source>
        <translation>Hier wird nichts installiert.</translation>
    </message>
    <message>
        <source>The engine is being copied…</source>
        <translation>Die Engine wird kopiert …</translation>
    </message>
    <message>
        <source>Engine %1 was there already; its files are as they should be.</source>
        <translation>Engine %1 war schon da; ihre Dateien sind, wie sie sein sollen.</translation>
    </message>
    <message>
        <source>Engine %1 is installed, %2 copied.</source>
        <translation>Engine %1 ist installiert, %2 kopiert.</translation>
    </message>
    <message>
        <source>Removed: %1.</source>
        <translation>Entfernt: %1.</translation>
    </message>
    <message>
        <source>No answer yet.</source>
        <translation>Noch keine Antwort.</translation>
    </message>
    <message>
        <source>Everything is as it should be.</source>
        <translation>Alles ist, wie es sein soll.</translation>
    </message>
    <message>
        <source>Not checked.</source>
        <translation>Nicht geprüft.</translation>
    </message>
    <message>
        <source>Host</source>
        <translation>Host</translation>
    </message>
    <message>
        <source>Install</source>
        <translation>Installation</translation>
    </message>
</context>
<context>
    <name>scalebench::CheckPanel</name>
    <message>
        <source>Chec&amp;k</source>
        <translation>&amp;Prüfen</translation>
    </message>
    <message>
        <source>&amp;Install engine</source>
        <translation>Engine &amp;installieren</translation>
    </message>
    <message>
        <source>Check of the hosts</source>
        <translation>Prüfung der Hosts</translation>
    </message>
    <message>
        <source>Check</source>
        <translation>Prüfung</translation>
    </message>
    <message>
        <source>Hosts that have answered</source>
        <translation>Hosts, die geantwortet haben</translation>
    </message>
    <message>
        <source>Check the hosts</source>
        <translation>Die Hosts prüfen</translation>
    </message>
    <message>
        <source>Install the engine on the hosts</source>
        <translation>Die Engine auf den Hosts installieren</translation>
    </message>
    <message>
        <source>Look at every host at once</source>
        <translation>Alle Hosts zugleich ansehen</translation>
    </message>
    <message>
        <source>Copies the training engine into your folder on the hosts; no administrator is needed</source>
        <translation>Kopiert die Trainings-Engine in Ihren Ordner auf den Hosts; ein Administrator ist nicht nötig</translation>
    </message>
    <message>
        <source>installing</source>
        <translation>wird installiert</translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n host(s)</source>
        <translation>
            <numerusform>%1 von %n Host</numerusform>
            <numerusform>%1 von %n Hosts</numerusform>
        </translation>
    </message>
    <message>
        <source>checking</source>
        <translation>wird geprüft</translation>
    </message>
    <message numerus="yes">
        <source>%n host(s) with problems</source>
        <translation>
            <numerusform>%n Host mit Problemen</numerusform>
            <numerusform>%n Hosts mit Problemen</numerusform>
        </translation>
    </message>
    <message>
        <source>ready, with warnings</source>
        <translation>bereit, mit Warnungen</translation>
    </message>
    <message>
        <source>ready</source>
        <translation>bereit</translation>
    </message>
    <message numerus="yes">
        <source>%n host(s), %1</source>
        <translation>
            <numerusform>%n Host, %1</numerusform>
            <numerusform>%n Hosts, %1</numerusform>
        </translation>
    </message>
    <message>
        <source>This machine cannot be checked yet: %1</source>
        <translation>Diese Maschine kann noch nicht geprüft werden: %1</translation>
    </message>
    <message>
        <source>Check looks at every host at once: name, ssh, Open MPI, engine, GPUs, data, disk, network. Each problem comes with what to do about it.</source>
        <translation>Die Prüfung sieht alle Hosts zugleich an: Name, ssh, Open MPI, Engine, GPUs, Daten, Datenträger, Netz. Zu jedem Problem steht, was zu tun ist.</translation>
    </message>
    <message>
        <source>Trust key…</source>
        <translation>Schlüssel vertrauen …</translation>
    </message>
    <message>
        <source>Install engine</source>
        <translation>Engine installieren</translation>
    </message>
    <message>
        <source>Check again</source>
        <translation>Noch einmal prüfen</translation>
    </message>
    <message>
        <source>Your study “%1” goes on here: the workers on %2 are its own. Another one would wait its turn.</source>
        <translation>Ihre Studie „%1“ läuft hier: Die Worker auf %2 sind ihre eigenen. Eine weitere würde warten, bis sie an der Reihe ist.</translation>
    </message>
    <message>
        <source>Show it</source>
        <translation>Zeigen</translation>
    </message>
    <message>
        <source>Asking %1 for its key…</source>
        <translation>%1 wird nach dem Schlüssel gefragt …</translation>
    </message>
    <message>
        <source>The key of %1 is trusted now and kept in %2.</source>
        <translation>Dem Schlüssel von %1 wird jetzt vertraut; er steht in %2.</translation>
    </message>
    <message>
        <source>Of an earlier check only the outcome is kept. Check again to see each host, and what to do about a problem.</source>
        <translation>Von einer früheren Prüfung bleibt nur das Ergebnis. Prüfen Sie erneut, um jeden Host zu sehen und was bei einem Problem zu tun ist.</translation>
    </message>
</context>
<context>
    <name>scalebench::ClaimDialog</name>
    <message>
        <source>Check a claim</source>
        <translation>Behauptung prüfen</translation>
    </message>
    <message>
        <source>Two counts and two times, as they were claimed; nothing is looked up.</source>
        <translation>Zwei Anzahlen und zwei Zeiten, wie behauptet; nachgeschlagen wird nichts.</translation>
    </message>
    <message>
        <source>The claim</source>
        <translation>Die Behauptung</translation>
    </message>
    <message>
        <source>8→32 GPUs, 31.5→10.67 min</source>
        <translation>8→32 GPUs, 31.5→10.67 min</translation>
    </message>
    <message>
        <source>&amp;Copy the fair wording</source>
        <translation>Faire Formulierung &amp;kopieren</translation>
    </message>
    <message>
        <source>%1 times as fast on %2 times as many: %3 % efficiency.</source>
        <translation>%1-mal so schnell auf %2-mal so vielen: %3 % Effizienz.</translation>
    </message>
    <message>
        <source>What it leaves out:</source>
        <translation>Was sie auslässt:</translation>
    </message>
</context>
<context>
    <name>scalebench::CollectivesDialog</name>
    <message>
        <source>Bandwidth of collectives</source>
        <translation>Bandbreite kollektiver Operationen</translation>
    </message>
    <message>
        <source>Collective bandwidth</source>
        <translation>Bandbreite kollektiver Operationen</translation>
    </message>
    <message>
        <source>bus bandwidth</source>
        <translation>Busbandbreite</translation>
    </message>
    <message>
        <source>algorithm bandwidth</source>
        <translation>algorithmische Bandbreite</translation>
    </message>
    <message>
        <source>Which bandwidth</source>
        <translation>Welche Bandbreite</translation>
    </message>
    <message>
        <source>&amp;Add files…</source>
        <translation>Dateien &amp;hinzufügen …</translation>
    </message>
    <message>
        <source>&amp;Clear</source>
        <translation>&amp;Leeren</translation>
    </message>
    <message>
        <source>Benchmarks of collectives, or nccl-tests</source>
        <translation>Benchmarks kollektiver Operationen oder nccl-tests</translation>
    </message>
    <message>
        <source>&amp;Links</source>
        <translation>&amp;Verbindungen</translation>
    </message>
    <message>
        <source>Lines of what links can carry, to compare bus bandwidths with</source>
        <translation>Linien dessen, was Verbindungen leisten, zum Vergleich mit Busbandbreiten</translation>
    </message>
    <message>
        <source>By the &amp;device&apos;s name</source>
        <translation>Nach dem Namen des &amp;Geräts</translation>
    </message>
    <message>
        <source>&amp;Other…</source>
        <translation>&amp;Andere …</translation>
    </message>
    <message>
        <source>%1: %2 GB/s</source>
        <translation>%1: %2 GB/s</translation>
    </message>
    <message>
        <source>Another link</source>
        <translation>Andere Verbindung</translation>
    </message>
    <message>
        <source>What it carries in one direction, GB/s</source>
        <translation>Was sie in einer Richtung leistet, GB/s</translation>
    </message>
    <message>
        <source>link</source>
        <translation>Verbindung</translation>
    </message>
</context>
<context>
    <name>scalebench::CommandPalette</name>
    <message>
        <source>Nothing is called that.</source>
        <translation>So heißt nichts.</translation>
    </message>
    <message>
        <source>Command palette</source>
        <translation>Befehlspalette</translation>
    </message>
    <message>
        <source>Type what you want to do, or where to go</source>
        <translation>Geben Sie ein, was Sie tun oder wohin Sie wollen</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>Befehl</translation>
    </message>
    <message>
        <source>Commands</source>
        <translation>Befehle</translation>
    </message>
</context>
<context>
    <name>scalebench::ComparePage</name>
    <message>
        <source>Quality</source>
        <translation>Güte</translation>
    </message>
    <message>
        <source>Against the baseline</source>
        <translation>Gegenüber der Basis</translation>
    </message>
    <message>
        <source>Only what &amp;differs</source>
        <translation>Nur &amp;Unterschiede</translation>
    </message>
    <message>
        <source>What the groups took, were set to and ran on</source>
        <translation>Was die Gruppen brauchten, wie sie eingestellt waren und worauf sie liefen</translation>
    </message>
    <message>
        <source>Two of a kind, or of two kinds</source>
        <translation>Gleichartiges oder Verschiedenes vergleichen</translation>
    </message>
    <message>
        <source>Add two studies above, or select runs on the Results page and press Compare: measured or imported, they need not be alike.</source>
        <translation>Fügen Sie oben zwei Studien hinzu, oder wählen Sie auf der Seite Ergebnisse Läufe aus, und drücken Sie Vergleichen: gemessen oder importiert, gleichartig oder nicht.</translation>
    </message>
    <message>
        <source>&amp;Select runs</source>
        <translation>Läufe aus&amp;wählen</translation>
    </message>
    <message>
        <source>What the comparison says</source>
        <translation>Was der Vergleich sagt</translation>
    </message>
    <message>
        <source>What the x axis shows</source>
        <translation>Was die x-Achse zeigt</translation>
    </message>
    <message>
        <source>time to train</source>
        <translation>Trainingszeit</translation>
    </message>
    <message>
        <source>samples/s</source>
        <translation>Samples/s</translation>
    </message>
    <message>
        <source>What is compared</source>
        <translation>Was verglichen wird</translation>
    </message>
    <message>
        <source>Only the first %1 runs are compared.</source>
        <translation>Nur die ersten %1 Läufe werden verglichen.</translation>
    </message>
    <message>
        <source>Only the first %1 of %2 groups are compared.</source>
        <translation>Nur die ersten %1 von %2 Gruppen werden verglichen.</translation>
    </message>
    <message>
        <source>That study has no runs.</source>
        <translation>Diese Studie hat keine Läufe.</translation>
    </message>
    <message>
        <source>%1 groups are compared already. Take one away first.</source>
        <translation>%1 Gruppen werden schon verglichen. Nehmen Sie zuerst eine weg.</translation>
    </message>
    <message>
        <source>That study is compared already.</source>
        <translation>Diese Studie wird schon verglichen.</translation>
    </message>
    <message numerus="yes">
        <source>And %n more, in the table below.</source>
        <translation>
            <numerusform>Und %n weitere unten in der Tabelle.</numerusform>
            <numerusform>Und %n weitere unten in der Tabelle.</numerusform>
        </translation>
    </message>
    <message>
        <source>The baseline has no series in common with the others on the same number of workers and nodes, so there is no ratio.</source>
        <translation>Die Basis hat mit den anderen keine Reihe bei gleicher Worker- und Knotenzahl gemeinsam, also gibt es kein Verhältnis.</translation>
    </message>
</context>
<context>
    <name>scalebench::ComparedModel</name>
    <message>
        <source>setting</source>
        <translation>Einstellung</translation>
    </message>
    <message>
        <source>environment</source>
        <translation>Umgebung</translation>
    </message>
    <message numerus="yes">
        <source>time to train, %1, %n worker(s)</source>
        <translation>
            <numerusform>Trainingszeit, %1, %n Worker</numerusform>
            <numerusform>Trainingszeit, %1, %n Worker</numerusform>
        </translation>
    </message>
    <message>
        <source>result</source>
        <translation>Ergebnis</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>What</source>
        <translation>Was</translation>
    </message>
    <message>
        <source>%1 (baseline)</source>
        <translation>%1 (Basis)</translation>
    </message>
    <message>
        <source>time to train, %1, number of workers not known</source>
        <translation>Trainingszeit, %1, Anzahl der Worker nicht bekannt</translation>
    </message>
</context>
<context>
    <name>scalebench::CsvColumnsDialog</name>
    <message>
        <source>The first rows of the table</source>
        <translation>Die ersten Zeilen der Tabelle</translation>
    </message>
    <message>
        <source>Columns of the table</source>
        <translation>Spalten der Tabelle</translation>
    </message>
    <message>
        <source>A row becomes a run. It needs the workers and a time; the rest says more about it.</source>
        <translation>Aus einer Zeile wird ein Lauf. Nötig sind die Worker und eine Zeit; das Übrige sagt mehr darüber.</translation>
    </message>
    <message>
        <source>no column</source>
        <translation>keine Spalte</translation>
    </message>
    <message>
        <source>&amp;Import</source>
        <translation>&amp;Importieren</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) can be read.</source>
        <translation>
            <numerusform>%n Lauf ist lesbar.</numerusform>
            <numerusform>%n Läufe sind lesbar.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n row(s) cannot.</source>
        <translation>
            <numerusform>%n Zeile ist es nicht.</numerusform>
            <numerusform>%n Zeilen sind es nicht.</numerusform>
        </translation>
    </message>
    <message>
        <source>Workload</source>
        <translation>Workload</translation>
    </message>
    <message>
        <source>Scale</source>
        <translation>Maßstab</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>Netz</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>Gerät</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>Zahlenformat</translation>
    </message>
    <message>
        <source>System</source>
        <translation>System</translation>
    </message>
    <message>
        <source>Submitter</source>
        <translation>Einreicher</translation>
    </message>
    <message>
        <source>Round of MLPerf</source>
        <translation>MLPerf-Runde</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>Knoten</translation>
    </message>
    <message>
        <source>Workers</source>
        <translation>Worker</translation>
    </message>
    <message>
        <source>Global batch</source>
        <translation>Globaler Batch</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>Seed</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>Quality</source>
        <translation>Güte</translation>
    </message>
    <message>
        <source>Target</source>
        <translation>Ziel</translation>
    </message>
    <message>
        <source>Epochs</source>
        <translation>Epochen</translation>
    </message>
    <message>
        <source>Time to train, in seconds</source>
        <translation>Trainingszeit in Sekunden</translation>
    </message>
    <message>
        <source>Time to train, in minutes</source>
        <translation>Trainingszeit in Minuten</translation>
    </message>
    <message>
        <source>Samples/s</source>
        <translation>Samples/s</translation>
    </message>
    <message>
        <source>Threads per worker</source>
        <translation>Threads je Worker</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>Daten</translation>
    </message>
    <message>
        <source>Batch policy</source>
        <translation>Batchregel</translation>
    </message>
    <message>
        <source>Precision computed in</source>
        <translation>Gerechnet im Zahlenformat</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>Lernrate</translation>
    </message>
    <message>
        <source>Series</source>
        <translation>Reihe</translation>
    </message>
    <message>
        <source>Oversubscribed</source>
        <translation>Überbucht</translation>
    </message>
    <message>
        <source>Marks</source>
        <translation>Vermerke</translation>
    </message>
    <message>
        <source>Remarks</source>
        <translation>Bemerkungen</translation>
    </message>
    <message>
        <source>Name of the run</source>
        <translation>Name des Laufs</translation>
    </message>
    <message>
        <source>Choose the column of the workers, and one of the time to train or of samples/s.</source>
        <translation>Wählen Sie die Spalte der Worker und eine der Trainingszeit oder der Samples/s.</translation>
    </message>
</context>
<context>
    <name>scalebench::DataDialog</name>
    <message>
        <source>Training samples</source>
        <translation>Trainingssamples</translation>
    </message>
    <message>
        <source>Evaluation samples</source>
        <translation>Auswertungssamples</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>Format</translation>
    </message>
    <message>
        <source>Classes</source>
        <translation>Klassen</translation>
    </message>
    <message>
        <source>Categories</source>
        <translation>Kategorien</translation>
    </message>
    <message>
        <source>Objects</source>
        <translation>Objekte</translation>
    </message>
    <message>
        <source>Objects to evaluate</source>
        <translation>Objekte zur Auswertung</translation>
    </message>
    <message>
        <source>Users</source>
        <translation>Nutzer</translation>
    </message>
    <message>
        <source>Items</source>
        <translation>Artikel</translation>
    </message>
    <message>
        <source>Vocabulary</source>
        <translation>Wortschatz</translation>
    </message>
    <message>
        <source>Damaged</source>
        <translation>Beschädigt</translation>
    </message>
    <message>
        <source>Read</source>
        <translation>Gelesen</translation>
    </message>
    <message>
        <source>&amp;Look</source>
        <translation>&amp;Ansehen</translation>
    </message>
    <message>
        <source>&amp;Check all of it</source>
        <translation>Alles &amp;prüfen</translation>
    </message>
    <message>
        <source>&amp;Make the generated set there</source>
        <translation>Erzeugten Datensatz dort an&amp;legen</translation>
    </message>
    <message>
        <source>&amp;Stop</source>
        <translation>An&amp;halten</translation>
    </message>
    <message>
        <source>&amp;Use in the plan</source>
        <translation>Im Plan &amp;verwenden</translation>
    </message>
    <message>
        <source>What the data holds</source>
        <translation>Was die Daten enthalten</translation>
    </message>
    <message>
        <source>Data of %1</source>
        <translation>Daten von %1</translation>
    </message>
    <message>
        <source>A folder or file with: %1</source>
        <translation>Ein Ordner oder eine Datei mit: %1</translation>
    </message>
    <message>
        <source>A folder or file</source>
        <translation>Ein Ordner oder eine Datei</translation>
    </message>
    <message>
        <source>Data folder or file</source>
        <translation>Datenordner oder -datei</translation>
    </message>
    <message>
        <source>…</source>
        <translation>…</translation>
    </message>
    <message>
        <source>Choose the data folder or file</source>
        <translation>Datenordner oder -datei wählen</translation>
    </message>
    <message>
        <source>What lies there and how much of it, without reading it all</source>
        <translation>Was dort liegt und wie viel, ohne alles zu lesen</translation>
    </message>
    <message>
        <source>Reads everything and names what is damaged</source>
        <translation>Liest alles und nennt, was beschädigt ist</translation>
    </message>
    <message>
        <source>Writes the workload&apos;s generated set into the folder, in the format of the public sets</source>
        <translation>Schreibt den erzeugten Datensatz in den Ordner, im Format der öffentlichen Datensätze</translation>
    </message>
    <message>
        <source>The data is being read</source>
        <translation>Die Daten werden gelesen</translation>
    </message>
    <message>
        <source>What was found in the data</source>
        <translation>Was in den Daten gefunden wurde</translation>
    </message>
    <message>
        <source>Stopped.</source>
        <translation>Angehalten.</translation>
    </message>
    <message>
        <source>Choose a &amp;folder…</source>
        <translation>&amp;Ordner wählen …</translation>
    </message>
    <message>
        <source>Choose a &amp;file…</source>
        <translation>&amp;Datei wählen …</translation>
    </message>
    <message>
        <source>Data folder</source>
        <translation>Datenordner</translation>
    </message>
    <message>
        <source>Data file</source>
        <translation>Datendatei</translation>
    </message>
    <message>
        <source>Making the set…</source>
        <translation>Der Datensatz wird angelegt …</translation>
    </message>
    <message>
        <source>Reading everything…</source>
        <translation>Alles wird gelesen …</translation>
    </message>
    <message>
        <source>Looking…</source>
        <translation>Wird angesehen …</translation>
    </message>
    <message>
        <source>The engine gave no answer: %1</source>
        <translation>Die Trainings-Engine gab keine Antwort: %1</translation>
    </message>
    <message numerus="yes">
        <source>%n problem(s) found, named below.</source>
        <translation>
            <numerusform>%n Problem gefunden, unten genannt.</numerusform>
            <numerusform>%n Probleme gefunden, unten genannt.</numerusform>
        </translation>
    </message>
    <message>
        <source>All of it was read; nothing is damaged.</source>
        <translation>Alles wurde gelesen; nichts ist beschädigt.</translation>
    </message>
    <message>
        <source>The set is there.</source>
        <translation>Der Datensatz ist angelegt.</translation>
    </message>
    <message>
        <source>Found. Nothing but names and sizes was looked at; a check reads all.</source>
        <translation>Gefunden. Nur Namen und Größen wurden angesehen; eine Prüfung liest alles.</translation>
    </message>
    <message>
        <source>The training engine, which reads the data, was not found.</source>
        <translation>Die Trainings-Engine, die die Daten liest, wurde nicht gefunden.</translation>
    </message>
</context>
<context>
    <name>scalebench::DataTable</name>
    <message>
        <source>Filter rows (Ctrl+F)</source>
        <translation>Zeilen filtern (Strg+F)</translation>
    </message>
    <message>
        <source>Filter rows</source>
        <translation>Zeilen filtern</translation>
    </message>
    <message>
        <source>Copy as TSV</source>
        <translation>Als TSV kopieren</translation>
    </message>
    <message>
        <source>Export as CSV…</source>
        <translation>Als CSV exportieren …</translation>
    </message>
    <message>
        <source>Choose columns</source>
        <translation>Spalten wählen</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Export table</source>
        <translation>Tabelle exportieren</translation>
    </message>
    <message>
        <source>Comma separated values (*.csv)</source>
        <translation>Kommagetrennte Werte (*.csv)</translation>
    </message>
    <message>
        <source>Fit widths to contents</source>
        <translation>Breiten an den Inhalt anpassen</translation>
    </message>
    <message>
        <source>No row has “%1”.</source>
        <translation>Keine Zeile enthält „%1“.</translation>
    </message>
    <message>
        <source>Rows that have every word, in any column; figures as a whole: 4 is not 40</source>
        <translation>Zeilen, die jedes Wort enthalten, in irgendeiner Spalte; Zahlen als Ganzes: 4 ist nicht 40</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
</context>
<context>
    <name>scalebench::DesktopLink</name>
    <message>
        <source>A study is training on this computer</source>
        <translation>Eine Studie trainiert auf diesem Rechner</translation>
    </message>
    <message>
        <source>The study has ended</source>
        <translation>Die Studie ist zu Ende</translation>
    </message>
    <message numerus="yes">
        <source>%1: %2 of %n run(s) completed.</source>
        <translation>
            <numerusform>%1: %2 von %n Lauf abgeschlossen.</numerusform>
            <numerusform>%1: %2 von %n Läufen abgeschlossen.</numerusform>
        </translation>
    </message>
    <message>
        <source>Show</source>
        <translation>Zeigen</translation>
    </message>
</context>
<context>
    <name>scalebench::DimensionDialog</name>
    <message>
        <source>Add what the runs differ in</source>
        <translation>Hinzufügen, worin sich die Läufe unterscheiden</translation>
    </message>
    <message>
        <source>Values of %1</source>
        <translation>Werte von %1</translation>
    </message>
    <message>
        <source>Only for %1</source>
        <translation>Nur für %1</translation>
    </message>
    <message>
        <source>Search, for example overlap or momentum</source>
        <translation>Suchen, zum Beispiel overlap oder momentum</translation>
    </message>
    <message>
        <source>Search a setting</source>
        <translation>Eine Einstellung suchen</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Values, separated by commas</source>
        <translation>Werte, durch Kommas getrennt</translation>
    </message>
    <message>
        <source>values with commas, for example 0.1, 0.2</source>
        <translation>Werte mit Kommas, zum Beispiel 0.1, 0.2</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>Hinzufügen</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>Ändern</translation>
    </message>
    <message>
        <source>Nothing of that name</source>
        <translation>Nichts dieses Namens</translation>
    </message>
    <message>
        <source>%1, the recipe&apos;s: %2</source>
        <translation>%1, im Rezept: %2</translation>
    </message>
    <message>
        <source>Give at least one value.</source>
        <translation>Geben Sie mindestens einen Wert an.</translation>
    </message>
    <message>
        <source>Tick at least one value.</source>
        <translation>Kreuzen Sie mindestens einen Wert an.</translation>
    </message>
    <message>
        <source>A value is missing between two commas.</source>
        <translation>Zwischen zwei Kommas fehlt ein Wert.</translation>
    </message>
    <message>
        <source>%1 is there twice; use repeats for several runs of it.</source>
        <translation>%1 steht zweimal da; nehmen Sie Wiederholungen für mehrere Läufe davon.</translation>
    </message>
</context>
<context>
    <name>scalebench::DropHint</name>
    <message>
        <source>Drop it here: a plan, a study&apos;s folder, a bundle, logs or tables</source>
        <translation>Hier fallen lassen: einen Plan, den Ordner einer Studie, ein Bündel, Protokolle oder Tabellen</translation>
    </message>
</context>
<context>
    <name>scalebench::ExportDialog</name>
    <message>
        <source>&amp;Light theme, for print</source>
        <translation>&amp;Helles Design, für den Druck</translation>
    </message>
    <message>
        <source>&amp;Title and caption</source>
        <translation>&amp;Titel und Beschriftung</translation>
    </message>
    <message>
        <source>Export chart</source>
        <translation>Diagramm exportieren</translation>
    </message>
    <message>
        <source>PNG picture</source>
        <translation>PNG-Bild</translation>
    </message>
    <message>
        <source>SVG drawing</source>
        <translation>SVG-Zeichnung</translation>
    </message>
    <message>
        <source>PDF document</source>
        <translation>PDF-Dokument</translation>
    </message>
    <message>
        <source>CSV data of this chart</source>
        <translation>CSV-Daten dieses Diagramms</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>Format</translation>
    </message>
    <message>
        <source>&amp;Format</source>
        <translation>&amp;Format</translation>
    </message>
    <message>
        <source>1200 × 750, report</source>
        <translation>1200 × 750, Bericht</translation>
    </message>
    <message>
        <source>900 × 600, two columns</source>
        <translation>900 × 600, zweispaltig</translation>
    </message>
    <message>
        <source>1600 × 900, slide</source>
        <translation>1600 × 900, Folie</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Si&amp;ze</source>
        <translation>&amp;Größe</translation>
    </message>
    <message>
        <source>%1×</source>
        <translation>%1×</translation>
    </message>
    <message>
        <source>Scale</source>
        <translation>Auflösung</translation>
    </message>
    <message>
        <source>&amp;Scale</source>
        <translation>&amp;Auflösung</translation>
    </message>
    <message>
        <source>&amp;Browse…</source>
        <translation>&amp;Durchsuchen …</translation>
    </message>
    <message>
        <source>File</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>F&amp;ile</source>
        <translation>Date&amp;i</translation>
    </message>
    <message>
        <source>“%1” exists. Replace it?</source>
        <translation>„%1“ gibt es schon. Ersetzen?</translation>
    </message>
    <message>
        <source>JSON data of this chart</source>
        <translation>JSON-Daten dieses Diagramms</translation>
    </message>
    <message>
        <source>170 × 106 mm, width of a page</source>
        <translation>170 × 106 mm, Breite einer Seite</translation>
    </message>
    <message>
        <source>%1 dpi</source>
        <translation>%1 dpi</translation>
    </message>
</context>
<context>
    <name>scalebench::FileReading</name>
    <message>
        <source>Reading files…</source>
        <translation>Dateien werden gelesen …</translation>
    </message>
</context>
<context>
    <name>scalebench::GroupChips</name>
    <message>
        <source>Add a study to the comparison</source>
        <translation>Dem Vergleich eine Studie hinzufügen</translation>
    </message>
    <message>
        <source>Add a study…</source>
        <translation>Studie hinzufügen …</translation>
    </message>
    <message numerus="yes">
        <source>%1, %n run(s)</source>
        <translation>
            <numerusform>%1, %n Lauf</numerusform>
            <numerusform>%1, %n Läufe</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 (baseline)</source>
        <translation>%1 (Basis)</translation>
    </message>
    <message>
        <source>The others are compared with this one</source>
        <translation>Mit dieser werden die anderen verglichen</translation>
    </message>
    <message>
        <source>Compare the others with this one</source>
        <translation>Die anderen mit dieser vergleichen</translation>
    </message>
    <message>
        <source>Take away %1</source>
        <translation>%1 wegnehmen</translation>
    </message>
</context>
<context>
    <name>scalebench::HelpDialog</name>
    <message>
        <source>Help</source>
        <translation>Hilfe</translation>
    </message>
    <message>
        <source>Words or an error code</source>
        <translation>Wörter oder ein Fehlercode</translation>
    </message>
    <message>
        <source>Filter the help pages</source>
        <translation>Hilfeseiten filtern</translation>
    </message>
    <message>
        <source>Help pages</source>
        <translation>Hilfeseiten</translation>
    </message>
    <message>
        <source>Help page</source>
        <translation>Hilfeseite</translation>
    </message>
    <message>
        <source>Codes: %1</source>
        <translation>Codes: %1</translation>
    </message>
</context>
<context>
    <name>scalebench::HomePage</name>
    <message>
        <source>Looking at this computer…</source>
        <translation>Dieser Rechner wird angesehen …</translation>
    </message>
    <message>
        <source>Open MPI and the training engine: checking…</source>
        <translation>Open MPI und die Trainings-Engine werden geprüft …</translation>
    </message>
    <message>
        <source>How well does training scale here?</source>
        <translation>Wie gut skaliert das Training hier?</translation>
    </message>
    <message>
        <source>Train a real network on 1, 2, 4 … workers to a quality target, and see what each further worker brings.</source>
        <translation>Trainieren Sie ein echtes Netz auf 1, 2, 4 … Workern bis zu einem Güteziel, und sehen Sie, was jeder weitere Worker bringt.</translation>
    </message>
    <message>
        <source>Recent studies</source>
        <translation>Letzte Studien</translation>
    </message>
    <message>
        <source>Reading the library…</source>
        <translation>Die Bibliothek wird gelesen …</translation>
    </message>
    <message>
        <source>Run a benchmark</source>
        <translation>Benchmark ausführen</translation>
    </message>
    <message>
        <source>Pick a workload and worker counts, press Start, watch it live.</source>
        <translation>Workload und Workerzahlen wählen, Start drücken, live zusehen.</translation>
    </message>
    <message>
        <source>Compare all workloads</source>
        <translation>Alle Workloads vergleichen</translation>
    </message>
    <message>
        <source>Each on 1 and 2 workers: time to target and speedup, in under an hour.</source>
        <translation>Jeder auf 1 und 2 Workern: Zeit bis zum Ziel und Speedup, in weniger als einer Stunde.</translation>
    </message>
    <message>
        <source>Open results</source>
        <translation>Ergebnisse öffnen</translation>
    </message>
    <message>
        <source>All runs of your library: charts, settings, environment, files.</source>
        <translation>Alle Läufe Ihrer Bibliothek: Diagramme, Einstellungen, Umgebung, Dateien.</translation>
    </message>
    <message>
        <source>See an example</source>
        <translation>Beispiel ansehen</translation>
    </message>
    <message>
        <source>This computer</source>
        <translation>Dieser Rechner</translation>
    </message>
    <message numerus="yes">
        <source>%1, %n core(s)</source>
        <translation>
            <numerusform>%1, %n Kern</numerusform>
            <numerusform>%1, %n Kerne</numerusform>
        </translation>
    </message>
    <message>
        <source>no GPU: trains on the CPU</source>
        <translation>keine GPU: trainiert auf der CPU</translation>
    </message>
    <message numerus="yes">
        <source>%n GPU(s)</source>
        <translation>
            <numerusform>%n GPU</numerusform>
            <numerusform>%n GPUs</numerusform>
        </translation>
    </message>
    <message>
        <source>Open MPI %1</source>
        <translation>Open MPI %1</translation>
    </message>
    <message>
        <source>training engine not found</source>
        <translation>Trainings-Engine nicht gefunden</translation>
    </message>
    <message>
        <source>training engine %1</source>
        <translation>Trainings-Engine %1</translation>
    </message>
    <message>
        <source>training engine: checking…</source>
        <translation>Trainings-Engine: wird geprüft …</translation>
    </message>
    <message>
        <source>training engine found</source>
        <translation>Trainings-Engine gefunden</translation>
    </message>
    <message>
        <source>Nothing has been run yet. “Run a benchmark” takes about two minutes on two cores.</source>
        <translation>Noch wurde nichts ausgeführt. „Benchmark ausführen“ dauert auf zwei Kernen etwa zwei Minuten.</translation>
    </message>
    <message>
        <source>A recorded study of BERT, told again in half a minute. Nothing is trained.</source>
        <translation>Eine aufgezeichnete Studie mit BERT, in einer halben Minute abgespielt. Nichts wird trainiert.</translation>
    </message>
    <message>
        <source>%1 memory</source>
        <translation>%1 Arbeitsspeicher</translation>
    </message>
    <message>
        <source>the training engine does not start: %1</source>
        <translation>die Trainings-Engine startet nicht: %1</translation>
    </message>
</context>
<context>
    <name>scalebench::HostCompleter</name>
    <message>
        <source>Hosts of the ssh configuration</source>
        <translation>Hosts der ssh-Konfiguration</translation>
    </message>
</context>
<context>
    <name>scalebench::HostfileEditor</name>
    <message>
        <source>Fix &amp;all</source>
        <translation>Alles be&amp;richtigen</translation>
    </message>
    <message>
        <source>&amp;Undo the fix</source>
        <translation>Berichtigung &amp;zurücknehmen</translation>
    </message>
    <message>
        <source>&amp;Save the file</source>
        <translation>Datei &amp;speichern</translation>
    </message>
    <message>
        <source>path of an Open MPI hostfile; or drop the file on this page</source>
        <translation>Pfad einer Hostdatei von Open MPI; oder legen Sie die Datei auf dieser Seite ab</translation>
    </message>
    <message>
        <source>Path of the hostfile</source>
        <translation>Pfad der Hostdatei</translation>
    </message>
    <message>
        <source>…</source>
        <translation>…</translation>
    </message>
    <message>
        <source>Choose a hostfile</source>
        <translation>Hostdatei wählen</translation>
    </message>
    <message>
        <source>Text of the hostfile</source>
        <translation>Text der Hostdatei</translation>
    </message>
    <message>
        <source>Write the hostfile as Open MPI wants it</source>
        <translation>Die Hostdatei so schreiben, wie Open MPI sie verlangt</translation>
    </message>
    <message>
        <source>Choose a hostfile, or type the hosts as a list.</source>
        <translation>Wählen Sie eine Hostdatei, oder geben Sie die Hosts als Liste ein.</translation>
    </message>
    <message>
        <source>“%1” does not exist.</source>
        <translation>„%1“ existiert nicht.</translation>
    </message>
    <message>
        <source>“%1” is a folder; choose the hostfile in it.</source>
        <translation>„%1“ ist ein Ordner; wählen Sie die Hostdatei darin.</translation>
    </message>
    <message>
        <source>“%1” is too large for a hostfile.</source>
        <translation>„%1“ ist zu groß für eine Hostdatei.</translation>
    </message>
    <message numerus="yes">
        <source>… and %n more</source>
        <translation>
            <numerusform>… und %n weitere</numerusform>
            <numerusform>… und %n weitere</numerusform>
        </translation>
    </message>
    <message>
        <source>The hostfile is being read.</source>
        <translation>Die Hostdatei wird gelesen.</translation>
    </message>
</context>
<context>
    <name>scalebench::InlineBar</name>
    <message>
        <source>Show</source>
        <translation>Zeigen</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>Einzelheiten</translation>
    </message>
    <message>
        <source>Close this message</source>
        <translation>Diese Meldung schließen</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>Hilfe</translation>
    </message>
    <message>
        <source>What this means and what to do</source>
        <translation>Was das bedeutet und was zu tun ist</translation>
    </message>
</context>
<context>
    <name>scalebench::KeyValueModel</name>
    <message>
        <source>yes</source>
        <translation>ja</translation>
    </message>
    <message>
        <source>no</source>
        <translation>nein</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>Schlüssel</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Wert</translation>
    </message>
</context>
<context>
    <name>scalebench::LogDock</name>
    <message>
        <source>Log</source>
        <translation>Protokoll</translation>
    </message>
</context>
<context>
    <name>scalebench::LogView</name>
    <message>
        <source>Log</source>
        <translation>Protokoll</translation>
    </message>
    <message>
        <source>What mpirun and the workers print appears here.</source>
        <translation>Hier erscheint, was mpirun und die Worker ausgeben.</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Lauf</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>Quelle</translation>
    </message>
    <message>
        <source>All runs</source>
        <translation>Alle Läufe</translation>
    </message>
    <message>
        <source>All sources</source>
        <translation>Alle Quellen</translation>
    </message>
    <message>
        <source>Search, Enter for next</source>
        <translation>Suchen, Eingabe für den nächsten Treffer</translation>
    </message>
    <message>
        <source>Search in the log</source>
        <translation>Im Protokoll suchen</translation>
    </message>
    <message>
        <source>Errors onl&amp;y</source>
        <translation>Nur &amp;Fehler</translation>
    </message>
</context>
<context>
    <name>scalebench::LossEvidenceDialog</name>
    <message>
        <source>Computing a step takes more of the time than it did at the baseline.</source>
        <translation>Das Rechnen eines Schritts braucht mehr von der Zeit als bei der Basis.</translation>
    </message>
    <message>
        <source>Exchange between workers that no computing hides.</source>
        <translation>Austausch zwischen Workern, den kein Rechnen verdeckt.</translation>
    </message>
    <message>
        <source>In every exchange the others wait for the worker that comes last.</source>
        <translation>Bei jedem Austausch warten die anderen auf den letzten Worker.</translation>
    </message>
    <message>
        <source>Workers wait for data.</source>
        <translation>Worker warten auf Daten.</translation>
    </message>
    <message>
        <source>Evaluations do not shrink as training does.</source>
        <translation>Auswertungen werden nicht im selben Maß kürzer wie das Training.</translation>
    </message>
    <message>
        <source>It takes other numbers of epochs to the target: the batch, or chance.</source>
        <translation>Bis zum Ziel braucht es eine andere Zahl von Epochen: durch den Batch oder durch Zufall.</translation>
    </message>
    <message>
        <source>Start, checkpoints, and what no record names.</source>
        <translation>Start, Checkpoints und was kein Eintrag nennt.</translation>
    </message>
    <message>
        <source>The time that an ideal speedup would have taken.</source>
        <translation>Die Zeit, die ein idealer Speedup gebraucht hätte.</translation>
    </message>
    <message>
        <source>What this is read from</source>
        <translation>Woraus sich das ergibt</translation>
    </message>
    <message>
        <source>%1: %2 of the time on %3</source>
        <translation>%1: %2 der Zeit auf %3</translation>
    </message>
    <message>
        <source>Figures of the runs and of the baseline</source>
        <translation>Zahlen der Läufe und der Basis</translation>
    </message>
    <message>
        <source>A band is what its part takes beyond its share of an ideal speedup; all of them and the ideal make up the whole time.</source>
        <translation>Ein Band ist, was sein Teil über seinen Anteil an einem idealen Speedup hinaus braucht; alle zusammen ergeben mit dem Ideal die ganze Zeit.</translation>
    </message>
    <message>
        <source>&amp;Open these runs</source>
        <translation>Diese Läufe &amp;öffnen</translation>
    </message>
    <message>
        <source>Mean of the runs</source>
        <translation>Mittelwert der Läufe</translation>
    </message>
    <message>
        <source>%1 (baseline)</source>
        <translation>%1 (Basis)</translation>
    </message>
    <message>
        <source>time to train, s</source>
        <translation>Trainingszeit, s</translation>
    </message>
    <message>
        <source>epochs</source>
        <translation>Epochen</translation>
    </message>
    <message>
        <source>step, ms</source>
        <translation>Schritt, ms</translation>
    </message>
    <message>
        <source>computing, ms of a step</source>
        <translation>Rechnen, ms eines Schritts</translation>
    </message>
    <message>
        <source>exposed exchange, ms of a step</source>
        <translation>nicht verdeckter Austausch, ms eines Schritts</translation>
    </message>
    <message>
        <source>waiting for the slowest, ms of a step</source>
        <translation>Warten auf den Langsamsten, ms eines Schritts</translation>
    </message>
    <message>
        <source>waiting for data, ms of a step</source>
        <translation>Warten auf Daten, ms eines Schritts</translation>
    </message>
    <message>
        <source>evaluations, s in all</source>
        <translation>Auswertungen, s insgesamt</translation>
    </message>
    <message>
        <source>samples/s</source>
        <translation>Samples/s</translation>
    </message>
    <message>
        <source>runs</source>
        <translation>Läufe</translation>
    </message>
</context>
<context>
    <name>scalebench::MachineDock</name>
    <message>
        <source>Machine</source>
        <translation>Maschine</translation>
    </message>
    <message>
        <source>What works on this computer</source>
        <translation>Was auf diesem Rechner arbeitet</translation>
    </message>
    <message>
        <source>Hosts of the study, last epoch</source>
        <translation>Hosts der Studie, letzte Epoche</translation>
    </message>
    <message>
        <source>This computer</source>
        <translation>Dieser Rechner</translation>
    </message>
    <message numerus="yes">
        <source>%n processor(s)</source>
        <translation>
            <numerusform>%n Prozessor</numerusform>
            <numerusform>%n Prozessoren</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 of %2 processors busy, %3 by other work</source>
        <translation>%1 von %2 Prozessoren beschäftigt, %3 mit anderer Arbeit</translation>
    </message>
    <message>
        <source>%1 of %2 memory</source>
        <translation>%1 von %2 Arbeitsspeicher</translation>
    </message>
    <message>
        <source>Processors</source>
        <translation>Prozessoren</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Arbeitsspeicher</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>%1 W</source>
        <translation>%1 W</translation>
    </message>
    <message>
        <source>%1 °C</source>
        <translation>%1 °C</translation>
    </message>
    <message>
        <source>GPU %1</source>
        <translation>GPU %1</translation>
    </message>
    <message>
        <source>Measuring…</source>
        <translation>Wird gemessen …</translation>
    </message>
    <message>
        <source>Other work keeps %1 processors busy: times measured now would be disturbed.</source>
        <translation>Andere Arbeit beschäftigt %1 Prozessoren: Jetzt gemessene Zeiten wären gestört.</translation>
    </message>
    <message>
        <source>No other work that would disturb times measured now.</source>
        <translation>Keine andere Arbeit, die jetzt gemessene Zeiten stören würde.</translation>
    </message>
    <message>
        <source>In use: GPU %1.</source>
        <translation>Belegt: GPU %1.</translation>
    </message>
</context>
<context>
    <name>scalebench::MachineForm</name>
    <message>
        <source>as the ssh configuration says</source>
        <translation>wie die ssh-Konfiguration es sagt</translation>
    </message>
    <message>
        <source>&amp;Name</source>
        <translation>&amp;Name</translation>
    </message>
    <message>
        <source>&amp;Kind</source>
        <translation>A&amp;rt</translation>
    </message>
    <message>
        <source>&amp;Login node</source>
        <translation>Log&amp;in-Knoten</translation>
    </message>
    <message>
        <source>&amp;User name there</source>
        <translation>Ben&amp;utzername dort</translation>
    </message>
    <message>
        <source>List of hosts</source>
        <translation>Hostliste</translation>
    </message>
    <message>
        <source>Hostfile</source>
        <translation>Hostdatei</translation>
    </message>
    <message>
        <source>node1:8, node2:8 or gpu[01-04]:8</source>
        <translation>node1:8, node2:8 oder gpu[01-04]:8</translation>
    </message>
    <message>
        <source>Hosts and their slots</source>
        <translation>Hosts und ihre Slots</translation>
    </message>
    <message>
        <source>the cluster&apos;s default</source>
        <translation>die Vorgabe des Clusters</translation>
    </message>
    <message>
        <source>your default</source>
        <translation>Ihre Vorgabe</translation>
    </message>
    <message>
        <source>the partition&apos;s; e.g. 1:00:00</source>
        <translation>das der Partition; z. B. 1:00:00</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>e.g. --exclusive --constraint=a100</source>
        <translation>z. B. --exclusive --constraint=a100</translation>
    </message>
    <message>
        <source>&amp;Partition</source>
        <translation>&amp;Partition</translation>
    </message>
    <message>
        <source>A&amp;ccount</source>
        <translation>&amp;Konto</translation>
    </message>
    <message>
        <source>&amp;Time limit of a run</source>
        <translation>&amp;Zeitlimit eines Laufs</translation>
    </message>
    <message>
        <source>&amp;GPUs per node</source>
        <translation>&amp;GPUs je Knoten</translation>
    </message>
    <message>
        <source>Further options for &amp;sbatch</source>
        <translation>Weitere Optionen für &amp;sbatch</translation>
    </message>
    <message>
        <source>the study&apos;s own path</source>
        <translation>der Pfad der Studie</translation>
    </message>
    <message>
        <source>not given</source>
        <translation>nicht angegeben</translation>
    </message>
    <message>
        <source>&amp;Data folder there</source>
        <translation>Da&amp;tenordner dort</translation>
    </message>
    <message>
        <source>More settings</source>
        <translation>Weitere Einstellungen</translation>
    </message>
    <message>
        <source>the Open MPI that comes with the engine</source>
        <translation>das Open MPI, das mit der Engine kommt</translation>
    </message>
    <message>
        <source>found; e.g. ib0 or 10.0.0.0/24</source>
        <translation>wird gefunden; z. B. ib0 oder 10.0.0.0/24</translation>
    </message>
    <message>
        <source>~/.ssh/config</source>
        <translation>~/.ssh/config</translation>
    </message>
    <message>
        <source>&amp;Jump host</source>
        <translation>Sprun&amp;ghost</translation>
    </message>
    <message>
        <source>ssh confi&amp;guration</source>
        <translation>ssh-Kon&amp;figuration</translation>
    </message>
    <message>
        <source>Open &amp;MPI there</source>
        <translation>Open &amp;MPI dort</translation>
    </message>
    <message>
        <source>Network &amp;interface or subnet</source>
        <translation>Netzwerksch&amp;nittstelle oder Subnetz</translation>
    </message>
    <message>
        <source>Remove this variable</source>
        <translation>Diese Variable entfernen</translation>
    </message>
    <message>
        <source>Environment of the &amp;workers (NCCL_…, UCX_… and others)</source>
        <translation>Umgebung der &amp;Worker (NCCL_…, UCX_… und andere)</translation>
    </message>
    <message>
        <source>none: sbatch is on this computer</source>
        <translation>keiner: sbatch ist auf diesem Rechner</translation>
    </message>
    <message>
        <source>host or name of the ssh configuration</source>
        <translation>Host oder Name der ssh-Konfiguration</translation>
    </message>
    <message>
        <source>mpirun runs on this computer, which must stay on</source>
        <translation>mpirun läuft auf diesem Rechner, der eingeschaltet bleiben muss</translation>
    </message>
    <message>
        <source>Everything runs there; this computer may be switched off</source>
        <translation>Alles läuft dort; dieser Rechner darf ausgeschaltet werden</translation>
    </message>
    <message numerus="yes">
        <source>%n host(s)</source>
        <translation>
            <numerusform>%n Host</numerusform>
            <numerusform>%n Hosts</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1, %n slot(s)</source>
        <translation>
            <numerusform>%1, %n Slot</numerusform>
            <numerusform>%1, %n Slots</numerusform>
        </translation>
    </message>
    <message>
        <source>Price of a n&amp;ode per hour</source>
        <translation>Pr&amp;eis eines Knotens je Stunde</translation>
    </message>
    <message>
        <source>Scale&amp;bench&apos;s folder there</source>
        <translation>&amp;Ordner von Scalebench dort</translation>
    </message>
    <message numerus="yes">
        <source>%1, not counting %n host(s) without a number</source>
        <translation>
            <numerusform>%1, nicht gezählt %n Host ohne Anzahl</numerusform>
            <numerusform>%1, nicht gezählt %n Hosts ohne Anzahl</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>scalebench::MachineListModel</name>
    <message>
        <source>Hosts reached by ssh</source>
        <translation>Über ssh erreichte Hosts</translation>
    </message>
    <message>
        <source>Cluster behind a login node</source>
        <translation>Cluster hinter einem Login-Knoten</translation>
    </message>
    <message>
        <source>Slurm</source>
        <translation>Slurm</translation>
    </message>
    <message>
        <source>This computer</source>
        <translation>Dieser Rechner</translation>
    </message>
    <message>
        <source>not saved yet</source>
        <translation>noch nicht gespeichert</translation>
    </message>
    <message>
        <source>checking…</source>
        <translation>wird geprüft …</translation>
    </message>
    <message>
        <source>always here</source>
        <translation>immer hier</translation>
    </message>
    <message>
        <source>not checked yet</source>
        <translation>noch nicht geprüft</translation>
    </message>
    <message>
        <source>ready, with warnings, %1</source>
        <translation>bereit, mit Warnungen, %1</translation>
    </message>
    <message numerus="yes">
        <source>ready, %n host(s), %1</source>
        <translation>
            <numerusform>bereit, %n Host, %1</numerusform>
            <numerusform>bereit, %n Hosts, %1</numerusform>
        </translation>
    </message>
    <message>
        <source>problems: %1 of %2, %3</source>
        <translation>Probleme: %1 von %2, %3</translation>
    </message>
</context>
<context>
    <name>scalebench::MachinesPage</name>
    <message>
        <source>Undo &amp;changes</source>
        <translation>Änderungen &amp;zurücknehmen</translation>
    </message>
    <message>
        <source>Plan a stud&amp;y here</source>
        <translation>Hier eine &amp;Studie planen</translation>
    </message>
    <message>
        <source>Looking at this computer…</source>
        <translation>Dieser Rechner wird angesehen …</translation>
    </message>
    <message>
        <source>Machines</source>
        <translation>Maschinen</translation>
    </message>
    <message>
        <source>Add a target machine</source>
        <translation>Zielmaschine hinzufügen</translation>
    </message>
    <message>
        <source>Duplicate this machine</source>
        <translation>Diese Maschine duplizieren</translation>
    </message>
    <message>
        <source>Remove this machine</source>
        <translation>Diese Maschine entfernen</translation>
    </message>
    <message>
        <source>Target machines</source>
        <translation>Zielmaschinen</translation>
    </message>
    <message>
        <source>Drop a hostfile on this page to make a machine of it.</source>
        <translation>Legen Sie eine Hostdatei auf dieser Seite ab, um eine Maschine daraus zu machen.</translation>
    </message>
    <message>
        <source>Back to how it was when you chose this machine</source>
        <translation>Zurück zum Stand, als Sie diese Maschine wählten</translation>
    </message>
    <message>
        <source>Undo the changes of this machine</source>
        <translation>Die Änderungen an dieser Maschine zurücknehmen</translation>
    </message>
    <message>
        <source>Not saved yet: see below</source>
        <translation>Noch nicht gespeichert: siehe unten</translation>
    </message>
    <message>
        <source>Saved</source>
        <translation>Gespeichert</translation>
    </message>
    <message>
        <source>Saving…</source>
        <translation>Wird gespeichert …</translation>
    </message>
    <message>
        <source>hosts</source>
        <translation>Hosts</translation>
    </message>
    <message>
        <source>cluster</source>
        <translation>Cluster</translation>
    </message>
    <message>
        <source>slurm</source>
        <translation>Slurm</translation>
    </message>
    <message>
        <source>%1 copy</source>
        <translation>%1 Kopie</translation>
    </message>
    <message>
        <source>“%1” was removed. Studies that ran on it stay in the library.</source>
        <translation>„%1“ wurde entfernt. Studien, die darauf liefen, bleiben in der Bibliothek.</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>A machine with the hosts of %1. If a cluster&apos;s login node stands in between, choose that kind.</source>
        <translation>Eine Maschine mit den Hosts von %1. Wenn ein Login-Knoten davor steht, wählen Sie diese Art.</translation>
    </message>
    <message numerus="yes">
        <source>%1, %n core(s), %2 of memory (%3 free)</source>
        <translation>
            <numerusform>%1, %n Kern, %2 Arbeitsspeicher (%3 frei)</numerusform>
            <numerusform>%1, %n Kerne, %2 Arbeitsspeicher (%3 frei)</numerusform>
        </translation>
    </message>
    <message>
        <source>CPU</source>
        <translation>CPU</translation>
    </message>
    <message>
        <source>Open MPI %1 (%2)</source>
        <translation>Open MPI %1 (%2)</translation>
    </message>
    <message>
        <source>Training engine: not found. packaging/quickstart builds it.</source>
        <translation>Trainings-Engine: nicht gefunden. packaging/quickstart baut sie.</translation>
    </message>
    <message>
        <source>Training engine: %1</source>
        <translation>Trainings-Engine: %1</translation>
    </message>
    <message>
        <source>GPUs: %1</source>
        <translation>GPUs: %1</translation>
    </message>
    <message>
        <source>No GPU is used: %1</source>
        <translation>Es wird keine GPU benutzt: %1</translation>
    </message>
</context>
<context>
    <name>scalebench::MainWindow</name>
    <message>
        <source>Run queue</source>
        <translation>Warteschlange der Läufe</translation>
    </message>
    <message>
        <source>Scalebench[*]</source>
        <translation>Scalebench[*]</translation>
    </message>
    <message>
        <source>%1[*] – Scalebench</source>
        <translation>%1[*] – Scalebench</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>&amp;Datei</translation>
    </message>
    <message>
        <source>&amp;New plan</source>
        <translation>&amp;Neuer Plan</translation>
    </message>
    <message>
        <source>&amp;Open plan…</source>
        <translation>Plan ö&amp;ffnen …</translation>
    </message>
    <message>
        <source>Open study &amp;folder…</source>
        <translation>Ordner einer &amp;Studie öffnen …</translation>
    </message>
    <message>
        <source>&amp;Save plan</source>
        <translation>&amp;Plan speichern</translation>
    </message>
    <message>
        <source>Save plan &amp;as…</source>
        <translation>Plan speichern &amp;unter …</translation>
    </message>
    <message>
        <source>&amp;Import results…</source>
        <translation>Ergebnisse &amp;importieren …</translation>
    </message>
    <message>
        <source>Import a fol&amp;der of results…</source>
        <translation>&amp;Ordner mit Ergebnissen importieren …</translation>
    </message>
    <message>
        <source>&amp;Trash</source>
        <translation>P&amp;apierkorb</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>B&amp;eenden</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>&amp;Bearbeiten</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>&amp;Rückgängig</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>&amp;Wiederholen</translation>
    </message>
    <message>
        <source>&amp;Keyboard shortcuts…</source>
        <translation>&amp;Tastenkürzel …</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>&amp;Lauf</translation>
    </message>
    <message>
        <source>&amp;Start study</source>
        <translation>S&amp;tudie starten</translation>
    </message>
    <message>
        <source>Stop &amp;after this run</source>
        <translation>&amp;Nach diesem Lauf anhalten</translation>
    </message>
    <message>
        <source>&amp;Leave running and disconnect</source>
        <translation>Weiterlaufen lassen und t&amp;rennen</translation>
    </message>
    <message>
        <source>Stop &amp;now</source>
        <translation>&amp;Sofort anhalten</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>&amp;Ansicht</translation>
    </message>
    <message>
        <source>&amp;Filter</source>
        <translation>&amp;Filtern</translation>
    </message>
    <message>
        <source>F&amp;ull screen</source>
        <translation>&amp;Vollbild</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>Des&amp;ign</translation>
    </message>
    <message>
        <source>As the &amp;system</source>
        <translation>Wie das &amp;System</translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation>&amp;Hell</translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation>&amp;Dunkel</translation>
    </message>
    <message>
        <source>&amp;High contrast</source>
        <translation>Hoher &amp;Kontrast</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>&amp;Hilfe</translation>
    </message>
    <message>
        <source>&amp;About Scalebench</source>
        <translation>&amp;Über Scalebench</translation>
    </message>
    <message>
        <source>Results to import: MLPerf logs, bundles, TensorBoard files, CSV</source>
        <translation>Ergebnisse zum Importieren: MLPerf-Protokolle, Bündel, TensorBoard-Dateien, CSV</translation>
    </message>
    <message>
        <source>Open a study&apos;s folder</source>
        <translation>Ordner einer Studie öffnen</translation>
    </message>
    <message>
        <source>Folder where runs are kept</source>
        <translation>Ordner, in dem Läufe aufbewahrt werden</translation>
    </message>
    <message>
        <source>Take back “%1”, put away %2</source>
        <translation>„%1“ zurückholen, weggelegt %2</translation>
    </message>
    <message>
        <source>The trash is empty</source>
        <translation>Der Papierkorb ist leer</translation>
    </message>
    <message>
        <source>&amp;Empty the trash…</source>
        <translation>Papierkorb &amp;leeren …</translation>
    </message>
    <message>
        <source>Empty the trash</source>
        <translation>Papierkorb leeren</translation>
    </message>
    <message numerus="yes">
        <source>Delete %n study(ies) with all measurements for good?</source>
        <translation>
            <numerusform>%n Studie mit allen Messungen endgültig löschen?</numerusform>
            <numerusform>%n Studien mit allen Messungen endgültig löschen?</numerusform>
        </translation>
    </message>
    <message>
        <source>&amp;Delete</source>
        <translation>&amp;Löschen</translation>
    </message>
    <message>
        <source>The chart is in %1.</source>
        <translation>Das Diagramm liegt in %1.</translation>
    </message>
    <message>
        <source>Open it</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>Folder for CSV files and pictures</source>
        <translation>Ordner für CSV-Dateien und Bilder</translation>
    </message>
    <message>
        <source>Folder for the report</source>
        <translation>Ordner für den Bericht</translation>
    </message>
    <message>
        <source>Writing the report…</source>
        <translation>Der Bericht wird geschrieben …</translation>
    </message>
    <message>
        <source>The report is in %1: report.html, report.pdf, CSV files, pictures and a bundle.</source>
        <translation>Der Bericht liegt in %1: report.html, report.pdf, CSV-Dateien, Bilder und ein Bündel.</translation>
    </message>
    <message>
        <source>The report is in %1, without pictures and PDF.</source>
        <translation>Der Bericht liegt in %1, ohne Bilder und PDF.</translation>
    </message>
    <message>
        <source>Open report</source>
        <translation>Bericht öffnen</translation>
    </message>
    <message>
        <source>Exporting, %1 of %2…</source>
        <translation>Export, %1 von %2 …</translation>
    </message>
    <message>
        <source>Written to %1: CSV files and pictures.</source>
        <translation>Nach %1 geschrieben: CSV-Dateien und Bilder.</translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>Ordner öffnen</translation>
    </message>
    <message>
        <source>Exported to %1</source>
        <translation>Nach %1 exportiert</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>&amp;Recent</source>
        <translation>&amp;Zuletzt verwendet</translation>
    </message>
    <message>
        <source>&amp;Library folder</source>
        <translation>&amp;Bibliotheksordner</translation>
    </message>
    <message>
        <source>★ %1</source>
        <translation>★ %1</translation>
    </message>
    <message>
        <source>None yet: what is opened, saved or imported appears here</source>
        <translation>Noch nichts: Geöffnetes, Gespeichertes und Importiertes steht hier</translation>
    </message>
    <message>
        <source>&amp;Keep at the top</source>
        <translation>&amp;Oben behalten</translation>
    </message>
    <message>
        <source>&amp;Forget those not kept</source>
        <translation>Nicht Behaltenes &amp;vergessen</translation>
    </message>
    <message>
        <source>&amp;Choose a folder…</source>
        <translation>Ordner &amp;wählen …</translation>
    </message>
    <message>
        <source>&amp;Usual folder</source>
        <translation>&amp;Üblicher Ordner</translation>
    </message>
    <message>
        <source>Export &amp;chart…</source>
        <translation>&amp;Diagramm exportieren …</translation>
    </message>
    <message>
        <source>&amp;Export all of this study…</source>
        <translation>A&amp;lles dieser Studie exportieren …</translation>
    </message>
    <message>
        <source>&amp;Write report…</source>
        <translation>Be&amp;richt schreiben …</translation>
    </message>
    <message>
        <source>&amp;Pause the queue</source>
        <translation>&amp;Warteschlange anhalten</translation>
    </message>
    <message>
        <source>&amp;Resume what was cancelled</source>
        <translation>&amp;Abgebrochenes fortsetzen</translation>
    </message>
    <message>
        <source>Run &amp;failed again</source>
        <translation>&amp;Fehlgeschlagene noch einmal</translation>
    </message>
    <message>
        <source>Replay &amp;the study as it trained</source>
        <translation>Studie noch einmal &amp;zeigen, wie sie trainierte</translation>
    </message>
    <message>
        <source>As &amp;fast as it was</source>
        <translation>So &amp;schnell, wie es war</translation>
    </message>
    <message>
        <source>&amp;5 times as fast</source>
        <translation>&amp;5-mal so schnell</translation>
    </message>
    <message>
        <source>&amp;20 times as fast</source>
        <translation>&amp;20-mal so schnell</translation>
    </message>
    <message>
        <source>&amp;100 times as fast</source>
        <translation>&amp;100-mal so schnell</translation>
    </message>
    <message>
        <source>&amp;Log</source>
        <translation>&amp;Protokoll</translation>
    </message>
    <message>
        <source>Run &amp;queue</source>
        <translation>Warteschlange &amp;der Läufe</translation>
    </message>
    <message>
        <source>&amp;Machine</source>
        <translation>Mas&amp;chine</translation>
    </message>
    <message>
        <source>Pr&amp;operties</source>
        <translation>Ei&amp;genschaften</translation>
    </message>
    <message>
        <source>Restore de&amp;fault layout</source>
        <translation>Standardanordnung &amp;wiederherstellen</translation>
    </message>
    <message>
        <source>Comman&amp;d palette…</source>
        <translation>&amp;Befehlspalette …</translation>
    </message>
    <message>
        <source>R&amp;efresh</source>
        <translation>Akt&amp;ualisieren</translation>
    </message>
    <message>
        <source>La&amp;nguage</source>
        <translation>Sprac&amp;he</translation>
    </message>
    <message>
        <source>Continue the &amp;queue</source>
        <translation>&amp;Warteschlange fortsetzen</translation>
    </message>
</context>
<context>
    <name>scalebench::MetricPanel</name>
    <message>
        <source>Accuracy</source>
        <translation>Genauigkeit</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>Mittelwert</translation>
    </message>
    <message>
        <source>Repeats as their mean with the range between them</source>
        <translation>Wiederholungen als Mittelwert mit ihrer Spanne</translation>
    </message>
    <message>
        <source>Draw repeats as their mean with its range</source>
        <translation>Wiederholungen als Mittelwert mit Spanne zeichnen</translation>
    </message>
    <message>
        <source>Metric</source>
        <translation>Metrik</translation>
    </message>
    <message>
        <source>Show the metric %1</source>
        <translation>Die Metrik %1 zeigen</translation>
    </message>
</context>
<context>
    <name>scalebench::PlanChips</name>
    <message>
        <source>Add…</source>
        <translation>Hinzufügen …</translation>
    </message>
    <message>
        <source>Add a setting with several values</source>
        <translation>Eine Einstellung mit mehreren Werten hinzufügen</translation>
    </message>
    <message>
        <source>A switch or a value of the recipe; each of its values gets runs</source>
        <translation>Ein Schalter oder ein Wert des Rezepts; jeder seiner Werte bekommt Läufe</translation>
    </message>
    <message>
        <source>%1, edit</source>
        <translation>%1, bearbeiten</translation>
    </message>
    <message>
        <source>%1, of this workload only</source>
        <translation>%1, nur dieser Workload</translation>
    </message>
    <message>
        <source>Take away %1</source>
        <translation>%1 wegnehmen</translation>
    </message>
</context>
<context>
    <name>scalebench::PlanForm</name>
    <message>
        <source>preset</source>
        <translation>Vorgabe</translation>
    </message>
    <message>
        <source>CPU</source>
        <translation>CPU</translation>
    </message>
    <message>
        <source>GPU (CUDA)</source>
        <translation>GPU (CUDA)</translation>
    </message>
    <message>
        <source>strong: global batch fixed</source>
        <translation>stark: globaler Batch fest</translation>
    </message>
    <message>
        <source>weak: batch per worker fixed</source>
        <translation>schwach: Batch je Worker fest</translation>
    </message>
    <message>
        <source>table: a batch for each worker count</source>
        <translation>Tabelle: ein Batch je Workerzahl</translation>
    </message>
    <message>
        <source>train all epochs</source>
        <translation>alle Epochen</translation>
    </message>
    <message>
        <source>cores / largest count</source>
        <translation>Kerne / größte Anzahl</translation>
    </message>
    <message>
        <source>Allow more workers than cores (shown, not counted)</source>
        <translation>Mehr Worker als Kerne erlauben (gezeigt, nicht gezählt)</translation>
    </message>
    <message>
        <source>interleaved: drift hits all alike</source>
        <translation>verschränkt: Drift trifft alle gleich</translation>
    </message>
    <message>
        <source>random, by the seed</source>
        <translation>zufällig, nach dem Seed</translation>
    </message>
    <message>
        <source>sequential: repeats together</source>
        <translation>der Reihe nach: Wiederholungen zusammen</translation>
    </message>
    <message>
        <source>Wait for other studies on the same machine</source>
        <translation>Auf andere Studien derselben Maschine warten</translation>
    </message>
    <message>
        <source>Two runs at once would both be measured wrong</source>
        <translation>Zwei Läufe zugleich würden beide falsch gemessen</translation>
    </message>
    <message>
        <source>never</source>
        <translation>nie</translation>
    </message>
    <message>
        <source>no limit</source>
        <translation>keine Grenze</translation>
    </message>
    <message>
        <source> min</source>
        <translation> min</translation>
    </message>
    <message>
        <source>Stop a workload once its target is reached</source>
        <translation>Einen Workload beenden, sobald sein Ziel erreicht ist</translation>
    </message>
    <message>
        <source>As soon as one of its runs has reached the target, the others are left out</source>
        <translation>Sobald einer seiner Läufe das Ziel erreicht hat, werden die anderen ausgelassen</translation>
    </message>
    <message>
        <source>off</source>
        <translation>aus</translation>
    </message>
    <message>
        <source> MB</source>
        <translation> MB</translation>
    </message>
    <message>
        <source>Synchronised batch norm</source>
        <translation>Synchronisierte Batch-Norm</translation>
    </message>
    <message>
        <source>Exchange gradients while computing</source>
        <translation>Gradienten beim Rechnen austauschen</translation>
    </message>
    <message>
        <source>Fused optimizer</source>
        <translation>Fusionierter Optimierer</translation>
    </message>
    <message>
        <source>Optimizer state shared out</source>
        <translation>Optimiererzustand aufgeteilt</translation>
    </message>
    <message>
        <source>Evaluate beside training</source>
        <translation>Neben dem Training auswerten</translation>
    </message>
    <message>
        <source>Pack sequences</source>
        <translation>Sequenzen packen</translation>
    </message>
    <message>
        <source>Batch aligned with the data set</source>
        <translation>Batch am Datensatz ausgerichtet</translation>
    </message>
    <message>
        <source>CUDA graphs</source>
        <translation>CUDA-Graphen</translation>
    </message>
    <message>
        <source>Algorithms chosen by timing</source>
        <translation>Algorithmen durch Zeitmessung gewählt</translation>
    </message>
    <message>
        <source>…</source>
        <translation>…</translation>
    </message>
    <message>
        <source>Choose the data folder or file</source>
        <translation>Datenordner oder -datei wählen</translation>
    </message>
    <message>
        <source>Five (olympic)</source>
        <translation>Fünf (olympisch)</translation>
    </message>
    <message>
        <source>Five repeats (olympic)</source>
        <translation>Fünf Wiederholungen (olympisch)</translation>
    </message>
    <message>
        <source>Five repeats: the best and the worst are left out of the mean</source>
        <translation>Fünf Wiederholungen: Die beste und die schlechteste bleiben aus dem Mittelwert weg</translation>
    </message>
    <message>
        <source>&amp;Name</source>
        <translation>&amp;Name</translation>
    </message>
    <message>
        <source>&amp;Precision</source>
        <translation>&amp;Zahlenformat</translation>
    </message>
    <message>
        <source>&amp;Batch policy</source>
        <translation>Batch&amp;regel</translation>
    </message>
    <message>
        <source>Bat&amp;ch size</source>
        <translation>Bat&amp;chgröße</translation>
    </message>
    <message>
        <source>Quality tar&amp;get</source>
        <translation>Güt&amp;eziel</translation>
    </message>
    <message>
        <source>Quality target</source>
        <translation>Güteziel</translation>
    </message>
    <message>
        <source>At most ep&amp;ochs</source>
        <translation>H&amp;öchstens Epochen</translation>
    </message>
    <message>
        <source>&amp;Data</source>
        <translation>Da&amp;ten</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>Daten</translation>
    </message>
    <message>
        <source>Net&amp;work</source>
        <translation>Net&amp;z</translation>
    </message>
    <message>
        <source>Repea&amp;ts of each run</source>
        <translation>Wiederh&amp;olungen jedes Laufs</translation>
    </message>
    <message>
        <source>3 or more give error bars</source>
        <translation>3 oder mehr ergeben Fehlerbalken</translation>
    </message>
    <message>
        <source>Repeats of each run</source>
        <translation>Wiederholungen jedes Laufs</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>Seed</translation>
    </message>
    <message>
        <source>each repeat adds one</source>
        <translation>jede Wiederholung zählt eins dazu</translation>
    </message>
    <message>
        <source>At most minutes</source>
        <translation>Höchstens Minuten</translation>
    </message>
    <message>
        <source>no further run begins after that</source>
        <translation>danach beginnt kein Lauf mehr</translation>
    </message>
    <message>
        <source>More settings</source>
        <translation>Weitere Einstellungen</translation>
    </message>
    <message>
        <source>Threads per worker</source>
        <translation>Threads je Worker</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>Lernrate</translation>
    </message>
    <message>
        <source>Gradient exchange</source>
        <translation>Gradientenaustausch</translation>
    </message>
    <message>
        <source>Bucket size</source>
        <translation>Bucketgröße</translation>
    </message>
    <message>
        <source>Order of the runs</source>
        <translation>Reihenfolge der Läufe</translation>
    </message>
    <message>
        <source>Try failed runs again</source>
        <translation>Fehlgeschlagene wiederholen</translation>
    </message>
    <message>
        <source>Gradient accumulation</source>
        <translation>Gradientenakkumulation</translation>
    </message>
    <message>
        <source>Choose a &amp;folder…</source>
        <translation>&amp;Ordner wählen …</translation>
    </message>
    <message>
        <source>Choose a &amp;file…</source>
        <translation>&amp;Datei wählen …</translation>
    </message>
    <message>
        <source>&amp;Generated by Scalebench</source>
        <translation>Von Scalebench &amp;erzeugt</translation>
    </message>
    <message>
        <source>&amp;Synthetic batches (throughput only)</source>
        <translation>&amp;Synthetische Batches (nur Durchsatz)</translation>
    </message>
    <message>
        <source>Data folder</source>
        <translation>Datenordner</translation>
    </message>
    <message>
        <source>Data file</source>
        <translation>Datendatei</translation>
    </message>
    <message>
        <source>synthetic; your own: %1</source>
        <translation>synthetisch; eigene: %1</translation>
    </message>
    <message>
        <source>synthetic</source>
        <translation>synthetisch</translation>
    </message>
    <message>
        <source>%1 (not known)</source>
        <translation>%1 (nicht bekannt)</translation>
    </message>
    <message>
        <source>The seed is a whole number from 0 to 9223372036854775807.</source>
        <translation>Der Seed ist eine ganze Zahl von 0 bis 9223372036854775807.</translation>
    </message>
    <message>
        <source>The learning rate is a number, for example 0.1.</source>
        <translation>Die Lernrate ist eine Zahl, zum Beispiel 0,1.</translation>
    </message>
    <message>
        <source>The target is a number, for example 25.</source>
        <translation>Das Ziel ist eine Zahl, zum Beispiel 25.</translation>
    </message>
    <message>
        <source>The target is a number in per cent, for example 80.</source>
        <translation>Das Ziel ist eine Zahl in Prozent, zum Beispiel 80.</translation>
    </message>
    <message>
        <source>At most 100 % is possible.</source>
        <translation>Höchstens 100 % ist möglich.</translation>
    </message>
    <message>
        <source>preset: %1</source>
        <translation>Vorgabe: %1</translation>
    </message>
    <message>
        <source>preset: none</source>
        <translation>Vorgabe: keine</translation>
    </message>
    <message>
        <source>made by Scalebench (or: %1)</source>
        <translation>von Scalebench gemacht (oder: %1)</translation>
    </message>
    <message>
        <source>choose: %1</source>
        <translation>wählen: %1</translation>
    </message>
    <message>
        <source>the recipe&apos;s</source>
        <translation>wie im Rezept</translation>
    </message>
    <message>
        <source>fp32</source>
        <translation>fp32</translation>
    </message>
    <message>
        <source>bf16</source>
        <translation>bf16</translation>
    </message>
    <message>
        <source>fp32 and bf16</source>
        <translation>fp32 und bf16</translation>
    </message>
    <message>
        <source>fp16</source>
        <translation>fp16</translation>
    </message>
    <message>
        <source>fp32, bf16 and fp16</source>
        <translation>fp32, bf16 und fp16</translation>
    </message>
    <message>
        <source>automatic</source>
        <translation>automatisch</translation>
    </message>
    <message>
        <source>shared memory</source>
        <translation>gemeinsamer Speicher</translation>
    </message>
    <message>
        <source>MPI</source>
        <translation>MPI</translation>
    </message>
    <message>
        <source>NCCL</source>
        <translation>NCCL</translation>
    </message>
    <message>
        <source>host memory</source>
        <translation>Hauptspeicher</translation>
    </message>
    <message>
        <source>Precision, batch, target, epochs, data, network and learning rate are those of %1; the rest is every workload&apos;s.</source>
        <translation>Zahlenformat, Batch, Ziel, Epochen, Daten, Netz und Lernrate gelten für %1; das Übrige für jeden Workload.</translation>
    </message>
    <message>
        <source>varies, see below</source>
        <translation>mehrere Werte, siehe unten</translation>
    </message>
    <message>
        <source>%1 (varies)</source>
        <translation>%1 (mehrere Werte)</translation>
    </message>
    <message>
        <source>Check…</source>
        <translation>Prüfen …</translation>
    </message>
    <message>
        <source>Look at the data, check it or make it</source>
        <translation>Daten ansehen, prüfen oder anlegen</translation>
    </message>
    <message>
        <source>The data lies on another machine, which checks it before a run starts</source>
        <translation>Die Daten liegen auf einem anderen Rechner, der sie vor einem Lauf prüft</translation>
    </message>
    <message>
        <source>Dev&amp;ice</source>
        <translation>&amp;Gerät</translation>
    </message>
    <message>
        <source>Workers on the processors of one node share it out anyway where they can</source>
        <translation>Auf den Prozessoren eines Knotens teilen die Worker ihn ohnehin auf, wo es geht</translation>
    </message>
    <message>
        <source>Bind threads to cores</source>
        <translation>Threads an Kerne binden</translation>
    </message>
    <message>
        <source>Without GPUs: each worker keeps to cores that share caches and memory</source>
        <translation>Ohne GPUs: Jeder Worker bleibt auf Kernen, die Caches und Speicher gemeinsam haben</translation>
    </message>
</context>
<context>
    <name>scalebench::PlanPage</name>
    <message>
        <source>the plan of last time</source>
        <translation>der Plan vom letzten Mal</translation>
    </message>
    <message>
        <source>The edited plan of last time is here again; it is in no file yet.</source>
        <translation>Der bearbeitete Plan vom letzten Mal ist wieder da; er steht noch in keiner Datei.</translation>
    </message>
    <message>
        <source>Undo the edits</source>
        <translation>Änderungen zurücknehmen</translation>
    </message>
    <message>
        <source>Open a plan</source>
        <translation>Plan öffnen</translation>
    </message>
    <message>
        <source>Save the plan</source>
        <translation>Plan speichern</translation>
    </message>
    <message>
        <source>&amp;Start</source>
        <translation>&amp;Start</translation>
    </message>
    <message>
        <source>2  Where, and with how many workers</source>
        <translation>2  Wo und mit wie vielen Workern</translation>
    </message>
    <message>
        <source>Worker counts</source>
        <translation>Workerzahlen</translation>
    </message>
    <message>
        <source>Shapes: nodes × workers per node</source>
        <translation>Formen: Knoten × Worker je Knoten</translation>
    </message>
    <message>
        <source>3  Settings</source>
        <translation>3  Einstellungen</translation>
    </message>
    <message>
        <source>Varies</source>
        <translation>Mehrere Werte</translation>
    </message>
    <message>
        <source>each value of a setting added here gets runs of its own</source>
        <translation>jeder Wert einer hier hinzugefügten Einstellung bekommt eigene Läufe</translation>
    </message>
    <message>
        <source>Start the study</source>
        <translation>Die Studie starten</translation>
    </message>
    <message>
        <source>Start the study (Ctrl+R)</source>
        <translation>Die Studie starten (Strg+R)</translation>
    </message>
    <message>
        <source>The training engine (scalebench-engine) was not found beside this program or in PATH. Build it with packaging/quickstart, or set SCALEBENCH_ENGINE to its path and start again. Results can be opened without it.</source>
        <translation>Die Trainings-Engine (scalebench-engine) wurde weder neben diesem Programm noch in PATH gefunden. Bauen Sie sie mit packaging/quickstart, oder setzen Sie SCALEBENCH_ENGINE auf ihren Pfad, und starten Sie neu. Ergebnisse lassen sich ohne sie öffnen.</translation>
    </message>
    <message>
        <source>change of “%1”</source>
        <translation>Änderung von „%1“</translation>
    </message>
    <message>
        <source>choice of workloads</source>
        <translation>Wahl der Workloads</translation>
    </message>
    <message>
        <source>edit of the plan</source>
        <translation>Bearbeitung des Plans</translation>
    </message>
    <message numerus="yes">
        <source>This computer has %n core(s). Tick “Allow more workers than cores” under More settings to try it anyway.</source>
        <translation>
            <numerusform>Dieser Rechner hat %n Kern. Kreuzen Sie unter Weitere Einstellungen „Mehr Worker als Kerne erlauben“ an, um es trotzdem zu versuchen.</numerusform>
            <numerusform>Dieser Rechner hat %n Kerne. Kreuzen Sie unter Weitere Einstellungen „Mehr Worker als Kerne erlauben“ an, um es trotzdem zu versuchen.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>This computer has %n core(s); a worker is one process with its own share of them.</source>
        <translation>
            <numerusform>Dieser Rechner hat %n Kern; ein Worker ist ein Prozess mit seinem Anteil daran.</numerusform>
            <numerusform>Dieser Rechner hat %n Kerne; ein Worker ist ein Prozess mit seinem Anteil daran.</numerusform>
        </translation>
    </message>
    <message>
        <source>This plan cannot start yet</source>
        <translation>Dieser Plan kann noch nicht starten</translation>
    </message>
    <message>
        <source>Looking at this computer…</source>
        <translation>Dieser Rechner wird angesehen …</translation>
    </message>
    <message>
        <source>Choose at least one shape, for example one node with one worker.</source>
        <translation>Wählen Sie mindestens eine Form, zum Beispiel einen Knoten mit einem Worker.</translation>
    </message>
    <message>
        <source>Starts once the machine is free (Ctrl+R)</source>
        <translation>Startet, sobald die Maschine frei ist (Strg+R)</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation>
            <numerusform>%n Lauf</numerusform>
            <numerusform>%n Läufe</numerusform>
        </translation>
    </message>
    <message>
        <source>Add to &amp;queue</source>
        <translation>In die &amp;Warteschlange</translation>
    </message>
    <message>
        <source>“%1” waits in the queue and starts once its machine is free.</source>
        <translation>„%1“ wartet in der Warteschlange und startet, sobald die Maschine frei ist.</translation>
    </message>
    <message>
        <source>Show it</source>
        <translation>Zeigen</translation>
    </message>
    <message>
        <source>New plan</source>
        <translation>Neuer Plan</translation>
    </message>
    <message>
        <source>Target machine</source>
        <translation>Zielmaschine</translation>
    </message>
    <message>
        <source>Add, edit or check target machines</source>
        <translation>Zielmaschinen hinzufügen, bearbeiten oder prüfen</translation>
    </message>
    <message>
        <source>This computer</source>
        <translation>Dieser Rechner</translation>
    </message>
    <message>
        <source>The target machine “%1” is not known here. Choose another, or add it on the Machines page.</source>
        <translation>Die Zielmaschine „%1“ ist hier nicht bekannt. Wählen Sie eine andere, oder fügen Sie sie auf der Seite Maschinen hinzu.</translation>
    </message>
    <message>
        <source>%1 (not known here)</source>
        <translation>%1 (hier nicht bekannt)</translation>
    </message>
    <message>
        <source>Slurm chooses the hosts.</source>
        <translation>Slurm wählt die Hosts.</translation>
    </message>
    <message numerus="yes">
        <source>%n host(s), nodes × workers per node.</source>
        <translation>
            <numerusform>%n Host, Knoten × Worker je Knoten.</numerusform>
            <numerusform>%n Hosts, Knoten × Worker je Knoten.</numerusform>
        </translation>
    </message>
    <message>
        <source>Chosen: %1.</source>
        <translation>Gewählt: %1.</translation>
    </message>
    <message>
        <source>%1: %2 × %3 on %4</source>
        <comment>shape of a run and its hosts</comment>
        <translation>%1: %2 × %3 auf %4</translation>
    </message>
    <message>
        <source>hosts that Slurm chooses</source>
        <translation>von Slurm gewählte Hosts</translation>
    </message>
    <message>
        <source>Recipe left out: %1</source>
        <translation>Rezept ausgelassen: %1</translation>
    </message>
    <message>
        <source>Recipes of your own are read from %1.</source>
        <translation>Eigene Rezepte werden aus %1 gelesen.</translation>
    </message>
    <message>
        <source>1  Workload</source>
        <translation>1  Workload</translation>
    </message>
    <message>
        <source>A&amp;ll workloads, 1 and 2 workers</source>
        <translation>Alle Wor&amp;kloads, 1 und 2 Worker</translation>
    </message>
    <message>
        <source>Plans every workload at the scale desk, once with each worker count</source>
        <translation>Plant jeden Workload im Maßstab desk, einmal mit jeder Workerzahl</translation>
    </message>
    <message>
        <source>All workloads, 1 and 2 workers</source>
        <translation>Alle Workloads, 1 und 2 Worker</translation>
    </message>
    <message numerus="yes">
        <source>%n workload(s)</source>
        <translation>
            <numerusform>%n Workload</numerusform>
            <numerusform>%n Workloads</numerusform>
        </translation>
    </message>
    <message>
        <source> and </source>
        <translation> und </translation>
    </message>
    <message>
        <source>%1, %2 on %3</source>
        <translation>%1, %2 auf %3</translation>
    </message>
    <message numerus="yes">
        <source>%n worker(s)</source>
        <translation>
            <numerusform>%n Worker</numerusform>
            <numerusform>%n Worker</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 and %2 workers</source>
        <translation>%1 und %2 Worker</translation>
    </message>
    <message>
        <source>“%1” is the plan of a study that was started, and stays what its runs are of. Start makes a new study of the changed plan; it can be saved in another file.</source>
        <translation>„%1“ ist der Plan einer Studie, die gestartet wurde, und bleibt, wovon ihre Läufe sind. Start macht aus dem geänderten Plan eine neue Studie; er lässt sich in einer anderen Datei speichern.</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>Speichern unter …</translation>
    </message>
    <message>
        <source>Checking the plan…</source>
        <translation>Der Plan wird geprüft …</translation>
    </message>
    <message>
        <source>Looking at the target machine…</source>
        <translation>Die Zielmaschine wird angesehen …</translation>
    </message>
    <message>
        <source>The experiment that would tell most is planned. Undo brings the plan back that was here.</source>
        <translation>Der Versuch, der am meisten sagen würde, ist geplant. Rückgängig holt den Plan zurück, der hier war.</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>Plan</source>
        <translation>Plan</translation>
    </message>
</context>
<context>
    <name>scalebench::PlanProblems</name>
    <message>
        <source>Problems of the plan</source>
        <translation>Probleme des Plans</translation>
    </message>
</context>
<context>
    <name>scalebench::PlanRuns</name>
    <message>
        <source>Runs of the plan</source>
        <translation>Läufe des Plans</translation>
    </message>
    <message>
        <source>Commands that will run</source>
        <translation>Befehle, die ausgeführt werden</translation>
    </message>
    <message>
        <source>The exact commands appear here once the plan is complete.</source>
        <translation>Hier erscheinen die genauen Befehle, sobald der Plan vollständig ist.</translation>
    </message>
    <message>
        <source>Copy the commands</source>
        <translation>Befehle kopieren</translation>
    </message>
    <message>
        <source>left out: %1</source>
        <translation>weggelassen: %1</translation>
    </message>
</context>
<context>
    <name>scalebench::ProcessModel</name>
    <message>
        <source>this study</source>
        <translation>dieser Studie</translation>
    </message>
    <message>
        <source>Scalebench</source>
        <translation>Scalebench</translation>
    </message>
    <message>
        <source>other work</source>
        <translation>anderer Arbeit</translation>
    </message>
    <message>
        <source>Process</source>
        <translation>Prozess</translation>
    </message>
    <message>
        <source>Processors</source>
        <translation>Prozessoren</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Arbeitsspeicher</translation>
    </message>
    <message>
        <source>GPU</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>Belongs to</source>
        <translation>Gehört zu</translation>
    </message>
    <message>
        <source>User</source>
        <translation>Benutzer</translation>
    </message>
    <message>
        <source>Id</source>
        <translation>Id</translation>
    </message>
</context>
<context>
    <name>scalebench::PropertiesDock</name>
    <message>
        <source>Properties</source>
        <translation>Eigenschaften</translation>
    </message>
    <message>
        <source>&amp;Colour</source>
        <translation>&amp;Farbe</translation>
    </message>
    <message>
        <source>The colour of this in every chart</source>
        <translation>Seine Farbe in jedem Diagramm</translation>
    </message>
    <message>
        <source>Nothing is picked out on this page.</source>
        <translation>Auf dieser Seite ist nichts ausgewählt.</translation>
    </message>
</context>
<context>
    <name>scalebench::Replay</name>
    <message>
        <source>“%1” holds results only, not what its runs wrote as they trained. It cannot be shown again.</source>
        <translation>„%1“ enthält nur Ergebnisse, nicht, was die Läufe beim Training schrieben. Es lässt sich nicht noch einmal zeigen.</translation>
    </message>
    <message>
        <source>“%1” could not be read: %2.</source>
        <translation>„%1“ konnte nicht gelesen werden: %2.</translation>
    </message>
    <message>
        <source>A copy of the study could not be made in “%1”.</source>
        <translation>In „%1“ konnte keine Kopie der Studie angelegt werden.</translation>
    </message>
</context>
<context>
    <name>scalebench::ResultsPage</name>
    <message>
        <source>Runs of the library</source>
        <translation>Läufe der Bibliothek</translation>
    </message>
    <message>
        <source>No results yet</source>
        <translation>Noch keine Ergebnisse</translation>
    </message>
    <message>
        <source>Every run you start is kept here with its settings, environment and files.</source>
        <translation>Jeder Lauf, den Sie starten, wird hier mit Einstellungen, Umgebung und Dateien aufbewahrt.</translation>
    </message>
    <message>
        <source>Results of others: drop MLPerf logs, bundles, TensorBoard files or tables onto the window.</source>
        <translation>Ergebnisse anderer: Ziehen Sie MLPerf-Protokolle, Bündel, TensorBoard-Dateien oder Tabellen auf das Fenster.</translation>
    </message>
    <message>
        <source>&amp;Plan a study</source>
        <translation>Studie &amp;planen</translation>
    </message>
    <message>
        <source>Select several rows to overlay or compare them.</source>
        <translation>Wählen Sie mehrere Zeilen aus, um sie übereinanderzulegen oder zu vergleichen.</translation>
    </message>
    <message>
        <source>Tags and a note of the selected run&apos;s study</source>
        <translation>Schlagwörter und Notiz zur Studie des gewählten Laufs</translation>
    </message>
    <message>
        <source>Tags and note</source>
        <translation>Schlagwörter und Notiz</translation>
    </message>
    <message>
        <source>Put the studies of the selected runs in the trash (Delete)</source>
        <translation>Die Studien der gewählten Läufe in den Papierkorb legen (Entf)</translation>
    </message>
    <message>
        <source>Put in the trash</source>
        <translation>In den Papierkorb legen</translation>
    </message>
    <message>
        <source>&amp;Compare</source>
        <translation>&amp;Vergleichen</translation>
    </message>
    <message>
        <source>Two or more selected runs: ratios with intervals, and what differs</source>
        <translation>Zwei oder mehr gewählte Läufe: Verhältnisse mit Intervallen, und was verschieden ist</translation>
    </message>
    <message>
        <source>Show &amp;scaling</source>
        <translation>&amp;Skalierung zeigen</translation>
    </message>
    <message>
        <source>Open the plan of the selected run&apos;s study</source>
        <translation>Den Plan der Studie des gewählten Laufs öffnen</translation>
    </message>
    <message>
        <source>Put the study in the trash</source>
        <translation>Die Studie in den Papierkorb legen</translation>
    </message>
    <message>
        <source>The library %1 may not be written to: its studies can be looked at and exported; to run new ones, choose another with File, Library folder.</source>
        <translation>In die Bibliothek %1 darf nicht geschrieben werden: Ihre Studien lassen sich ansehen und exportieren; wählen Sie für neue mit Datei, Bibliotheksordner eine andere.</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Runs by machine, workload and workers</source>
        <translation>Läufe nach Maschine, Workload und Workern</translation>
    </message>
    <message>
        <source>Group</source>
        <translation>Gruppieren</translation>
    </message>
    <message>
        <source>Runs by machine, workload, number of workers and repeat</source>
        <translation>Läufe nach Maschine, Workload, Workerzahl und Wiederholung</translation>
    </message>
    <message>
        <source>Group the runs by machine, workload and workers</source>
        <translation>Die Läufe nach Maschine, Workload und Workern gruppieren</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation>
            <numerusform>%n Lauf</numerusform>
            <numerusform>%n Läufe</numerusform>
        </translation>
    </message>
    <message>
        <source>Run a&amp;gain…</source>
        <translation>&amp;Noch einmal …</translation>
    </message>
    <message>
        <source>There is no plan of these results: they were not planned here.</source>
        <translation>Zu diesen Ergebnissen gibt es keinen Plan: Sie wurden nicht hier geplant.</translation>
    </message>
    <message numerus="yes">
        <source>%n folder(s) of the library cannot be read as a study: %1</source>
        <translation>
            <numerusform>%n Ordner der Bibliothek kann nicht als Studie gelesen werden: %1</numerusform>
            <numerusform>%n Ordner der Bibliothek können nicht als Studie gelesen werden: %1</numerusform>
        </translation>
    </message>
    <message>
        <source>The selected runs are of several studies. Select runs of one.</source>
        <translation>Die gewählten Läufe gehören zu mehreren Studien. Wählen Sie Läufe einer einzigen.</translation>
    </message>
</context>
<context>
    <name>scalebench::RunDetail</name>
    <message>
        <source>folder</source>
        <translation>Ordner</translation>
    </message>
    <message>
        <source>Training loss</source>
        <translation>Trainings-Loss</translation>
    </message>
    <message>
        <source>Throughput</source>
        <translation>Durchsatz</translation>
    </message>
    <message>
        <source>Where a step&apos;s time goes</source>
        <translation>Wohin die Zeit eines Schritts geht</translation>
    </message>
    <message>
        <source>Pictures</source>
        <translation>Bilder</translation>
    </message>
    <message>
        <source>What the x axis shows</source>
        <translation>Was die x-Achse zeigt</translation>
    </message>
    <message>
        <source>Charts</source>
        <translation>Diagramme</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>Geschwindigkeit</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Environment</source>
        <translation>Umgebung</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>Dateien</translation>
    </message>
    <message numerus="yes">
        <source>%n runs overlaid</source>
        <translation>
            <numerusform>%n Lauf übereinandergelegt</numerusform>
            <numerusform>%n Läufe übereinandergelegt</numerusform>
        </translation>
    </message>
    <message>
        <source>Disturbed: %1 Its times say less than they seem to.</source>
        <translation>Gestört: %1 Die Zeiten sagen weniger, als es scheint.</translation>
    </message>
    <message>
        <source>%1 is gone: it was moved or deleted, or its disk is not mounted.</source>
        <translation>%1 ist weg: verschoben oder gelöscht, oder der Datenträger ist nicht eingehängt.</translation>
    </message>
    <message>
        <source>No run is selected.</source>
        <translation>Kein Lauf ist ausgewählt.</translation>
    </message>
    <message>
        <source>This run cannot be read.</source>
        <translation>Dieser Lauf kann nicht gelesen werden.</translation>
    </message>
    <message>
        <source>Only the first %1 of %2 selected runs are shown.</source>
        <translation>Nur die ersten %1 von %2 gewählten Läufen werden gezeigt.</translation>
    </message>
    <message>
        <source>not recorded</source>
        <translation>nicht aufgezeichnet</translation>
    </message>
    <message>
        <source>The run had not begun to train.</source>
        <translation>Der Lauf hatte noch nicht zu trainieren begonnen.</translation>
    </message>
    <message>
        <source>This run was imported: its source does not tell its environment.</source>
        <translation>Dieser Lauf wurde importiert: Seine Quelle nennt keine Umgebung.</translation>
    </message>
</context>
<context>
    <name>scalebench::RunPage</name>
    <message>
        <source>Pause &amp;queue</source>
        <translation>&amp;Warteschlange anhalten</translation>
    </message>
    <message>
        <source>Run &amp;disturbed again</source>
        <translation>Ges&amp;törte noch einmal</translation>
    </message>
    <message>
        <source>S&amp;top</source>
        <translation>A&amp;nhalten</translation>
    </message>
    <message>
        <source>Export &amp;all…</source>
        <translation>Alles &amp;exportieren …</translation>
    </message>
    <message>
        <source>Run queue</source>
        <translation>Warteschlange der Läufe</translation>
    </message>
    <message>
        <source>Speedup table</source>
        <translation>Speedup-Tabelle</translation>
    </message>
    <message>
        <source>Throughput</source>
        <translation>Durchsatz</translation>
    </message>
    <message>
        <source>Where a step&apos;s time goes</source>
        <translation>Wohin die Zeit eines Schritts geht</translation>
    </message>
    <message>
        <source>Processors</source>
        <translation>Prozessoren</translation>
    </message>
    <message>
        <source>Speedup</source>
        <translation>Speedup</translation>
    </message>
    <message>
        <source>Nothing is running</source>
        <translation>Nichts läuft</translation>
    </message>
    <message>
        <source>Choose a workload and worker counts, then press Start.</source>
        <translation>Wählen Sie Workload und Workerzahlen, und drücken Sie Start.</translation>
    </message>
    <message>
        <source>&amp;Plan a study</source>
        <translation>Studie &amp;planen</translation>
    </message>
    <message>
        <source>Stop &amp;after this run</source>
        <translation>&amp;Nach diesem Lauf anhalten</translation>
    </message>
    <message>
        <source>Stop &amp;now</source>
        <translation>&amp;Sofort anhalten</translation>
    </message>
    <message>
        <source>&amp;Leave running and disconnect</source>
        <translation>&amp;Weiterlaufen lassen und trennen</translation>
    </message>
    <message>
        <source>Stop the study</source>
        <translation>Die Studie anhalten</translation>
    </message>
    <message>
        <source>Write CSV files and pictures of this study into a folder</source>
        <translation>CSV-Dateien und Bilder dieser Studie in einen Ordner schreiben</translation>
    </message>
    <message>
        <source>Run the failed runs again, and no others; from their last checkpoint where there is one</source>
        <translation>Die fehlgeschlagenen Läufe noch einmal ausführen, und keine anderen; vom letzten Checkpoint an, wo es einen gibt</translation>
    </message>
    <message>
        <source>Other work on this computer or its hosts disturbed some runs; run those again from the start. What they wrote is kept beside.</source>
        <translation>Andere Arbeit auf diesem Rechner oder seinen Hosts hat einige Läufe gestört; führt diese von vorn noch einmal aus. Was sie schrieben, bleibt daneben.</translation>
    </message>
    <message>
        <source>Run the failed and cancelled runs again, from their last checkpoint where there is one</source>
        <translation>Die fehlgeschlagenen und abgebrochenen Läufe noch einmal ausführen, vom letzten Checkpoint an, wo es einen gibt</translation>
    </message>
    <message>
        <source>Connection to the target machine</source>
        <translation>Verbindung zur Zielmaschine</translation>
    </message>
    <message>
        <source>What the x axis of accuracy and throughput shows</source>
        <translation>Was die x-Achse von Genauigkeit und Durchsatz zeigt</translation>
    </message>
    <message>
        <source>This is the newest study. Also running: %1. Home lists all.</source>
        <translation>Dies ist die neueste Studie. Außerdem läuft: %1. Die Startseite zeigt alle.</translation>
    </message>
    <message>
        <source>Show Home</source>
        <translation>Startseite zeigen</translation>
    </message>
    <message>
        <source>The next study of the queue goes on.</source>
        <translation>Die nächste Studie der Warteschlange geht weiter.</translation>
    </message>
    <message>
        <source>stopping</source>
        <translation>hält an</translation>
    </message>
    <message>
        <source>queue paused</source>
        <translation>Warteschlange angehalten</translation>
    </message>
    <message>
        <source>running</source>
        <translation>läuft</translation>
    </message>
    <message>
        <source>Continue &amp;queue</source>
        <translation>&amp;Warteschlange fortsetzen</translation>
    </message>
    <message>
        <source>Start the next run</source>
        <translation>Den nächsten Lauf starten</translation>
    </message>
    <message>
        <source>The run that is going on ends as usual; the next one waits</source>
        <translation>Der laufende Lauf endet wie üblich; der nächste wartet</translation>
    </message>
    <message>
        <source>Connected again at %1; what was measured meanwhile is here.</source>
        <translation>Wieder verbunden um %1; was inzwischen gemessen wurde, ist da.</translation>
    </message>
    <message>
        <source>Disconnected at %1. The run continues; reconnecting (try %2).</source>
        <translation>Getrennt um %1. Der Lauf geht weiter; neue Verbindung (Versuch %2).</translation>
    </message>
    <message>
        <source>Now</source>
        <translation>Jetzt</translation>
    </message>
    <message>
        <source>Leave it</source>
        <translation>So lassen</translation>
    </message>
    <message>
        <source>%1: nothing left on %2.</source>
        <translation>%1: Auf %2 ist nichts übrig.</translation>
    </message>
    <message>
        <source>%1: %2.</source>
        <translation>%1: %2.</translation>
    </message>
    <message>
        <source>Nothing left on %1.</source>
        <translation>Auf %1 ist nichts übrig.</translation>
    </message>
    <message>
        <source>Show it</source>
        <translation>Zeigen</translation>
    </message>
    <message>
        <source>Plan again…</source>
        <translation>Neu planen …</translation>
    </message>
    <message>
        <source>The run failed. The log tells more.</source>
        <translation>Der Lauf ist fehlgeschlagen. Das Protokoll sagt mehr.</translation>
    </message>
    <message>
        <source>Show log</source>
        <translation>Protokoll zeigen</translation>
    </message>
    <message>
        <source>%1 · all done in %2</source>
        <translation>%1 · alles fertig in %2</translation>
    </message>
    <message>
        <source>What the chart of the hardware shows</source>
        <translation>Was das Diagramm der Hardware zeigt</translation>
    </message>
    <message>
        <source>Resu&amp;me</source>
        <translation>&amp;Fortsetzen</translation>
    </message>
    <message>
        <source>Run fa&amp;iled again</source>
        <translation>Fehl&amp;geschlagene noch einmal</translation>
    </message>
    <message>
        <source>A recording, shown again: nothing is trained, and all times are those of the recording.</source>
        <translation>Eine Aufzeichnung, noch einmal gezeigt: Nichts wird trainiert, und alle Zeiten sind die der Aufzeichnung.</translation>
    </message>
    <message>
        <source>Published results</source>
        <translation>Veröffentlichte Ergebnisse</translation>
    </message>
    <message>
        <source>recording</source>
        <translation>Aufzeichnung</translation>
    </message>
</context>
<context>
    <name>scalebench::RunPictures</name>
    <message>
        <source>The training engine, which draws the pictures, was not found.</source>
        <translation>Die Trainings-Engine, die die Bilder zeichnet, wurde nicht gefunden.</translation>
    </message>
    <message>
        <source>No temporary folder could be made.</source>
        <translation>Ein temporärer Ordner konnte nicht angelegt werden.</translation>
    </message>
    <message>
        <source>Drawing the pictures…</source>
        <translation>Die Bilder werden gezeichnet …</translation>
    </message>
    <message>
        <source>Pictures of the last evaluation. Green: what is there; orange: what the run found, with its score.</source>
        <translation>Bilder der letzten Auswertung. Grün: was da ist; orange: was der Lauf fand, mit seiner Bewertung.</translation>
    </message>
</context>
<context>
    <name>scalebench::RunQueueModel</name>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Lauf</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>Fortschritt</translation>
    </message>
    <message>
        <source>Epoch</source>
        <translation>Epoche</translation>
    </message>
    <message>
        <source>Samples/s</source>
        <translation>Samples/s</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Time left</source>
        <translation>Restzeit</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Bemerkung</translation>
    </message>
    <message>
        <source>Last quality</source>
        <translation>Letzte Güte</translation>
    </message>
</context>
<context>
    <name>scalebench::RunTableModel</name>
    <message>
        <source>Started</source>
        <translation>Gestartet</translation>
    </message>
    <message>
        <source>Study</source>
        <translation>Studie</translation>
    </message>
    <message>
        <source>Study id</source>
        <translation>Studienkennung</translation>
    </message>
    <message>
        <source>Tags</source>
        <translation>Schlagwörter</translation>
    </message>
    <message>
        <source>Workload</source>
        <translation>Workload</translation>
    </message>
    <message>
        <source>Scale</source>
        <translation>Maßstab</translation>
    </message>
    <message>
        <source>Workers</source>
        <translation>Worker</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>Zahlenformat</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Batch</source>
        <translation>Batch</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>Target</source>
        <translation>Ziel</translation>
    </message>
    <message>
        <source>Epochs</source>
        <translation>Epochen</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Samples/s</source>
        <translation>Samples/s</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>Gerät</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>Knoten</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>Seed</translation>
    </message>
    <message>
        <source>Repeat</source>
        <translation>Wiederholung</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Bemerkung</translation>
    </message>
    <message>
        <source>Best quality</source>
        <translation>Beste Güte</translation>
    </message>
</context>
<context>
    <name>scalebench::RunTreeModel</name>
    <message>
        <source>machine not known</source>
        <translation>Maschine nicht bekannt</translation>
    </message>
    <message numerus="yes">
        <source>%1 on %n node(s)</source>
        <translation>
            <numerusform>%1 auf %n Knoten</numerusform>
            <numerusform>%1 auf %n Knoten</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation>
            <numerusform>%n Lauf</numerusform>
            <numerusform>%n Läufe</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n run(s) completed</source>
        <translation>
            <numerusform>%1 von %n Lauf abgeschlossen</numerusform>
            <numerusform>%1 von %n Läufen abgeschlossen</numerusform>
        </translation>
    </message>
    <message>
        <source>run %1</source>
        <translation>Lauf %1</translation>
    </message>
    <message>
        <source>Machine, workload, workers, run</source>
        <translation>Maschine, Workload, Worker, Lauf</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>Time to train</source>
        <translation>Trainingszeit</translation>
    </message>
    <message>
        <source>Samples/s</source>
        <translation>Samples/s</translation>
    </message>
    <message>
        <source>workers not known</source>
        <translation>Worker nicht bekannt</translation>
    </message>
    <message>
        <source>Best quality</source>
        <translation>Beste Güte</translation>
    </message>
    <message>
        <source>workload not known</source>
        <translation>Workload nicht bekannt</translation>
    </message>
</context>
<context>
    <name>scalebench::ScalingPage</name>
    <message>
        <source>Speedup</source>
        <translation>Speedup</translation>
    </message>
    <message>
        <source>Efficiency</source>
        <translation>Effizienz</translation>
    </message>
    <message>
        <source>Time to train</source>
        <translation>Trainingszeit</translation>
    </message>
    <message>
        <source>Where the speedup comes from</source>
        <translation>Woher der Speedup kommt</translation>
    </message>
    <message>
        <source>Scale-out against scale-up</source>
        <translation>Scale-out gegen Scale-up</translation>
    </message>
    <message>
        <source>What is lost of the ideal</source>
        <translation>Was vom Ideal verloren geht</translation>
    </message>
    <message>
        <source>Other machines</source>
        <translation>Andere Maschinen</translation>
    </message>
    <message>
        <source>Storage demand</source>
        <translation>Bedarf an Speicherdurchsatz</translation>
    </message>
    <message>
        <source>Scaling table</source>
        <translation>Skalierungstabelle</translation>
    </message>
    <message>
        <source>Efficiency of each series on each number of workers</source>
        <translation>Effizienz jeder Reihe bei jeder Workerzahl</translation>
    </message>
    <message>
        <source>No study to compare yet</source>
        <translation>Noch keine Studie zum Vergleichen</translation>
    </message>
    <message>
        <source>Scaling needs runs with at least two worker counts.</source>
        <translation>Skalierung braucht Läufe mit mindestens zwei Workerzahlen.</translation>
    </message>
    <message>
        <source>&amp;Plan a study</source>
        <translation>Studie &amp;planen</translation>
    </message>
    <message>
        <source>St&amp;udy</source>
        <translation>&amp;Studie</translation>
    </message>
    <message>
        <source>Export &amp;all…</source>
        <translation>Alles &amp;exportieren …</translation>
    </message>
    <message>
        <source>&amp;Beside it</source>
        <translation>Da&amp;neben</translation>
    </message>
    <message>
        <source>Published results beside it</source>
        <translation>Veröffentlichte Ergebnisse daneben</translation>
    </message>
    <message>
        <source>no reference</source>
        <translation>kein Vergleich</translation>
    </message>
    <message>
        <source>Published: %1</source>
        <translation>Veröffentlicht: %1</translation>
    </message>
    <message>
        <source>of the time to train</source>
        <translation>der Trainingszeit</translation>
    </message>
    <message>
        <source>of an epoch</source>
        <translation>einer Epoche</translation>
    </message>
    <message>
        <source>of samples/s</source>
        <translation>des Durchsatzes</translation>
    </message>
    <message>
        <source>What the speedup is of</source>
        <translation>Wovon der Speedup ist</translation>
    </message>
    <message>
        <source>What the speedup is told against</source>
        <translation>Wogegen der Speedup gerechnet wird</translation>
    </message>
    <message>
        <source>&amp;Measured…</source>
        <translation>&amp;Gemessen …</translation>
    </message>
    <message>
        <source>Lay what `scalebench bench storage --json FILE` measured beside it</source>
        <translation>Legt daneben, was `scalebench bench storage --json DATEI` gemessen hat</translation>
    </message>
    <message>
        <source>Findings</source>
        <translation>Befunde</translation>
    </message>
    <message>
        <source>Plan again…</source>
        <translation>Neu planen …</translation>
    </message>
    <message>
        <source>%1 Note how the gains above 8× come from fewer epochs, not from hardware.</source>
        <translation>%1 Beachten Sie, dass Gewinne über 8× von weniger Epochen kommen, nicht von der Hardware.</translation>
    </message>
    <message>
        <source>vs the fewest workers</source>
        <translation>gegen die wenigsten Worker</translation>
    </message>
    <message>
        <source>vs one node</source>
        <translation>gegen einen Knoten</translation>
    </message>
    <message>
        <source>vs %1</source>
        <translation>gegen %1</translation>
    </message>
    <message>
        <source>&amp;Tools</source>
        <translation>&amp;Werkzeuge</translation>
    </message>
    <message>
        <source>Collective &amp;bandwidth…</source>
        <translation>&amp;Bandbreite kollektiver Operationen …</translation>
    </message>
    <message>
        <source>&amp;Check a claim…</source>
        <translation>Behauptung &amp;prüfen …</translation>
    </message>
    <message>
        <source>Epochs against MLPerf&apos;s &amp;reference points…</source>
        <translation>Epochen gegen &amp;Referenzpunkte von MLPerf …</translation>
    </message>
    <message>
        <source>&amp;Open</source>
        <translation>&amp;Öffnen</translation>
    </message>
    <message numerus="yes">
        <source>&amp;Run again: %n run(s)</source>
        <translation>
            <numerusform>&amp;Noch einmal: %n Lauf</numerusform>
            <numerusform>&amp;Noch einmal: %n Läufe</numerusform>
        </translation>
    </message>
    <message>
        <source>Measured storage: what `scalebench bench storage` wrote</source>
        <translation>Gemessener Speicherdurchsatz: was `scalebench bench storage` schrieb</translation>
    </message>
    <message>
        <source>Benchmarks (*.json *.csv);;All files (*)</source>
        <translation>Benchmarks (*.json *.csv);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Reference convergence points of MLPerf (rcps_….json)</source>
        <translation>Referenzpunkte der Konvergenz von MLPerf (rcps_….json)</translation>
    </message>
    <message>
        <source>JSON (*.json);;All files (*)</source>
        <translation>JSON (*.json);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Cost against time</source>
        <translation>Kosten über der Zeit</translation>
    </message>
    <message>
        <source>Charts from &amp;files…</source>
        <translation>Diagramme aus &amp;Dateien …</translation>
    </message>
    <message>
        <source>Click a band for its figures</source>
        <translation>Ein Klick auf ein Band zeigt seine Zahlen</translation>
    </message>
    <message>
        <source>Spee&amp;dup</source>
        <translation>Speed&amp;up</translation>
    </message>
    <message>
        <source>See &amp;published results</source>
        <translation>&amp;Veröffentlichte Ergebnisse ansehen</translation>
    </message>
</context>
<context>
    <name>scalebench::SettingsPage</name>
    <message>
        <source>Keep this computer &amp;awake while a study trains on it</source>
        <translation>Diesen Rechner &amp;wach halten, während eine Studie auf ihm trainiert</translation>
    </message>
    <message>
        <source>&amp;Tell of a study&apos;s end while the window is not looked at</source>
        <translation>Das Ende einer Studie &amp;melden, wenn das Fenster nicht im Vordergrund ist</translation>
    </message>
    <message>
        <source>&amp;Light theme, for print</source>
        <translation>Helles Design, &amp;für den Druck</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Optionen</translation>
    </message>
    <message>
        <source>Looks and language</source>
        <translation>Aussehen und Sprache</translation>
    </message>
    <message>
        <source>As the system</source>
        <translation>Wie das System</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Hell</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>Dunkel</translation>
    </message>
    <message>
        <source>High contrast</source>
        <translation>Hoher Kontrast</translation>
    </message>
    <message>
        <source>Langua&amp;ge</source>
        <translation>&amp;Sprache</translation>
    </message>
    <message>
        <source>Library: where runs are kept</source>
        <translation>Bibliothek: wo Läufe aufbewahrt werden</translation>
    </message>
    <message>
        <source>&amp;Choose a folder…</source>
        <translation>Ordner &amp;wählen …</translation>
    </message>
    <message>
        <source>Folder where runs are kept</source>
        <translation>Ordner, in dem Läufe aufbewahrt werden</translation>
    </message>
    <message>
        <source>While a study trains</source>
        <translation>Während eine Studie trainiert</translation>
    </message>
    <message>
        <source>Exported pictures</source>
        <translation>Exportierte Bilder</translation>
    </message>
    <message>
        <source>%1 × resolution</source>
        <translation>%1-fache Auflösung</translation>
    </message>
    <message>
        <source>&amp;PNG pictures</source>
        <translation>&amp;PNG-Bilder</translation>
    </message>
    <message>
        <source>Keys and traces</source>
        <translation>Tasten und Verlauf</translation>
    </message>
    <message>
        <source>&amp;Keyboard shortcuts…</source>
        <translation>&amp;Tastenkürzel …</translation>
    </message>
    <message>
        <source>Colours of lines and bars, in all charts</source>
        <translation>Farben von Linien und Balken, in allen Diagrammen</translation>
    </message>
    <message>
        <source>Colour %1</source>
        <translation>Farbe %1</translation>
    </message>
    <message>
        <source>Choose colour %1</source>
        <translation>Farbe %1 wählen</translation>
    </message>
    <message>
        <source>Us&amp;ual colours</source>
        <translation>Übli&amp;che Farben</translation>
    </message>
    <message>
        <source>The&amp;me</source>
        <translation>Desi&amp;gn</translation>
    </message>
    <message>
        <source>Usual f&amp;older</source>
        <translation>Üblicher &amp;Ordner</translation>
    </message>
    <message>
        <source>Forget recent f&amp;iles</source>
        <translation>&amp;Zuletzt Verwendetes vergessen</translation>
    </message>
    <message>
        <source>Given at the start (--theme, --language), until the window closes; another choice is saved for the next start (%1).</source>
        <translation>Beim Start angegeben (--theme, --language), bis das Fenster schließt; für den nächsten Start ist anderes gespeichert (%1).</translation>
    </message>
</context>
<context>
    <name>scalebench::ShapeMatrix</name>
    <message>
        <source>All &amp;ways to spread</source>
        <translation>Alle &amp;Verteilungen</translation>
    </message>
    <message>
        <source>Scale-up against scale-out: the same number of workers on few and on many nodes</source>
        <translation>Scale-up gegen Scale-out: dieselbe Workerzahl auf wenigen und auf vielen Knoten</translation>
    </message>
    <message>
        <source>Choose all ways to spread these workers over the nodes</source>
        <translation>Alle Verteilungen dieser Worker auf die Knoten wählen</translation>
    </message>
    <message>
        <source> workers</source>
        <translation> Worker</translation>
    </message>
    <message>
        <source>Workers to spread</source>
        <translation>Zu verteilende Worker</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>Leeren</translation>
    </message>
    <message>
        <source>Choose no shape</source>
        <translation>Keine Form wählen</translation>
    </message>
    <message numerus="yes">
        <source>The machine has %n host(s).</source>
        <translation>
            <numerusform>Die Maschine hat %n Host.</numerusform>
            <numerusform>Die Maschine hat %n Hosts.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 has %n slot(s).</source>
        <translation>
            <numerusform>%1 hat %n Slot.</numerusform>
            <numerusform>%1 hat %n Slots.</numerusform>
        </translation>
    </message>
    <message>
        <source>workers per node:</source>
        <translation>Worker je Knoten:</translation>
    </message>
    <message numerus="yes">
        <source>%n node(s)</source>
        <translation>
            <numerusform>%n Knoten</numerusform>
            <numerusform>%n Knoten</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 × %2, %n worker(s)</source>
        <translation>
            <numerusform>%1 × %2, %n Worker</numerusform>
            <numerusform>%1 × %2, %n Worker</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>scalebench::ShortcutDialog</name>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>Tastenkürzel</translation>
    </message>
    <message>
        <source>&amp;Assign</source>
        <translation>&amp;Zuweisen</translation>
    </message>
    <message>
        <source>As &amp;delivered</source>
        <translation>Wie aus&amp;geliefert</translation>
    </message>
    <message>
        <source>Press the &amp;keys</source>
        <translation>Drücken Sie die &amp;Tasten</translation>
    </message>
    <message>
        <source>New keys</source>
        <translation>Neue Tasten</translation>
    </message>
    <message>
        <source>%1 belongs to “%2” and would be taken from it.</source>
        <translation>%1 gehört zu „%2“ und würde dort weggenommen.</translation>
    </message>
</context>
<context>
    <name>scalebench::ShortcutModel</name>
    <message>
        <source>Action</source>
        <translation>Aktion</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>Tasten</translation>
    </message>
    <message>
        <source>As delivered</source>
        <translation>Wie ausgeliefert</translation>
    </message>
</context>
<context>
    <name>scalebench::SpeedupModel</name>
    <message>
        <source>%1 (baseline)</source>
        <translation>%1 (Basis)</translation>
    </message>
    <message numerus="yes">
        <source>%1 on %n node(s)</source>
        <translation>
            <numerusform>%1 auf %n Knoten</numerusform>
            <numerusform>%1 auf %n Knoten</numerusform>
        </translation>
    </message>
    <message>
        <source>n = %1</source>
        <translation>n = %1</translation>
    </message>
    <message>
        <source>Series</source>
        <translation>Reihe</translation>
    </message>
    <message>
        <source>Workers</source>
        <translation>Worker</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>Läufe</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>95 % interval</source>
        <translation>95-%-Intervall</translation>
    </message>
    <message>
        <source>Epochs</source>
        <translation>Epochen</translation>
    </message>
    <message>
        <source>Speedup</source>
        <translation>Speedup</translation>
    </message>
    <message>
        <source>Efficiency</source>
        <translation>Effizienz</translation>
    </message>
    <message>
        <source>Epochs ratio</source>
        <translation>Verhältnis der Epochen</translation>
    </message>
    <message>
        <source>Step-time ratio</source>
        <translation>Verhältnis der Schrittzeit</translation>
    </message>
    <message>
        <source>Samples/s</source>
        <translation>Samples/s</translation>
    </message>
    <message>
        <source>Throughput ratio</source>
        <translation>Verhältnis des Durchsatzes</translation>
    </message>
    <message>
        <source>Missed or failed</source>
        <translation>Verfehlt oder fehlgeschlagen</translation>
    </message>
    <message>
        <source>Remark</source>
        <translation>Bemerkung</translation>
    </message>
</context>
<context>
    <name>scalebench::StatusStrip</name>
    <message>
        <source>Progress of the study</source>
        <translation>Fortschritt der Studie</translation>
    </message>
    <message>
        <source>Studies that run unseen</source>
        <translation>Studien, die im Hintergrund laufen</translation>
    </message>
    <message>
        <source>Also running: %1</source>
        <translation>Außerdem läuft: %1</translation>
    </message>
    <message>
        <source>Also running: %1 studies</source>
        <translation>Außerdem laufen: %1 Studien</translation>
    </message>
    <message>
        <source>Ready</source>
        <translation>Bereit</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>%1 · %2 left</source>
        <translation>%1 · noch %2</translation>
    </message>
</context>
<context>
    <name>scalebench::StudyChoice</name>
    <message>
        <source>Study</source>
        <translation>Studie</translation>
    </message>
    <message>
        <source>Published: %1</source>
        <translation>Veröffentlicht: %1</translation>
    </message>
</context>
<context>
    <name>scalebench::StudyExporter</name>
    <message>
        <source>The export was cancelled; what was written so far is in %1.</source>
        <translation>Der Export wurde abgebrochen; was bis dahin geschrieben war, ist in %1.</translation>
    </message>
</context>
<context>
    <name>scalebench::StudyLibrary</name>
    <message>
        <source>tags and note</source>
        <translation>Schlagwörter und Notiz</translation>
    </message>
    <message>
        <source>Tags and note are kept.</source>
        <translation>Schlagwörter und Notiz sind gespeichert.</translation>
    </message>
    <message>
        <source>move to the trash</source>
        <translation>In den Papierkorb</translation>
    </message>
    <message>
        <source>“%1” is in the trash.</source>
        <translation>„%1“ liegt im Papierkorb.</translation>
    </message>
    <message numerus="yes">
        <source>%n studies are in the trash.</source>
        <translation>
            <numerusform>%n Studie liegt im Papierkorb.</numerusform>
            <numerusform>%n Studien liegen im Papierkorb.</numerusform>
        </translation>
    </message>
    <message>
        <source>taking back from the trash</source>
        <translation>Zurückholen aus dem Papierkorb</translation>
    </message>
    <message>
        <source>Reading files…</source>
        <translation>Dateien werden gelesen …</translation>
    </message>
    <message>
        <source>Reading files: %1 of %2…</source>
        <translation>Dateien werden gelesen: %1 von %2 …</translation>
    </message>
    <message>
        <source>Left where they are: %1. %2</source>
        <translation>Nicht verschoben: %1. %2</translation>
    </message>
</context>
<context>
    <name>scalebench::StudyRow</name>
    <message>
        <source>d MMM yyyy, HH:mm</source>
        <translation>d. MMM yyyy, HH:mm</translation>
    </message>
</context>
<context>
    <name>scalebench::SweepModel</name>
    <message>
        <source>oversubscribed</source>
        <translation>überbucht</translation>
    </message>
    <message>
        <source>missed</source>
        <translation>verfehlt</translation>
    </message>
    <message>
        <source>No such run in this study.</source>
        <translation>In dieser Studie gibt es keinen solchen Lauf.</translation>
    </message>
    <message>
        <source>The efficiency is that of samples/s.</source>
        <translation>Die Effizienz ist die des Durchsatzes.</translation>
    </message>
    <message>
        <source>Efficiency</source>
        <translation>Effizienz</translation>
    </message>
    <message numerus="yes">
        <source>%n worker(s)</source>
        <translation>
            <numerusform>%n Worker</numerusform>
            <numerusform>%n Worker</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 on %n nodes</source>
        <translation>
            <numerusform>%1 auf %n Knoten</numerusform>
            <numerusform>%1 auf %n Knoten</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>scalebench::VariablesModel</name>
    <message>
        <source>The value “%1” has no name.</source>
        <translation>Der Wert „%1“ hat keinen Namen.</translation>
    </message>
    <message>
        <source>“%1” is no name of a variable: letters, digits and _ only.</source>
        <translation>„%1“ ist kein Variablenname: nur Buchstaben, Ziffern und _.</translation>
    </message>
    <message>
        <source>“%1” is there twice; keep one.</source>
        <translation>„%1“ steht zweimal da; behalten Sie eines.</translation>
    </message>
    <message>
        <source>Name of a new variable</source>
        <translation>Name einer neuen Variable</translation>
    </message>
    <message>
        <source>Value of a new variable</source>
        <translation>Wert einer neuen Variable</translation>
    </message>
    <message>
        <source>Type a name here to add a variable</source>
        <translation>Geben Sie hier einen Namen ein, um eine Variable hinzuzufügen</translation>
    </message>
    <message>
        <source>F2 edits, Delete removes the variable</source>
        <translation>F2 bearbeitet, Entf entfernt die Variable</translation>
    </message>
    <message>
        <source>add a variable…</source>
        <translation>Variable hinzufügen …</translation>
    </message>
    <message>
        <source>Variable</source>
        <translation>Variable</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Wert</translation>
    </message>
</context>
<context>
    <name>scalebench::VerifyModel</name>
    <message>
        <source>%1 to %2</source>
        <translation>%1 bis %2</translation>
    </message>
    <message>
        <source>Item</source>
        <translation>Posten</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>Urteil</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>Geschwindigkeit</translation>
    </message>
    <message>
        <source>95 % interval</source>
        <translation>95-%-Intervall</translation>
    </message>
    <message>
        <source>Likely cause</source>
        <translation>Wahrscheinliche Ursache</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Reference</source>
        <translation>Referenz</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>Läufe</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>Bemerkungen</translation>
    </message>
</context>
<context>
    <name>scalebench::VerifyPage</name>
    <message>
        <source>Speed over the reference&apos;s</source>
        <translation>Geschwindigkeit zur Referenz</translation>
    </message>
    <message>
        <source>Verified items</source>
        <translation>Verifizierte Posten</translation>
    </message>
    <message>
        <source>Nothing to verify yet</source>
        <translation>Noch nichts zu verifizieren</translation>
    </message>
    <message>
        <source>A study is held against published or imported results, or another study.</source>
        <translation>Eine Studie wird an veröffentlichten oder importierten Ergebnissen oder an einer anderen Studie gemessen.</translation>
    </message>
    <message>
        <source>&amp;Plan a study</source>
        <translation>Studie &amp;planen</translation>
    </message>
    <message>
        <source>St&amp;udy</source>
        <translation>St&amp;udie</translation>
    </message>
    <message>
        <source>A&amp;gainst</source>
        <translation>&amp;Gegen</translation>
    </message>
    <message>
        <source>Against</source>
        <translation>Gegen</translation>
    </message>
    <message>
        <source>Equivalence margin</source>
        <translation>Äquivalenzgrenze</translation>
    </message>
    <message>
        <source> % slower</source>
        <translation> % langsamer</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>Urteil</translation>
    </message>
    <message>
        <source>Epochs</source>
        <translation>Epochen</translation>
    </message>
    <message>
        <source>Folder for verification.html and verification.pdf</source>
        <translation>Ordner für verification.html und verification.pdf</translation>
    </message>
    <message>
        <source>Written to %1: %2</source>
        <translation>Geschrieben nach %1: %2</translation>
    </message>
    <message>
        <source>Rep&amp;ort…</source>
        <translation>Be&amp;richt …</translation>
    </message>
    <message>
        <source>See an e&amp;xample</source>
        <translation>Beispi&amp;el ansehen</translation>
    </message>
    <message>
        <source>As fast &amp;means at most</source>
        <translation>So &amp;schnell heißt höchstens</translation>
    </message>
</context>
<context>
    <name>scalebench::WorkerMatrix</name>
    <message>
        <source>other: 3, 6</source>
        <translation>andere: 3, 6</translation>
    </message>
    <message>
        <source>Other worker counts, with commas between them</source>
        <translation>Andere Workerzahlen, durch Kommas getrennt</translation>
    </message>
    <message>
        <source>Any other numbers of workers, for example 3, 6; Enter adds them</source>
        <translation>Beliebige andere Workerzahlen, zum Beispiel 3, 6; Eingabe fügt sie hinzu</translation>
    </message>
    <message numerus="yes">
        <source>%n worker(s)</source>
        <translation>
            <numerusform>%n Worker</numerusform>
            <numerusform>%n Worker</numerusform>
        </translation>
    </message>
    <message>
        <source>%1: not a whole number of workers from 1 to %2</source>
        <translation>%1: keine ganze Zahl von Workern von 1 bis %2</translation>
    </message>
</context>
<context>
    <name>scalebench::WorkloadCard</name>
    <message>
        <source>%1 in the plan</source>
        <translation>%1 im Plan</translation>
    </message>
    <message>
        <source>Train it in this plan; several can be ticked</source>
        <translation>In diesem Plan trainieren; mehrere lassen sich ankreuzen</translation>
    </message>
    <message>
        <source>Settings of %1</source>
        <translation>Einstellungen von %1</translation>
    </message>
    <message>
        <source>target %1 %2</source>
        <translation>Ziel %1 %2</translation>
    </message>
    <message numerus="yes">
        <source>at most %n epoch(s)</source>
        <translation>
            <numerusform>höchstens %n Epoche</numerusform>
            <numerusform>höchstens %n Epochen</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 million parameters</source>
        <translation>%1 Millionen Parameter</translation>
    </message>
    <message>
        <source>generated data, works offline</source>
        <translation>erzeugte Daten, funktioniert offline</translation>
    </message>
    <message>
        <source>your data: %1</source>
        <translation>Ihre Daten: %1</translation>
    </message>
</context>
</TS>
