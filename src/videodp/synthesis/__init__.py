"""The second mechanism: nothing real of any element is published (DESIGN: synthesis).

elements --records_of--> Records --summarise--> Summary (exact) --release--> NoisySummary
                                                   epsilon is spent here, and nowhere else
NoisySummary --populate--> Population --paint--> private video
                 only the noisy summary is read from here on
"""
